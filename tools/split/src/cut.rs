//! The cut. The first part is the module with its functions numbered as before; those that went to the second part are replaced by a few
//! instructions that fetch it if need be and go on there. The second part takes memory, tables, globals and the functions
//! that it calls from the first.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use wasm_encoder::reencode::{self, Reencode};
use wasm_encoder::{
    BlockType, CodeSection, ConstExpr, CustomSection, DataSection, ElementSection, Elements, EntityType, ExportKind,
    ExportSection, Function, FunctionSection, GlobalSection, GlobalType, ImportSection, Instruction, MemoryType,
    TableSection, TableType, TypeSection, ValType,
};
use wasmparser::{CodeSectionReader, DataSectionReader, GlobalSectionReader, Parser, Payload, TableSectionReader};

use crate::module::{Module, Result};
use crate::names::Names;

/// The name under which the second part finds everything of the first.
const FIRST: &str = "first";
/// The exported global that says whether the second part is there: 0 or 1.
const THERE: &str = "second";

/// Which functions go, and the data that goes with them.
pub struct Plan<'a> {
    module: &'a Module<'a>,
    /// What imports and exports are called from now on.
    names: &'a Names<'a>,
    /// Functions of the second part.
    later: BTreeSet<u32>,
    /// Functions of the first part that the second one names.
    shared: BTreeSet<u32>,
    /// The slot of the first table through which the first part reaches a function of the second.
    slots: BTreeMap<u32, u32>,
    /// Slots that are empty until the second part fills them: only it can come to know of them.
    empty: BTreeSet<u32>,
    /// Functions of the second part that the first one calls by their number, not only through the table.
    called: BTreeSet<u32>,
    /// How many slots the first table has in the end.
    table: u64,
    /// The imported function that fetches the second part.
    fetch: u32,
    /// Data that goes: ranges of addresses, in order.
    data: Vec<Range<u32>>,
}

impl<'a> Plan<'a> {
    /// Plans the cut: the functions `later`, and the data at `data`; the addresses of functions called as in `unseen` are known to the
    /// second part alone. The function imported as `fetch` (a part of its name) is called
    /// with the number 1 when the second part is needed at once.
    ///
    /// # Errors
    /// When nothing of that name is imported, or a function cannot be read.
    pub fn new(
        module: &'a Module<'a>,
        names: &'a Names<'a>,
        mut later: BTreeSet<u32>,
        data: Vec<Range<u32>>,
        unseen: &BTreeSet<&str>,
        fetch: &str,
    ) -> Result<Self> {
        let import = module.imports.iter().position(|(_, name)| name.contains(fetch));
        let import = import.ok_or_else(|| format!("no function named {fetch} is imported"))?;
        for exported in &module.exported {
            later.remove(exported);
        }
        let (mut shared, mut called) = (BTreeSet::new(), BTreeSet::new());
        for (function, body) in module.defined() {
            let named = module.named_by(body)?.into_iter();
            if later.contains(&function) {
                shared.extend(named.filter(|named| !later.contains(named)));
            } else {
                called.extend(named.filter(|named| later.contains(named)));
            }
        }
        let in_table = module.table.iter().filter(|(_, function)| later.contains(function));
        let is_unseen = |function: &u32| module.names.get(function).is_some_and(|name| unseen.contains(name));
        let (empty, seen): (Vec<_>, Vec<_>) =
            in_table.partition(|(_, function)| is_unseen(function) && !called.contains(function));
        let empty = empty.into_iter().map(|(slot, _)| *slot).collect();
        let mut slots: BTreeMap<u32, u32> = seen.into_iter().map(|(slot, function)| (*function, *slot)).collect();
        let mut table = u32::try_from(module.slots)?;
        for function in &called {
            slots.entry(*function).or_insert_with(|| {
                table += 1;
                table - 1
            });
        }
        let fetch = u32::try_from(import)?;
        Ok(Plan { module, names, later, shared, slots, empty, called, table: table.into(), fetch, data })
    }

