//! What the linker knows: which pieces of data and which functions' addresses each function names, and each piece of data.
//! `wasm-ld --emit-relocs` writes it down.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use wasmparser::{
    BinaryReader, KnownCustom, Linking, LinkingSectionReader, Parser, Payload, RelocSectionReader, RelocationType,
    SymbolInfo,
};

use crate::module::{Module, Result};

/// The pieces of data of a linked module, and who names them.
pub struct Linked<'a> {
    /// Address and size of each symbol in memory; nothing for symbols that are no data.
    symbols: Vec<Option<Range<u32>>>,
    /// The name of each symbol that is a function.
    functions: Vec<Option<&'a str>>,
    /// The symbols that a function names, by the function's name.
    by_function: BTreeMap<&'a str, BTreeSet<u32>>,
    /// The symbols that a symbol's bytes point to.
    by_symbol: BTreeMap<u32, BTreeSet<u32>>,
    /// The functions whose addresses a function names.
    pointed_by_function: BTreeMap<&'a str, BTreeSet<&'a str>>,
    /// The functions whose addresses stand in a symbol's bytes.
    pointed_by_symbol: BTreeMap<u32, BTreeSet<&'a str>>,
    /// Those whose addresses stand in bytes of no symbol.
    pointed_by_any: BTreeSet<&'a str>,
}

impl<'a> Linked<'a> {
    /// Reads what `cargo build` wrote, before `wasm-bindgen`.
    ///
    /// # Errors
    /// When it was linked without `--emit-relocs`, or cannot be read.
    pub fn read(bytes: &'a [u8]) -> Result<Linked<'a>> {
        let module = Module::read(bytes)?;
        let mut linked = Linked {
            symbols: Vec::new(),
            functions: Vec::new(),
            by_function: BTreeMap::new(),
            by_symbol: BTreeMap::new(),
            pointed_by_function: BTreeMap::new(),
            pointed_by_symbol: BTreeMap::new(),
            pointed_by_any: BTreeSet::new(),
        };
        let mut segments: Vec<(Range<usize>, u32)> = Vec::new();
        let mut data_start = 0;
        let mut relocations: Vec<(&str, BinaryReader<'a>)> = Vec::new();
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::DataSection(data) => {
                    data_start = data.range().start;
                    for (segment, (address, contents)) in data.into_iter().zip(&module.data) {
                        let end = segment?.range.end;
                        segments.push((end - contents.len()..end, *address));
                    }
                }
                Payload::CustomSection(section) if section.name().starts_with("reloc.") => {
                    relocations.push((section.name(), BinaryReader::new(section.data(), section.data_offset())));
                }
                Payload::CustomSection(section) => {
                    if let KnownCustom::Linking(linking) = section.as_known() {
                        linked.take_symbols(&linking, &module)?;
                    }
                }
                _ => {}
            }
        }
        if linked.symbols.is_empty() || relocations.is_empty() {
            return Err("the module was linked without --emit-relocs".into());
        }
        for (name, reader) in relocations {
            match name {
                "reloc.CODE" => linked.take_code(&module, reader)?,
                "reloc.DATA" => linked.take_data(&segments, data_start, reader)?,
                _ => {}
            }
        }
        Ok(linked)
    }

    fn take_symbols(&mut self, linking: &LinkingSectionReader<'a>, module: &Module<'a>) -> Result<()> {
        for subsection in linking.subsections() {
            let Linking::SymbolTable(table) = subsection? else { continue };
            for symbol in table {
                let (mut data, mut function) = (None, None);
                match symbol? {
                    SymbolInfo::Data { symbol: Some(at), .. } => {
                        let segment = module.data.get(at.index as usize).map(|(address, _)| address + at.offset);
                        data = segment.map(|address| address..address + at.size);
                    }
                    SymbolInfo::Func { index, .. } => function = module.names.get(&index).copied(),
                    _ => {}
                }
                self.symbols.push(data);
                self.functions.push(function);
            }
        }
        Ok(())
    }

    /// Relocations of code: the function in which each stands names its symbol.
    fn take_code(&mut self, module: &Module<'a>, reader: BinaryReader<'a>) -> Result<()> {
        let mut bodies = module.defined().peekable();
        for entry in entries(reader)? {
            let (place, symbol, pointer) = entry?;
            let place = module.code.start + place;
            while bodies.next_if(|(_, body)| body.range().end <= place).is_some() {}
            let Some((function, _)) = bodies.peek().filter(|(_, body)| body.range().contains(&place)) else {
                return Err("a relocation stands in no function".into());
            };
            let name = module.names.get(function).copied().unwrap_or_default();
            if self.is_data(symbol) {
                self.by_function.entry(name).or_default().insert(symbol);
            } else if let Some(function) = self.function(symbol).filter(|_| pointer) {
                self.pointed_by_function.entry(name).or_default().insert(function);
            }
        }
        Ok(())
    }

