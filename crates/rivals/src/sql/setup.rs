//! A setup of databases and clients: `{"systems": {"sql": {"engine": "mariadb", …}}}`.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::rc::Rc;

use crate::base::json::{Json, Read, ReadError, ValueError, at_most, out_of_range, short, within};
use crate::base::limits::MAX_DURATION_US;
use crate::base::{Arrange, Micros, ServerId};
use crate::daemon::{Place, System};

use super::client::program::Program;
use super::client::{self, Client};
use super::engine::{Engine, Variables};
use super::op::{MAX_NAME, MAX_PARTS, one_of, pairs};
use super::server::{self, Server};
use super::table::{Kind, TableDef, Values};
use super::value::Value;

/// Most databases: as many as there are numbers for.
const MAX_SERVERS: usize = 4;
/// Most clients.
const MAX_CLIENTS: usize = 12;
const MAX_TABLES: usize = 8;
const MAX_ROWS: usize = 100;

/// A database of a setup: D1, D2, … in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SqlServer {
    /// Of which database it is a replica, by number.
    pub replica_of: Option<u8>,
    /// What differs from the engine's defaults.
    pub config: Variables,
}

/// A client of a setup: C1, C2, … in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SqlClient {
    /// The databases that it tries, by number, in this order.
    pub servers: Vec<u8>,
    /// Whether it connects when it starts.
    pub connect: bool,
    /// How long its program waits for an answer, ms.
    pub timeout_ms: u64,
    /// What it does; nothing where it only waits for what is typed.
    pub program: Option<Rc<Program>>,
}

impl Default for SqlClient {
    fn default() -> SqlClient {
        SqlClient { servers: vec![1], connect: true, timeout_ms: 5_000, program: None }
    }
}

/// Databases and their clients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sql {
    /// Which database they all are.
    pub engine: Engine,
    /// The tables, with their rows at the beginning; those of the recipes where nothing is said.
    pub tables: Vec<TableDef>,
    /// The databases.
    pub servers: Vec<SqlServer>,
    /// The clients.
    pub clients: Vec<SqlClient>,
    /// After how long a replica dials its source again, ms.
    pub reconnect_ms: u64,
}

impl Sql {
    /// The tables that the recipes use: those of a setup that names none.
    pub fn recipe_tables() -> Vec<TableDef> {
        let table = |name: &str, columns: &[(&str, Kind)], unique: Vec<usize>, rows: Vec<Values>| TableDef {
            name: name.into(),
            columns: columns.iter().map(|(name, kind)| (name.to_string(), *kind)).collect(),
            primary_key: Some(0),
            unique,
            index: Vec::new(),
            rows,
        };
        let numbers = |numbers: &[i64]| numbers.iter().copied().map(Value::Int).collect::<Values>();
        let (serial, int, text, time) = (Kind::Serial, Kind::Int, Kind::Text, Kind::Time);
        let lock = [("id", serial), ("unique_mutex", text), ("holder_id", text), ("created", time)];
        let names = vec![vec![Value::text("m"), Value::Null]];
        let resource = [("id", int), ("val", int), ("version", int), ("writer", Kind::OptionalText)];
        vec![
            table("account", &[("id", int), ("val", int)], vec![], vec![numbers(&[1, 100]), numbers(&[2, 100])]),
            table("distributed_lock", &lock, vec![1], vec![]),
            table("lock_name", &[("name", text), ("holder", Kind::OptionalText)], vec![], names),
            table("resource", &resource, vec![], vec![[numbers(&[1, 0, 0]), vec![Value::Null]].concat()]),
        ]
    }
}

impl System for Sql {
    fn check(&self) -> Result<(), ReadError> {
        within("servers", self.servers.len() as u64, 1, MAX_SERVERS as u64)?;
        at_most("clients", self.clients.len(), MAX_CLIENTS)?;
        at_most("tables", self.tables.len(), MAX_TABLES)?;
        within("reconnect_ms", self.reconnect_ms, 1, MAX_DURATION_US / 1000)?;
        let count = self.servers.len() as u64;
        for (at, server) in self.servers.iter().enumerate() {
            let place = format!("servers[{at}]");
            let checked = server.config.check(self.engine).map_err(|read_error| read_error.within("config"));
            checked.map_err(|read_error| read_error.within(&place))?;
            if let Some(source) = server.replica_of {
                within("replica_of", source.into(), 1, count).map_err(|read_error| read_error.within(&place))?;
                if usize::from(source) == at + 1 {
                    return Err(out_of_range(source, 1, count).within("replica_of").within(&place));
                }
            }
        }
        for (at, client) in self.clients.iter().enumerate() {
            client.check(count).map_err(|read_error| read_error.within(&format!("clients[{at}]")))?;
        }
        self.tables.iter().try_for_each(|table| {
            check_table(table).map_err(|read_error| read_error.within(&table.name).within("tables"))
        })
    }

