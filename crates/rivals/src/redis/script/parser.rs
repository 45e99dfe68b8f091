//! From words to a tree: statements and expressions.

use std::rc::Rc;

use super::lexer::{Token, words};

/// Statements in order.
pub(crate) type Block = Rc<Vec<Stat>>;

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stat {
    /// `local name = expression`.
    Local(Vec<String>, Vec<Expr>),
    /// `place = expression`; a place is a name or an index.
    Assign(Expr, Expr),
    /// A call for its effect.
    Call(Expr),
    /// Conditions with blocks, and the block of `else`.
    If(Vec<(Expr, Block)>, Option<Block>),
    /// `for name = from, to do`.
    For(String, Expr, Expr, Block),
    /// `for i, v in ipairs(list) do`.
    ForIn(String, String, Expr, Block),
    /// `while condition do`.
    While(Expr, Block),
    /// `return`.
    Return(Option<Expr>),
    /// `break`.
    Break,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expr {
    /// `nil`.
    Nil,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(i64),
    /// A text.
    Text(Rc<str>),
    /// A variable.
    Name(String),
    /// `table[key]` and `table.key`.
    Index(Box<Expr>, Box<Expr>),
    /// A call.
    Call(Box<Expr>, Vec<Expr>),
    /// `{a, b, key = c}`.
    Table(Vec<(Option<String>, Expr)>),
    /// `not`, `-`, `#`.
    Unary(&'static str, Box<Expr>),
    /// Two with an operator between them.
    Binary(&'static str, Box<Expr>, Box<Expr>),
}

/// Expressions and blocks may stand within each other so deep.
const MAX_DEPTH: u32 = 60;

/// Binary operators and how strongly they bind.
const BINARY: &[(&str, u8)] = &[
    ("or", 1),
    ("and", 2),
    ("<", 3),
    (">", 3),
    ("<=", 3),
    (">=", 3),
    ("~=", 3),
    ("==", 3),
    ("..", 4),
    ("+", 5),
    ("-", 5),
    ("*", 6),
    ("%", 6),
];

struct Parser {
    words: std::iter::Peekable<std::vec::IntoIter<Token>>,
    depth: u32,
}

/// Parses a script.
///
/// # Errors
/// What is wrong, in words like Lua's.
pub(crate) fn parse(text: &str) -> Result<Block, String> {
    let mut parser = Parser { words: words(text)?.into_iter().peekable(), depth: 0 };
    let block = parser.block()?;
    match parser.words.next() {
        None => Ok(block),
        Some(word) => Err(near(Some(&word))),
    }
}

fn near(word: Option<&Token>) -> String {
    match word {
        None => "unexpected symbol near '<eof>'".into(),
        Some(Token::Name(name)) => format!("unexpected symbol near '{name}'"),
        Some(Token::Number(number)) => format!("unexpected symbol near '{number}'"),
        Some(Token::Text(text)) => format!("unexpected symbol near '{text}'"),
        Some(Token::Sign(sign)) => format!("unexpected symbol near '{sign}'"),
    }
}

impl Parser {
    fn is_sign(&mut self, sign: &str) -> bool {
        matches!(self.words.peek(), Some(Token::Sign(next)) if *next == sign)
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        let is = self.is_sign(sign);
        if is {
            self.words.next();
        }
        is
    }

    fn need_sign(&mut self, sign: &str) -> Result<(), String> {
        match self.take_sign(sign) {
            true => Ok(()),
            false => Err(near(self.words.peek())),
        }
    }

    fn is_name(&mut self, name: &str) -> bool {
        matches!(self.words.peek(), Some(Token::Name(next)) if next == name)
    }

    fn take_name(&mut self, name: &str) -> bool {
        let is = self.is_name(name);
        if is {
            self.words.next();
        }
        is
    }

    fn need_name(&mut self, name: &str) -> Result<(), String> {
        match self.take_name(name) {
            true => Ok(()),
            false => Err(near(self.words.peek())),
        }
    }

    fn name(&mut self) -> Result<String, String> {
        match self.words.next() {
            Some(Token::Name(name)) => Ok(name),
            other => Err(near(other.as_ref())),
        }
    }

    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Parser) -> Result<T, String>) -> Result<T, String> {
        if self.depth == MAX_DEPTH {
            return Err("chunk has too many syntax levels".into());
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    fn block(&mut self) -> Result<Block, String> {
        self.deeper(|parser| {
            let mut stats = Vec::new();
            loop {
                while parser.take_sign(";") {}
                if parser.words.peek().is_none()
                    || ["end", "else", "elseif"].into_iter().any(|end| parser.is_name(end))
                {
                    return Ok(Rc::new(stats));
                }
                stats.push(parser.stat()?);
            }
        })
    }

    fn stat(&mut self) -> Result<Stat, String> {
        if self.take_name("local") {
            return self.local();
        } else if self.take_name("if") {
            return self.conditional();
        } else if self.take_name("for") {
            return self.for_loop();
        } else if self.take_name("while") {
            let condition = self.expr(0)?;
            self.need_name("do")?;
            let block = self.block()?;
            return self.need_name("end").map(|()| Stat::While(condition, block));
        } else if self.take_name("return") {
            let ends = ["end", "else", "elseif"].into_iter().any(|end| self.is_name(end));
            let nothing = ends || self.words.peek().is_none() || self.is_sign(";");
            return Ok(Stat::Return(if nothing { None } else { Some(self.expr(0)?) }));
        } else if self.take_name("break") {
            return Ok(Stat::Break);
        }
        let place = self.suffixed()?;
        if self.take_sign("=") {
            return Ok(Stat::Assign(place, self.expr(0)?));
        }
        match place {
            Expr::Call(..) => Ok(Stat::Call(place)),
            _ => Err(near(self.words.peek())),
        }
    }

    fn local(&mut self) -> Result<Stat, String> {
        let mut names = vec![self.name()?];
        while self.take_sign(",") {
            names.push(self.name()?);
        }
        let mut values = Vec::new();
        if self.take_sign("=") {
            values.push(self.expr(0)?);
            while self.take_sign(",") {
                values.push(self.expr(0)?);
            }
        }
        Ok(Stat::Local(names, values))
    }

    fn conditional(&mut self) -> Result<Stat, String> {
        let mut branches = Vec::new();
        loop {
            let condition = self.expr(0)?;
            self.need_name("then")?;
            branches.push((condition, self.block()?));
            if self.take_name("elseif") {
                continue;
            }
            let otherwise = if self.take_name("else") { Some(self.block()?) } else { None };
            return self.need_name("end").map(|()| Stat::If(branches, otherwise));
        }
    }

    fn for_loop(&mut self) -> Result<Stat, String> {
        let first = self.name()?;
        let head = if self.take_sign("=") {
            let from = self.expr(0)?;
            self.need_sign(",")?;
            (None, from, Some(self.expr(0)?))
        } else {
            self.need_sign(",")?;
            let second = self.name()?;
            self.need_name("in")?;
            self.need_name("ipairs")?;
            self.need_sign("(")?;
            let list = self.expr(0)?;
            self.need_sign(")")?;
            (Some(second), list, None)
        };
        self.need_name("do")?;
        let block = self.block()?;
        self.need_name("end")?;
        Ok(match head {
            (Some(second), list, _) => Stat::ForIn(first, second, list, block),
            (None, from, to) => Stat::For(first, from, to.unwrap_or(Expr::Nil), block),
        })
    }

    fn expr(&mut self, least: u8) -> Result<Expr, String> {
        self.deeper(|parser| {
            let mut left = parser.unary()?;
            while let Some((sign, strength)) = parser.operator().filter(|(_, strength)| *strength > least) {
                parser.words.next();
                // `..` binds to the right
                let right = parser.expr(if sign == ".." { strength - 1 } else { strength })?;
                left = Expr::Binary(sign, Box::new(left), Box::new(right));
            }
            Ok(left)
        })
    }

    fn operator(&mut self) -> Option<(&'static str, u8)> {
        let word = match self.words.peek()? {
            Token::Name(name) => name.as_str(),
            Token::Sign(sign) => sign,
            _ => return None,
        };
        BINARY.iter().copied().find(|(known, _)| *known == word)
    }

    fn unary(&mut self) -> Result<Expr, String> {
        let sign = if self.take_name("not") {
            "not"
        } else if self.take_sign("-") {
            "-"
        } else if self.take_sign("#") {
            "#"
        } else {
            return self.suffixed();
        };
        Ok(Expr::Unary(sign, Box::new(self.expr(6)?)))
    }

    fn suffixed(&mut self) -> Result<Expr, String> {
        let mut expr = self.primary()?;
        loop {
            if self.take_sign(".") {
                let key = Expr::Text(self.name()?.into());
                expr = Expr::Index(Box::new(expr), Box::new(key));
            } else if self.take_sign("[") {
                let key = self.expr(0)?;
                self.need_sign("]")?;
                expr = Expr::Index(Box::new(expr), Box::new(key));
            } else if self.take_sign("(") {
                let mut args = Vec::new();
                while !self.is_sign(")") {
                    args.push(self.expr(0)?);
                    if !self.take_sign(",") {
                        break;
                    }
                }
                self.need_sign(")")?;
                expr = Expr::Call(Box::new(expr), args);
            } else {
                return Ok(expr);
            }
        }
    }

    fn primary(&mut self) -> Result<Expr, String> {
        Ok(match self.words.next() {
            Some(Token::Number(number)) => Expr::Number(number),
            Some(Token::Text(text)) => Expr::Text(text.into()),
            Some(Token::Name(name)) => match &*name {
                "nil" => Expr::Nil,
                "true" => Expr::Bool(true),
                "false" => Expr::Bool(false),
                "then" | "do" | "end" | "else" | "elseif" | "and" | "or" | "in" => {
                    return Err(near(Some(&Token::Name(name))));
                }
                _ => Expr::Name(name),
            },
            Some(Token::Sign("(")) => {
                let expr = self.expr(0)?;
                self.need_sign(")")?;
                expr
            }
            Some(Token::Sign("{")) => self.table()?,
            other => return Err(near(other.as_ref())),
        })
    }

    fn table(&mut self) -> Result<Expr, String> {
        let mut items = Vec::new();
        while !self.is_sign("}") {
            let item = self.expr(0)?;
            match item {
                Expr::Name(key) if self.take_sign("=") => items.push((Some(key), self.expr(0)?)),
                item => items.push((None, item)),
            }
            if !self.take_sign(",") {
                break;
            }
        }
        self.need_sign("}").map(|()| Expr::Table(items))
    }
}
