//! A module that remembers which of its functions ran: how the list of what the first picture needs is made.

use wasm_encoder::reencode::{self, Reencode};
use wasm_encoder::{CodeSection, ExportKind, ExportSection, Instruction, MemArg, MemorySection, MemoryType};
use wasmparser::{CodeSectionReader, ExportSectionReader, MemorySectionReader};

use crate::module::{Module, Result};

/// Bytes of a page of memory.
const PAGE: u64 = 65_536;
/// The number and the exported name of the memory that holds the marks.
const MEMORY: u32 = 1;
const NAME: &str = "marks";

/// The module with a mark at the beginning of each function: a byte for each, in a memory of their own.
///
/// # Errors
/// When the module cannot be read.
pub fn watch(module: &Module<'_>) -> Result<Vec<u8>> {
    let mut watch = Watch { next: 0, pages: (module.bodies.len() as u64).div_ceil(PAGE) };
    let mut out = wasm_encoder::Module::new();
    watch.parse_core_module(&mut out, wasmparser::Parser::new(0), module.bytes)?;
    Ok(out.finish())
}

struct Watch {
    next: u64,
    pages: u64,
}

impl Reencode for Watch {
    type Error = std::convert::Infallible;

    fn parse_memory_section(
        &mut self,
        memories: &mut MemorySection,
        section: MemorySectionReader<'_>,
    ) -> std::result::Result<(), reencode::Error> {
        reencode::utils::parse_memory_section(self, memories, section)?;
        let (minimum, maximum) = (self.pages, Some(self.pages));
        memories.memory(MemoryType { minimum, maximum, memory64: false, shared: false, page_size_log2: None });
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: ExportSectionReader<'_>,
    ) -> std::result::Result<(), reencode::Error> {
        reencode::utils::parse_export_section(self, exports, section)?;
        exports.export(NAME, ExportKind::Memory, MEMORY);
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> std::result::Result<(), reencode::Error> {
        for body in section {
            let body = body?;
            let mut function = self.new_function_with_parsed_locals(&body)?;
            function.instruction(&Instruction::I32Const(0));
            function.instruction(&Instruction::I32Const(1));
            let place = MemArg { offset: self.next, align: 0, memory_index: MEMORY };
            function.instruction(&Instruction::I32Store8(place));
            let mut reader = body.get_operators_reader()?;
            while !reader.eof() {
                function.instruction(&self.parse_instruction(&mut reader)?);
            }
            code.function(&function);
            self.next += 1;
        }
        Ok(())
    }
}