    fn place(&self, world: &mut impl Place) {
        let tables = Rc::new(self.tables.clone());
        for (n, server) in (1..).zip(&self.servers) {
            let config = server::Config {
                engine: self.engine,
                tables: tables.clone(),
                variables: server.config.clone(),
                replica_of: server.replica_of.map(|source| ServerId::nth("D", source)),
                has_replicas: self.servers.iter().any(|other| other.replica_of == Some(n)),
                reconnect_us: self.reconnect_ms * 1000,
            };
            world.put::<Server>(ServerId::nth("D", n), config);
        }
        for (n, client) in (1..).zip(&self.clients) {
            let config = client::Config {
                engine: self.engine,
                servers: client.servers.iter().map(|server| ServerId::nth("D", *server)).collect(),
                connects: client.connect,
                timeout_us: client.timeout_ms * 1000,
                program: client.program.clone(),
            };
            world.put::<Client>(ServerId::nth("C", n), config);
        }
    }
}

impl SqlClient {
    fn check(&self, servers: u64) -> Result<(), ReadError> {
        within("servers", self.servers.len() as u64, 1, MAX_SERVERS as u64)?;
        for server in &self.servers {
            within("servers", (*server).into(), 1, servers)?;
        }
        let most: Micros = MAX_DURATION_US / 1000;
        within("timeout_ms", self.timeout_ms, 1, most)
    }
}

/// A table's names, keys and rows fit together.
fn check_table(table: &TableDef) -> Result<(), ReadError> {
    let is_name = |name: &str| {
        let letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        name.bytes().all(letter) && name.bytes().next().is_some_and(|first| !first.is_ascii_digit())
    };
    within("columns", table.columns.len() as u64, 1, MAX_PARTS as u64)?;
    for name in std::iter::once(&table.name).chain(table.columns.iter().map(|(name, _)| name)) {
        short("name", name, MAX_NAME)?;
        if !is_name(name) {
            return Err(ReadError::unknown("name", name));
        }
    }
    at_most("rows", table.rows.len(), MAX_ROWS)?;
    for index in (0..table.indexes()).filter(|index| table.is_unique(*index)) {
        let column = table.index_column(index).unwrap_or(0);
        let mut keys: Vec<&Value> = table.rows.iter().filter_map(|row| row.get(column)).collect();
        keys.retain(|key| **key != Value::Null);
        keys.arrange();
        let all = keys.len();
        keys.dedup();
        within("rows", keys.len() as u64, all as u64, all as u64)?;
    }
    Ok(())
}

/// A table as JSON, without its name.
struct Made(TableDef);

impl Read for Made {
    fn read(json: Json) -> Result<Made, ReadError> {
        let mut fields = json.fields()?;
        let columns: Columns = fields.need("columns")?;
        let of = |name: &String| {
            let column = columns.0.iter().position(|(column, _)| column == name);
            column.ok_or_else(|| ReadError::unknown_name(name, Vec::new()))
        };
        let all = |names: Vec<String>| names.iter().map(of).collect::<Result<Vec<usize>, ReadError>>();
        let key = fields.or::<Option<String>>("primary_key", None)?;
        let primary_key = key.as_ref().map(of).transpose().map_err(|read_error| read_error.within("primary_key"))?;
        let unique = all(fields.or("unique", Vec::new())?).map_err(|read_error| read_error.within("unique"))?;
        let index = all(fields.or("index", Vec::new())?).map_err(|read_error| read_error.within("index"))?;
        let rows = fields.or::<Vec<Cells>>("rows", Vec::new())?;
        fields.end()?;
        let mut made =
            TableDef { name: String::new(), columns: columns.0, primary_key, unique, index, rows: Vec::new() };
        at_most("rows", rows.len(), MAX_ROWS)?;
        for (at, Cells(row)) in rows.into_iter().enumerate() {
            let values = row_of(&made, row).map_err(|read_error| read_error.within(&format!("rows[{at}]")))?;
            made.rows.push(values);
        }
        Ok(Made(made))
    }
}

/// A row of a setup: missing columns are as an INSERT leaves them.
fn row_of(table: &TableDef, row: Vec<(String, Value)>) -> Result<Values, ReadError> {
    if let Some((name, _)) = row.iter().find(|(name, _)| table.column(name).is_none()) {
        return Err(ReadError::new(ValueError::UnknownField { field: name.clone(), known: Vec::new() }));
    }
    let value = |(name, kind): &(String, Kind)| {
        let said = row.iter().find(|(column, _)| column == name).map(|(_, value)| value.clone());
        said.unwrap_or(match kind {
            Kind::OptionalText => Value::Null,
            Kind::Text => Value::text(""),
            Kind::Serial | Kind::Int | Kind::Time => Value::Int(0),
        })
    };
    Ok(table.columns.iter().map(value).collect())
}

struct Columns(Vec<(String, Kind)>);

impl Read for Columns {
    fn read(json: Json) -> Result<Columns, ReadError> {
        let all = pairs::<String>(json, MAX_PARTS)?;
        let kind = |(name, kind): (String, String)| {
            let kind = one_of(&kind, &Kind::ALL).map_err(|read_error| read_error.within(&name))?;
            Ok((name, kind))
        };
        all.into_iter().map(kind).collect::<Result<_, _>>().map(Columns)
    }
}

