//! What is read of a module before it is cut: its functions, their names, the table, memory, and where things stand.

use std::collections::BTreeMap;
use std::ops::Range;

use wasmparser::{ElementItems, ElementKind, FunctionBody, KnownCustom, Name, Operator, Parser, Payload, TypeRef};

/// Anything that can go wrong, in words.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// A module as `wasm-bindgen` wrote it, or as the linker did.
pub struct Module<'a> {
    /// All of its bytes.
    pub bytes: &'a [u8],
    /// How many functions are imported; they come first in the numbering of functions.
    pub imported: u32,
    /// Names of imported functions (`module`, `name`), by function.
    pub imports: Vec<(&'a str, &'a str)>,
    /// The type of every function, imported ones first.
    pub types: Vec<u32>,
    /// How many parameters each type of function has.
    pub parameters: Vec<u32>,
    /// Bodies of the functions defined here; the first is function number `imported`.
    pub bodies: Vec<FunctionBody<'a>>,
    /// The linker's names, by function.
    pub names: BTreeMap<u32, &'a str>,
    /// What stands in the first table: function by slot.
    pub table: BTreeMap<u32, u32>,
    /// How many slots the first table has.
    pub slots: u64,
    /// How many tables and globals there are.
    pub tables: u32,
    /// How many globals there are.
    pub globals: u32,
    /// What is exported: functions only.
    pub exported: Vec<u32>,
    /// The names of all exports.
    pub exports: Vec<&'a str>,
    /// Initial data of the memory: address and bytes.
    pub data: Vec<(u32, &'a [u8])>,
    /// Where the code's contents begin in `bytes`; relocations count from there.
    pub code: Range<usize>,
}

impl<'a> Module<'a> {
    /// Reads a module.
    ///
    /// # Errors
    /// When it is no module, or has something that neither `rustc` nor `wasm-bindgen` writes today (passive data, a table filled from
    /// expressions): cutting such a one would be a guess.
    pub fn read(bytes: &'a [u8]) -> Result<Module<'a>> {
        let mut module = Module {
            bytes,
            imported: 0,
            imports: Vec::new(),
            types: Vec::new(),
            parameters: Vec::new(),
            bodies: Vec::new(),
            names: BTreeMap::new(),
            table: BTreeMap::new(),
            slots: 0,
            tables: 0,
            globals: 0,
            exported: Vec::new(),
            exports: Vec::new(),
            data: Vec::new(),
            code: 0..0,
        };
        for payload in Parser::new(0).parse_all(bytes) {
            module.take(payload?)?;
        }
        module.imported = u32::try_from(module.imports.len())?;
        Ok(module)
    }

    fn take(&mut self, payload: Payload<'a>) -> Result<()> {
        match payload {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    let import = import?;
                    let TypeRef::Func(ty) = import.ty else {
                        return Err("something other than a function is imported".into());
                    };
                    self.types.push(ty);
                    self.imports.push((import.module, import.name));
                }
            }
            Payload::TypeSection(types) => {
                for ty in types.into_iter_err_on_gc_types() {
                    self.parameters.push(u32::try_from(ty?.params().len())?);
                }
            }
            Payload::FunctionSection(functions) => {
                for ty in functions {
                    self.types.push(ty?);
                }
            }
            Payload::TableSection(tables) => {
                self.tables = tables.count();
                if let Some(first) = tables.into_iter().next() {
                    self.slots = first?.ty.initial;
                }
            }
            Payload::GlobalSection(globals) => self.globals = globals.count(),
            Payload::ExportSection(exports) => {
                for export in exports {
                    let export = export?;
                    self.exports.push(export.name);
                    if export.kind == wasmparser::ExternalKind::Func {
                        self.exported.push(export.index);
                    }
                }
            }
            Payload::ElementSection(elements) => self.take_elements(elements)?,
            Payload::CodeSectionStart { range, .. } => self.code = range,
            Payload::CodeSectionEntry(body) => self.bodies.push(body),
            Payload::DataSection(data) => {
                for segment in data {
                    let segment = segment?;
                    let wasmparser::DataKind::Active { memory_index: 0, offset_expr } = segment.kind else {
                        return Err("there is passive data".into());
                    };
                    self.data.push((constant(&offset_expr)?, segment.data));
                }
            }
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(names) = section.as_known() {
                    for name in names {
                        let Name::Function(names) = name? else { continue };
                        for named in names {
                            let named = named?;
                            self.names.insert(named.index, named.name);
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn take_elements(&mut self, elements: wasmparser::ElementSectionReader<'a>) -> Result<()> {
        for element in elements {
            let element = element?;
            let ElementKind::Active { table_index, offset_expr } = element.kind else { continue };
            let ElementItems::Functions(functions) = element.items else { continue };
            if table_index.unwrap_or(0) != 0 {
                return Err("functions stand in a table other than the first".into());
            }
            for (slot, function) in (constant(&offset_expr)?..).zip(functions) {
                self.table.insert(slot, function?);
            }
        }
        Ok(())
    }

    /// All functions that a function of this module names: those that it calls and those whose address it takes.
    pub fn named_by(&self, body: &FunctionBody<'a>) -> Result<Vec<u32>> {
        let mut named = Vec::new();
        for operator in body.get_operators_reader()? {
            match operator? {
                Operator::Call { function_index }
                | Operator::ReturnCall { function_index }
                | Operator::RefFunc { function_index } => named.push(function_index),
                _ => {}
            }
        }
        Ok(named)
    }

    /// How many parameters functions of a type have.
    pub fn parameters(&self, ty: u32) -> u32 {
        self.parameters[ty as usize]
    }

    /// The number of a function that is defined here, with its body.
    pub fn defined(&self) -> impl Iterator<Item = (u32, &FunctionBody<'a>)> {
        (self.imported..).zip(&self.bodies)
    }
}

/// The value of an expression that is one constant.
fn constant(expression: &wasmparser::ConstExpr<'_>) -> Result<u32> {
    match expression.get_operators_reader().read()? {
        Operator::I32Const { value } => Ok(value.cast_unsigned()),
        other => Err(format!("an offset is no constant: {other:?}").into()),
    }
}
