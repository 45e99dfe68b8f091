//! The statements of SQL that are known here, as they are typed: those that the recordings use, in the words of both
//! engines. What else SQL offers (expressions, joins, subqueries) is refused as a mistake.

use super::engine::Engine;
use super::op::{ALL_COLUMNS, Act, Cond, Isolation, MAX_NAME, MAX_PARTS, Op, RowLock, SetTo, Setting, Wait};
use super::token::{Token, tokens};
use super::value::Value;

/// What is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoStatement(pub String);

type Parsed<T> = Result<T, NoStatement>;

/// Reads a line.
///
/// # Errors
/// The part that is not understood.
pub fn parse(engine: Engine, line: &str) -> Parsed<Op> {
    let mut parts = Parts { tokens: tokens(line)?, at: 0, mariadb: engine == Engine::MariaDb };
    let op = parts.statement()?;
    parts.sign(";");
    if parts.at < parts.tokens.len() { Err(parts.wrong()) } else { Ok(op) }
}

/// The parts of a line, as far as they are not read.
struct Parts {
    tokens: Vec<Token>,
    at: usize,
    mariadb: bool,
}

impl Parts {
    fn wrong(&self) -> NoStatement {
        NoStatement(match self.tokens.get(self.at) {
            None => "end of line".into(),
            Some(Token::Word(text) | Token::Sign(text)) => text.clone(),
            Some(Token::Number(number)) => number.to_string(),
            Some(Token::Text(text)) => format!("'{text}'"),
        })
    }

    /// Takes these words, if they come next.
    fn words(&mut self, words: &str) -> bool {
        let all: Vec<&str> = words.split(' ').collect();
        let next = self.tokens.get(self.at..self.at + all.len());
        let same = next.is_some_and(|next| {
            let is = |(token, word): (&Token, &&str)| matches!(token, Token::Word(text) if text.eq_ignore_ascii_case(word));
            next.iter().zip(&all).all(is)
        });
        self.at += if same { all.len() } else { 0 };
        same
    }

    fn need(&mut self, words: &str) -> Parsed<()> {
        if self.words(words) { Ok(()) } else { Err(self.wrong()) }
    }

    fn sign(&mut self, sign: &str) -> bool {
        let same = matches!(self.tokens.get(self.at), Some(Token::Sign(text)) if text == sign);
        self.at += usize::from(same);
        same
    }

    fn need_sign(&mut self, sign: &str) -> Parsed<()> {
        if self.sign(sign) { Ok(()) } else { Err(self.wrong()) }
    }

    fn name(&mut self) -> Parsed<String> {
        match self.tokens.get(self.at) {
            Some(Token::Word(name)) if name.len() <= MAX_NAME => {
                self.at += 1;
                Ok(name.clone())
            }
            _ => Err(self.wrong()),
        }
    }

    fn quoted(&mut self) -> Parsed<String> {
        match self.tokens.get(self.at) {
            Some(Token::Text(text)) if text.len() <= MAX_NAME => {
                self.at += 1;
                Ok(text.clone())
            }
            _ => Err(self.wrong()),
        }
    }

    fn number(&mut self) -> Parsed<i64> {
        let below = self.sign("-");
        match self.tokens.get(self.at) {
            Some(Token::Number(number)) => {
                self.at += 1;
                Ok(if below { -number } else { *number })
            }
            _ => Err(self.wrong()),
        }
    }

    fn value(&mut self) -> Parsed<Value> {
        if self.words("NULL") {
            return Ok(Value::Null);
        }
        match self.tokens.get(self.at) {
            Some(Token::Text(text)) => {
                self.at += 1;
                Ok(Value::text(text))
            }
            _ => self.number().map(Value::Int),
        }
    }

    /// Some of the same, with commas between.
    fn list<T>(&mut self, mut one: impl FnMut(&mut Parts) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.sign(",") {
            if all.len() == MAX_PARTS {
                return Err(self.wrong());
            }
            all.push(one(self)?);
        }
        Ok(all)
    }