    /// The first part.
    ///
    /// # Errors
    /// When the module cannot be read.
    pub fn first(&self) -> Result<Vec<u8>> {
        let mut out = wasm_encoder::Module::new();
        First { plan: self, next: self.module.imported }.parse_core_module(
            &mut out,
            Parser::new(0),
            self.module.bytes,
        )?;
        Ok(out.finish())
    }

    /// The second part.
    ///
    /// # Errors
    /// When the module cannot be read.
    pub fn second(&self) -> Result<Vec<u8>> {
        let mut numbers = BTreeMap::new();
        for function in self.shared.iter().chain(&self.later) {
            numbers.insert(*function, u32::try_from(numbers.len())?);
        }
        let mut second = Second { numbers };
        let (mut types, mut imports) = (TypeSection::new(), ImportSection::new());
        let mut features = None;
        for function in &self.shared {
            imports.import(FIRST, &short(*function), EntityType::Function(self.module.types[*function as usize]));
        }
        for payload in Parser::new(0).parse_all(self.module.bytes) {
            match payload? {
                Payload::TypeSection(section) => second.parse_type_section(&mut types, section)?,
                Payload::TableSection(section) => {
                    for (number, table) in section.into_iter().enumerate() {
                        let ty = second.table_type(table?.ty)?;
                        let maximum = if number == 0 { ty.maximum.map(|_| self.table) } else { ty.maximum };
                        imports.import(FIRST, &format!("t{number}"), TableType { maximum, ..ty });
                    }
                }
                Payload::MemorySection(section) => {
                    for memory in section {
                        let ty: MemoryType = second.memory_type(memory?)?;
                        imports.import(FIRST, "memory", ty);
                    }
                }
                Payload::GlobalSection(section) => {
                    for (number, global) in section.into_iter().enumerate() {
                        let ty: GlobalType = second.global_type(global?.ty)?;
                        imports.import(FIRST, &format!("g{number}"), ty);
                    }
                }
                Payload::CustomSection(section) if section.name() == "target_features" => {
                    features = Some(section.data());
                }
                _ => {}
            }
        }
        let mut out = wasm_encoder::Module::new();
        out.section(&types).section(&imports).section(&self.functions()).section(&self.elements());
        out.section(&self.code(&mut second)?).section(&self.moved());
        if let Some(data) = features {
            out.section(&CustomSection { name: "target_features".into(), data: data.into() });
        }
        Ok(out.finish())
    }

    fn functions(&self) -> FunctionSection {
        let mut functions = FunctionSection::new();
        for function in &self.later {
            functions.function(self.module.types[*function as usize]);
        }
        functions
    }

    /// Puts the functions of the second part into their slots of the table.
    fn elements(&self) -> ElementSection {
        let first = u32::try_from(self.shared.len()).unwrap_or(u32::MAX);
        let place: BTreeMap<u32, u32> = self.later.iter().copied().zip(first..).collect();
        let mut of_slot: BTreeMap<u32, u32> =
            self.module.table.iter().filter_map(|(slot, function)| Some((*slot, *place.get(function)?))).collect();
        of_slot.extend(self.slots.iter().map(|(function, slot)| (*slot, place[function])));
        let mut elements = ElementSection::new();
        let mut row: (u32, Vec<u32>) = (0, Vec::new());
        for (slot, function) in of_slot {
            push(&mut elements, &mut row, slot, function);
        }
        fill(&mut elements, &mut row);
        elements
    }

    fn code(&self, second: &mut Second) -> Result<CodeSection> {
        let mut code = CodeSection::new();
        for (function, body) in self.module.defined() {
            if self.later.contains(&function) {
                second.parse_function_body(&mut code, body.clone())?;
            }
        }
        Ok(code)
    }

    /// The data of the second part.
    fn moved(&self) -> DataSection {
        let mut out = DataSection::new();
        for (address, bytes) in &self.module.data {
            for (from, to) in
                self.pieces(*address, bytes.len()).filter(|piece| piece.2).map(|piece| (piece.0, piece.1))
            {
                out.active(0, &ConstExpr::i32_const(place(*address, from)), bytes[from..to].iter().copied());
            }
        }
        out
    }