struct Cells(Vec<(String, Value)>);

impl Read for Cells {
    fn read(json: Json) -> Result<Cells, ReadError> {
        pairs(json, MAX_PARTS).map(Cells)
    }
}

struct Tables(Vec<TableDef>);

impl Read for Tables {
    fn read(json: Json) -> Result<Tables, ReadError> {
        let named = |(name, Made(table)): (String, Made)| TableDef { name, ..table };
        Ok(Tables(pairs::<Made>(json, MAX_TABLES)?.into_iter().map(named).collect()))
    }
}

impl Read for SqlServer {
    fn read(json: Json) -> Result<SqlServer, ReadError> {
        let mut fields = json.fields()?;
        let server = SqlServer {
            replica_of: fields.or("replica_of", None)?,
            config: fields.or("config", Variables::default())?,
        };
        fields.end().map(|()| server)
    }
}

impl Read for SqlClient {
    fn read(json: Json) -> Result<SqlClient, ReadError> {
        let (mut fields, default) = (json.fields()?, SqlClient::default());
        let client = SqlClient {
            servers: fields.or("servers", default.servers)?,
            connect: fields.or("connect", default.connect)?,
            timeout_ms: fields.or("timeout_ms", default.timeout_ms)?,
            program: fields.or::<Option<Program>>("program", None)?.map(Rc::new),
        };
        fields.end().map(|()| client)
    }
}

impl Read for Sql {
    fn read(json: Json) -> Result<Sql, ReadError> {
        let mut fields = json.fields()?;
        let sql = Sql {
            engine: fields.need("engine")?,
            tables: fields.or("tables", Tables(Sql::recipe_tables()))?.0,
            servers: fields.or("servers", vec![SqlServer::default()])?,
            clients: fields.or("clients", Vec::new())?,
            reconnect_ms: fields.or("reconnect_ms", 1_000)?,
        };
        fields.end().map(|()| sql)
    }
}

impl Serialize for SqlServer {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(None)?;
        if let Some(source) = self.replica_of {
            map.serialize_entry("replica_of", &source)?;
        }
        if !self.config.0.is_empty() {
            map.serialize_entry("config", &self.config.0)?;
        }
        map.end()
    }
}

impl Serialize for SqlClient {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let (mut map, default) = (s.serialize_map(None)?, SqlClient::default());
        if self.servers != default.servers {
            map.serialize_entry("servers", &self.servers)?;
        }
        if self.connect != default.connect {
            map.serialize_entry("connect", &self.connect)?;
        }
        if self.timeout_ms != default.timeout_ms {
            map.serialize_entry("timeout_ms", &self.timeout_ms)?;
        }
        if let Some(program) = &self.program {
            map.serialize_entry("program", &**program)?;
        }
        map.end()
    }
}

impl Serialize for TableDef {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let name_of = |kind: Kind| Kind::ALL.iter().find(|(_, other)| *other == kind).map_or("", |(name, _)| name);
        let name = |column: usize| self.columns.get(column).map_or("", |(name, _)| name.as_str());
        let names = |columns: &[usize]| columns.iter().map(|column| name(*column)).collect::<Vec<_>>();
        let columns: Pairs<&str> = Pairs(self.columns.iter().map(|(name, kind)| (name, name_of(*kind))).collect());
        let mut map = s.serialize_map(None)?;
        map.serialize_entry("columns", &columns)?;
        if let Some(key) = self.primary_key {
            map.serialize_entry("primary_key", name(key))?;
        }
        if !self.unique.is_empty() {
            map.serialize_entry("unique", &names(&self.unique))?;
        }
        if !self.index.is_empty() {
            map.serialize_entry("index", &names(&self.index))?;
        }
        if !self.rows.is_empty() {
            let row = |values: &Values| {
                Pairs(self.columns.iter().map(|(name, _)| name).zip(values.iter().cloned()).collect())
            };
            map.serialize_entry("rows", &self.rows.iter().map(row).collect::<Vec<_>>())?;
        }
        map.end()
    }
}

/// Names with something each, as a list of two each: whoever packs a run may put the fields of an object into another order.
struct Pairs<'a, T>(Vec<(&'a String, T)>);

impl<T: Serialize> Serialize for Pairs<'_, T> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(&self.0)
    }
}

impl Serialize for Sql {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(None)?;
        map.serialize_entry("engine", self.engine.name())?;
        if self.tables != Sql::recipe_tables() {
            let tables = Pairs(self.tables.iter().map(|table| (&table.name, table)).collect());
            map.serialize_entry("tables", &tables)?;
        }
        map.serialize_entry("servers", &self.servers)?;
        map.serialize_entry("clients", &self.clients)?;
        map.serialize_entry("reconnect_ms", &self.reconnect_ms)?;
        map.end()
    }
}