    fn statement(&mut self) -> Parsed<Op> {
        if self.words("SELECT") {
            return self.select();
        }
        if self.words("INSERT") {
            return self.insert();
        }
        if self.words("UPDATE") {
            let table = self.name()?;
            self.need("SET")?;
            let set = self.list(Parts::assignment)?;
            return Ok(Op::Update { table, set, conds: self.conditions()? });
        }
        if self.words("DELETE FROM") {
            return Ok(Op::Delete { table: self.name()?, conds: self.conditions()? });
        }
        if self.words("SET") {
            return self.set();
        }
        self.transaction()
    }

    /// Statements about transactions.
    fn transaction(&mut self) -> Parsed<Op> {
        if self.words("BEGIN") || self.words("START TRANSACTION") {
            let level = if self.words("ISOLATION LEVEL") { Some(self.level()?) } else { None };
            return Ok(Op::Begin(level));
        }
        if self.mariadb && self.words("XA") {
            return self.branch();
        }
        if !self.mariadb && self.words("PREPARE TRANSACTION") {
            return Ok(Op::Prepare(self.quoted()?));
        }
        if !self.mariadb && self.words("COMMIT PREPARED") {
            return Ok(Op::CommitPrepared(self.quoted()?));
        }
        if !self.mariadb && self.words("ROLLBACK PREPARED") {
            return Ok(Op::RollbackPrepared(self.quoted()?));
        }
        if self.words("ROLLBACK TO") {
            self.words("SAVEPOINT");
            return Ok(Op::RollbackTo(self.name()?));
        }
        if self.words("COMMIT") {
            return Ok(Op::Commit);
        }
        if self.words("ROLLBACK") {
            return Ok(Op::Rollback);
        }
        if self.words("SAVEPOINT") {
            return Ok(Op::Savepoint(self.name()?));
        }
        if self.mariadb && self.words("UNLOCK TABLES") {
            return Ok(Op::UnlockTables);
        }
        if self.words(if self.mariadb { "LOCK TABLES" } else { "LOCK TABLE" }) {
            let table = self.name()?;
            self.need(if self.mariadb { "WRITE" } else { "IN ACCESS EXCLUSIVE MODE" })?;
            return Ok(Op::LockTable(table));
        }
        Err(self.wrong())
    }

    /// `XA …`; END and PREPARE are said in one line.
    fn branch(&mut self) -> Parsed<Op> {
        if self.words("RECOVER") {
            return Ok(Op::ListPrepared);
        }
        if self.words("START") || self.words("BEGIN") {
            return Ok(Op::BeginBranch(self.quoted()?));
        }
        if self.words("COMMIT") {
            return Ok(Op::CommitPrepared(self.quoted()?));
        }
        if self.words("ROLLBACK") {
            return Ok(Op::RollbackPrepared(self.quoted()?));
        }
        self.need("END")?;
        let id = self.quoted()?;
        self.need_sign(";")?;
        self.need("XA PREPARE")?;
        match self.quoted()? == id {
            true => Ok(Op::Prepare(id)),
            false => Err(self.wrong()),
        }
    }

    fn level(&mut self) -> Parsed<Isolation> {
        let level = Isolation::ALL.iter().find(|(name, _)| self.words(name)).map(|(_, level)| *level);
        level.ok_or_else(|| self.wrong())
    }

    /// Settings; and MariaDB's level, which is set for the next transaction.
    fn set(&mut self) -> Parsed<Op> {
        if self.mariadb && self.words("TRANSACTION ISOLATION LEVEL") {
            let level = self.level()?;
            self.need_sign(";")?;
            if !self.words("BEGIN") {
                self.need("START TRANSACTION")?;
            }
            return Ok(Op::Begin(Some(level)));
        }
        let global = self.words("GLOBAL");
        self.words("SESSION");
        let name = self.name()?.to_ascii_lowercase();
        if !self.sign("=") {
            self.need("TO")?;
        }
        let setting = match (self.mariadb, &*name) {
            (true, "innodb_deadlock_detect") if global => {
                Setting::DeadlockDetect(self.name()?.eq_ignore_ascii_case("ON"))
            }
            (true, "innodb_lock_wait_timeout") => Setting::LockWaitMs(self.seconds()?),
            (true, "idle_transaction_timeout") => Setting::IdleInTransactionMs(self.seconds()?),
            (true, "wait_timeout") => Setting::IdleMs(self.seconds()?),
            (false, "lock_timeout") => Setting::LockWaitMs(self.milliseconds()?),
            (false, "idle_in_transaction_session_timeout") => Setting::IdleInTransactionMs(self.milliseconds()?),
            (false, "idle_session_timeout") => Setting::IdleMs(self.milliseconds()?),
            (false, "synchronous_commit") => Setting::SynchronousCommit(self.name()?),
            _ => return Err(NoStatement(name)),
        };
        Ok(Op::Set(setting))
    }