    /// Relocations of data: the symbol whose bytes hold each points to its symbol.
    fn take_data(&mut self, segments: &[(Range<usize>, u32)], start: usize, reader: BinaryReader<'a>) -> Result<()> {
        let mut by_address: Vec<(Range<u32>, u32)> = Vec::new();
        for (number, symbol) in (0u32..).zip(&self.symbols) {
            by_address.extend(symbol.clone().filter(|range| !range.is_empty()).map(|range| (range, number)));
        }
        by_address.sort_by_key(|(range, _)| range.start);
        for entry in entries(reader)? {
            let (place, target, pointer) = entry?;
            let place = start + place;
            let Some((bytes, address)) = segments.iter().find(|(bytes, _)| bytes.contains(&place)) else {
                return Err("a relocation stands in no data".into());
            };
            let address = address + u32::try_from(place - bytes.start)?;
            let function = self.function(target).filter(|_| pointer);
            if !self.is_data(target) && function.is_none() {
                continue;
            }
            // several symbols may share bytes: all that hold this address
            let end = by_address.partition_point(|(range, _)| range.start <= address);
            let holders = by_address[..end].iter().rev().take(8).filter(|(range, _)| range.contains(&address));
            let mut known = false;
            for (_, holder) in holders {
                known = true;
                match function {
                    Some(function) => self.pointed_by_symbol.entry(*holder).or_default().insert(function),
                    None => self.by_symbol.entry(*holder).or_default().insert(target),
                };
            }
            self.pointed_by_any.extend(function.filter(|_| !known));
        }
        Ok(())
    }

    fn is_data(&self, symbol: u32) -> bool {
        self.symbols.get(symbol as usize).is_some_and(Option::is_some)
    }

    /// The function that a symbol is.
    fn function(&self, symbol: u32) -> Option<&'a str> {
        self.functions.get(symbol as usize).copied().flatten()
    }

    /// The symbols that functions chosen by `which` name, by themselves or through others.
    fn reached(&self, which: impl Fn(&str) -> bool) -> BTreeSet<u32> {
        let named = self.by_function.iter().filter(|(name, _)| which(name));
        let mut open: Vec<u32> = named.flat_map(|(_, symbols)| symbols).copied().collect();
        let mut reached: BTreeSet<u32> = BTreeSet::new();
        while let Some(symbol) = open.pop() {
            if reached.insert(symbol) {
                open.extend(self.by_symbol.get(&symbol).into_iter().flatten());
            }
        }
        reached
    }

    /// The functions whose addresses only functions chosen by `later` can come to know, from themselves or from data.
    pub fn pointed_only_by(&self, later: impl Fn(&str) -> bool) -> BTreeSet<&'a str> {
        let by_code = self.pointed_by_function.iter().filter(|(name, _)| !later(name)).map(|(_, pointed)| pointed);
        let ours = self.reached(|name| !later(name));
        let by_data =
            self.pointed_by_symbol.iter().filter(|(symbol, _)| ours.contains(symbol)).map(|(_, pointed)| pointed);
        let pointed: BTreeSet<&str> =
            by_code.chain(by_data).chain([&self.pointed_by_any]).flatten().copied().collect();
        self.functions.iter().flatten().copied().filter(|name| !pointed.contains(name)).collect()
    }

    /// The data that only functions chosen by `later` name, by themselves or through other data: ranges of addresses, in order.
    pub fn only_for(&self, later: impl Fn(&str) -> bool) -> Vec<Range<u32>> {
        let (theirs, ours) = (self.reached(&later), self.reached(|name| !later(name)));
        let range = |symbol: &u32| self.symbols[*symbol as usize].clone();
        let mut ranges: Vec<Range<u32>> = theirs.difference(&ours).filter_map(range).collect();
        ranges.sort_by_key(|range| range.start);
        // What any symbol that stays shares with these stays. Ranges hardly overlap, so a look at the neighbours is enough.
        let mut kept: Vec<Range<u32>> = ours.iter().filter_map(range).filter(|range| !range.is_empty()).collect();
        kept.sort_by_key(|range| range.start);
        ranges.retain(|range| {
            let before = kept.partition_point(|kept| kept.start < range.end);
            !range.is_empty() && !kept[before.saturating_sub(64)..before].iter().any(|kept| kept.end > range.start)
        });
        ranges
    }
}

/// Place (within the section) and symbol of each relocation, and whether it stands for a function's place in the table.
fn entries<'a>(reader: BinaryReader<'a>) -> Result<impl Iterator<Item = Result<(usize, u32, bool)>> + 'a> {
    let section = RelocSectionReader::new(reader)?;
    Ok(section.entries().into_iter().map(|entry| {
        let entry = entry?;
        use RelocationType as R;
        let pointer = matches!(entry.ty, R::TableIndexSleb | R::TableIndexI32 | R::TableIndexRelSleb);
        Ok((entry.offset as usize, entry.index, pointer))
    }))
}