    /// A segment cut into pieces: from, to, and whether the piece goes.
    fn pieces(&self, address: u32, len: usize) -> impl Iterator<Item = (usize, usize, bool)> {
        let mut pieces = Vec::new();
        let mut at = 0;
        let end = address as usize + len;
        for range in &self.data {
            let (from, to) = (range.start as usize, range.end as usize);
            if from < address as usize || to > end {
                continue;
            }
            let (from, to) = (from - address as usize, to - address as usize);
            if from > at {
                pieces.push((at, from, false));
            }
            if to > at {
                pieces.push((from.max(at), to, true));
                at = to;
            }
        }
        if at < len {
            pieces.push((at, len, false));
        }
        pieces.into_iter()
    }

    /// What stands in the first part for a function of the second.
    fn doorstep(&self, function: u32, slot: u32) -> Function {
        let mut out = Function::new([]);
        // One that is only reached through the table is reached here once: then its slot holds the function itself.
        let check = self.called.contains(&function);
        if check {
            out.instruction(&Instruction::GlobalGet(self.module.globals));
            out.instruction(&Instruction::I32Eqz);
            out.instruction(&Instruction::If(BlockType::Empty));
        }
        out.instruction(&Instruction::I32Const(1));
        out.instruction(&Instruction::Call(self.fetch));
        if check {
            out.instruction(&Instruction::End);
        }
        let type_index = self.module.types[function as usize];
        for parameter in 0..self.module.parameters(type_index) {
            out.instruction(&Instruction::LocalGet(parameter));
        }
        out.instruction(&Instruction::I32Const(slot.cast_signed()));
        out.instruction(&Instruction::CallIndirect { type_index, table_index: 0 });
        out.instruction(&Instruction::End);
        out
    }
}

/// Puts a function into a row of slots, or begins another.
fn push(elements: &mut ElementSection, row: &mut (u32, Vec<u32>), slot: u32, function: u32) {
    if row.0 + u32::try_from(row.1.len()).unwrap_or(u32::MAX) != slot {
        fill(elements, row);
        row.0 = slot;
    }
    row.1.push(function);
}

fn fill(elements: &mut ElementSection, row: &mut (u32, Vec<u32>)) {
    if !row.1.is_empty() {
        let functions = Elements::Functions(std::mem::take(&mut row.1).into());
        elements.active(None, &ConstExpr::i32_const(row.0.cast_signed()), functions);
    }
}

fn place(address: u32, offset: usize) -> i32 {
    address.wrapping_add(u32::try_from(offset).unwrap_or(u32::MAX)).cast_signed()
}

/// The name under which a function of the first part is exported to the second: as short as may be, for there are thousands.
fn short(function: u32) -> String {
    format!("{function:x}")
}

/// Writes the first part.
struct First<'a> {
    plan: &'a Plan<'a>,
    next: u32,
}