    fn seconds(&mut self) -> Parsed<u64> {
        let seconds = u64::try_from(self.number()?).map_err(|_| self.wrong())?;
        Ok(seconds.saturating_mul(1000))
    }

    fn milliseconds(&mut self) -> Parsed<u64> {
        if let Some(Token::Text(text)) = self.tokens.get(self.at) {
            let ms = ms_of(text).ok_or_else(|| self.wrong())?;
            self.at += 1;
            return Ok(ms);
        }
        u64::try_from(self.number()?).map_err(|_| self.wrong())
    }

    fn insert(&mut self) -> Parsed<Op> {
        let ignore = self.mariadb && self.words("IGNORE");
        self.need("INTO")?;
        let table = self.name()?;
        self.need_sign("(")?;
        let columns = self.list(Parts::name)?;
        self.need_sign(")")?;
        self.need("VALUES")?;
        self.need_sign("(")?;
        let values = self.list(Parts::value)?;
        self.need_sign(")")?;
        if columns.len() != values.len() {
            return Err(self.wrong());
        }
        let if_new = ignore || (!self.mariadb && self.words("ON CONFLICT DO NOTHING"));
        Ok(Op::Insert { table, row: columns.into_iter().zip(values).collect(), if_new })
    }

    fn assignment(&mut self) -> Parsed<(String, SetTo)> {
        let column = self.name()?;
        self.need_sign("=")?;
        if self.now() {
            return Ok((column, SetTo::Now));
        }
        if self.words(&column) {
            let below = self.sign("-");
            if !below {
                self.need_sign("+")?;
            }
            let by = self.number()?;
            return Ok((column, SetTo::Plus(if below { -by } else { by })));
        }
        Ok((column, SetTo::Value(self.value()?)))
    }

    /// The server's clock.
    fn now(&mut self) -> bool {
        let start = self.at;
        let known = match self.mariadb {
            true => self.words("NOW") && self.sign("(") && self.digits() && self.sign(")"),
            false => (self.words("clock_timestamp") || self.words("now")) && self.sign("(") && self.sign(")"),
        };
        if !known {
            self.at = start;
        }
        known
    }

    /// The digits of a second that are wanted, or nothing.
    fn digits(&mut self) -> bool {
        if let Some(Token::Number(0..=6)) = self.tokens.get(self.at) {
            self.at += 1;
        }
        true
    }

    fn conditions(&mut self) -> Parsed<Vec<(String, Cond)>> {
        let mut all = Vec::new();
        if self.words("WHERE") {
            all.push(self.condition()?);
            while self.words("AND") {
                if all.len() == MAX_PARTS {
                    return Err(self.wrong());
                }
                all.push(self.condition()?);
            }
        }
        Ok(all)
    }

    fn condition(&mut self) -> Parsed<(String, Cond)> {
        let column = self.name()?;
        if self.words("IS NULL") {
            return Ok((column, Cond::Equal(Value::Null)));
        }
        if self.words("IN") {
            self.need_sign("(")?;
            let values = self.list(Parts::value)?;
            self.need_sign(")")?;
            return Ok((column, Cond::In(values)));
        }
        if self.sign("<") {
            return match self.now() && self.sign("-") {
                true => Ok((column, Cond::OlderThan(self.interval()?))),
                false => Err(self.wrong()),
            };
        }
        let make = [
            ("=", Cond::Equal as fn(Value) -> Cond),
            ("<>", Cond::Not),
            ("!=", Cond::Not),
            (">", Cond::Above),
            ("<=", Cond::UpTo),
        ];
        match make.into_iter().find(|(sign, _)| self.sign(sign)) {
            Some((_, make)) => Ok((column, make(self.value()?))),
            None => Err(self.wrong()),
        }
    }

    /// A duration in ms: `INTERVAL 1000000 MICROSECOND`, `INTERVAL 5 SECOND`, `interval '1000 ms'`.
    fn interval(&mut self) -> Parsed<u64> {
        self.need("INTERVAL")?;
        if !self.mariadb {
            let ms = ms_of(&self.quoted()?).ok_or_else(|| self.wrong())?;
            return Ok(ms);
        }
        let number = u64::try_from(self.number()?).map_err(|_| self.wrong())?;
        if self.words("SECOND") {
            return Ok(number.saturating_mul(1000));
        }
        self.need("MICROSECOND")?;
        Ok(number / 1000)
    }

    fn select(&mut self) -> Parsed<Op> {
        if let Some(Token::Number(1)) = self.tokens.get(self.at) {
            self.at += 1;
            if self.words("AS") {
                self.name()?;
            }
            return Ok(Op::Ping);
        }
        if !self.mariadb && self.words("gid FROM pg_prepared_xacts") {
            self.words("ORDER BY gid");
            return Ok(Op::ListPrepared);
        }
        if matches!(self.tokens.get(self.at + 1), Some(Token::Sign(sign)) if sign == "(") {
            return self.call();
        }
        let columns = if self.sign(ALL_COLUMNS) { vec![ALL_COLUMNS.into()] } else { self.list(Parts::name)? };
        self.need("FROM")?;
        let (table, conds) = (self.name()?, self.conditions()?);
        let order = if self.words("ORDER BY") { Some(self.name()?) } else { None };
        let limit = if self.words("LIMIT") { Some(self.number()?.unsigned_abs()) } else { None };
        let share = if self.mariadb { "LOCK IN SHARE MODE" } else { "FOR SHARE" };
        let lock = match self.words("FOR UPDATE") {
            true => Some(RowLock::Update),
            false => self.words(share).then_some(RowLock::Share),
        };
        let wait = match lock {
            Some(_) if self.words("NOWAIT") => Wait::Nowait,
            Some(_) if self.words("SKIP LOCKED") => Wait::Skip,
            Some(_) if self.mariadb && self.words("WAIT") => Wait::Seconds(self.number()?.unsigned_abs()),
            _ => Wait::Long,
        };
        Ok(Op::Select { table, columns, conds, order, limit, lock, wait })
    }

    /// A function of named locks.
    fn call(&mut self) -> Parsed<Op> {
        let function = self.name()?.to_ascii_lowercase();
        self.need_sign("(")?;
        let act = match (self.mariadb, &*function) {
            (true, "get_lock") | (false, "pg_advisory_lock") => Act::Lock,
            (true, "release_lock") | (false, "pg_advisory_unlock") => Act::Unlock,
            (true, "release_all_locks") | (false, "pg_advisory_unlock_all") => Act::UnlockAll,
            (false, "pg_try_advisory_lock") => Act::Try,
            (false, "pg_advisory_xact_lock") => Act::LockXact,
            (false, "pg_try_advisory_xact_lock") => Act::TryXact,
            _ => return Err(NoStatement(function)),
        };
        let name = match act {
            Act::UnlockAll => String::new(),
            _ => self.lock_name()?,
        };
        let seconds = if self.sign(",") { Some(self.number()?) } else { None };
        self.need_sign(")")?;
        self.words("IS NOT NULL");
        if self.words("AS") {
            self.name()?;
        }
        Ok(match seconds {
            Some(0) => Op::Advisory { act: Act::Try, name, seconds: None },
            // what stands for a limit that is not said
            Some(50) => Op::Advisory { act, name, seconds: None },
            seconds => Op::Advisory { act, name, seconds },
        })
    }

    fn lock_name(&mut self) -> Parsed<String> {
        if self.mariadb {
            return self.quoted();
        }
        if self.words("hashtext") {
            self.need_sign("(")?;
            let name = self.quoted()?;
            self.need_sign(")")?;
            return Ok(name);
        }
        let number = self.number()?;
        let letter = u8::try_from(number).ok().filter(u8::is_ascii_alphabetic);
        Ok(letter.map_or(number.to_string(), |letter| char::from(letter).to_string()))
    }
}

/// A duration such as `3000ms`, `3000 ms`, `3s` or `3000`, in ms.
fn ms_of(text: &str) -> Option<u64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().ok()?;
    match unit.trim() {
        "" | "ms" => Some(number),
        "s" => number.checked_mul(1000),
        _ => None,
    }
}