impl Reencode for First<'_> {
    type Error = std::convert::Infallible;

    fn parse_table_section(
        &mut self,
        tables: &mut TableSection,
        section: TableSectionReader<'_>,
    ) -> std::result::Result<(), reencode::Error> {
        for (number, table) in section.into_iter().enumerate() {
            let ty: TableType = self.table_type(table?.ty)?;
            let (minimum, maximum) = (self.plan.table, ty.maximum.map(|_| self.plan.table));
            tables.table(if number == 0 { TableType { minimum, maximum, ..ty } } else { ty });
        }
        Ok(())
    }

    fn parse_element_section(
        &mut self,
        elements: &mut ElementSection,
        _: wasmparser::ElementSectionReader<'_>,
    ) -> std::result::Result<(), reencode::Error> {
        let mut row: (u32, Vec<u32>) = (0, Vec::new());
        for (slot, function) in self.plan.module.table.iter().filter(|(slot, _)| !self.plan.empty.contains(slot)) {
            push(elements, &mut row, *slot, *function);
        }
        fill(elements, &mut row);
        Ok(())
    }

    fn parse_global_section(
        &mut self,
        globals: &mut GlobalSection,
        section: GlobalSectionReader<'_>,
    ) -> std::result::Result<(), reencode::Error> {
        reencode::utils::parse_global_section(self, globals, section)?;
        globals.global(GlobalType { val_type: ValType::I32, mutable: true, shared: false }, &ConstExpr::i32_const(0));
        Ok(())
    }

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        section: wasmparser::ImportSectionReader<'_>,
    ) -> std::result::Result<(), reencode::Error> {
        let names = self.plan.names;
        for import in section.into_imports() {
            let import = import?;
            let ty = self.entity_type(import.ty)?;
            imports.import(names.module(import.module), names.short(import.name), ty);
        }
        Ok(())
    }

    fn parse_export(
        &mut self,
        exports: &mut ExportSection,
        export: wasmparser::Export<'_>,
    ) -> std::result::Result<(), reencode::Error> {
        reencode::utils::parse_export(
            self,
            exports,
            wasmparser::Export { name: self.plan.names.short(export.name), ..export },
        )
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: wasmparser::ExportSectionReader<'_>,
    ) -> std::result::Result<(), reencode::Error> {
        reencode::utils::parse_export_section(self, exports, section)?;
        for function in &self.plan.shared {
            exports.export(&short(*function), ExportKind::Func, *function);
        }
        for table in 0..self.plan.module.tables {
            exports.export(&format!("t{table}"), ExportKind::Table, table);
        }
        for global in 0..self.plan.module.globals {
            exports.export(&format!("g{global}"), ExportKind::Global, global);
        }
        exports.export(THERE, ExportKind::Global, self.plan.module.globals);
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> std::result::Result<(), reencode::Error> {
        for body in section {
            let function = self.next;
            self.next += 1;
            match self.plan.slots.get(&function) {
                Some(slot) => _ = code.function(&self.plan.doorstep(function, *slot)),
                // nobody in the first part knows it, so the optimiser takes it out; it keeps the numbers of the others
                None if self.plan.later.contains(&function) => {
                    let mut nothing = Function::new([]);
                    nothing.instruction(&Instruction::Unreachable);
                    nothing.instruction(&Instruction::End);
                    code.function(&nothing);
                }
                None => self.parse_function_body(code, body?)?,
            }
        }
        Ok(())
    }

    fn parse_data_section(
        &mut self,
        data: &mut DataSection,
        _: DataSectionReader<'_>,
    ) -> std::result::Result<(), reencode::Error> {
        for (address, bytes) in &self.plan.module.data {
            for (from, to, goes) in self.plan.pieces(*address, bytes.len()) {
                if !goes {
                    data.active(0, &ConstExpr::i32_const(place(*address, from)), bytes[from..to].iter().copied());
                }
            }
        }
        Ok(())
    }

    fn data_count(&mut self, _: u32) -> std::result::Result<u32, reencode::Error> {
        let segments = self.plan.module.data.iter();
        let stay =
            segments.flat_map(|(address, bytes)| self.plan.pieces(*address, bytes.len())).filter(|piece| !piece.2);
        Ok(u32::try_from(stay.count()).unwrap_or(u32::MAX))
    }

    fn parse_custom_section(
        &mut self,
        module: &mut wasm_encoder::Module,
        section: wasmparser::CustomSectionReader<'_>,
    ) -> std::result::Result<(), reencode::Error> {
        // names, the linker's notes: nobody needs them any more
        if section.name() == "target_features" {
            reencode::utils::parse_custom_section(self, module, section)?;
        }
        Ok(())
    }
}

/// Writes the second part: functions have other numbers there.
struct Second {
    numbers: BTreeMap<u32, u32>,
}

impl Reencode for Second {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, function: u32) -> std::result::Result<u32, reencode::Error> {
        Ok(self.numbers.get(&function).copied().unwrap_or(u32::MAX))
    }
}
