//! Where a file's mutants go: its syntax tree is walked for the operators, arms, guards, fields and iterators that the list names.

use std::collections::BTreeMap;
use std::ops::Range;

use proc_macro2::{LineColumn, Span};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::Mutant;

/// Text put into a file, in front of what stands at `at`.
pub struct Insert {
    /// In bytes of the text before.
    pub at: usize,
    /// What goes first where several go to one place: a wrapper's end before a beginning, the inner end before the outer one.
    pub rank: isize,
    /// What is put there.
    pub text: String,
    /// Parts of `text` that belong to a mutant: what the compiler says of them, it says of that mutant.
    pub owned: Vec<(Range<usize>, usize)>,
}

/// What becomes of the mutants of one file.
pub struct Places {
    /// Those that are woven.
    pub inserts: Vec<Insert>,
    /// Those for which there is no way.
    pub left: Vec<usize>,
    /// Those that can be no program.
    pub unviable: Vec<usize>,
}

/// Where the mutants of one file go.
pub fn places(text: &str, mutants: &[&Mutant]) -> syn::Result<Places> {
    let lines = Lines::of(text);
    let mut walk =
        Walk { text, lines, wanted: BTreeMap::new(), inserts: Vec::new(), unviable: Vec::new(), except: Vec::new() };
    for mutant in mutants {
        walk.wanted.entry(walk.lines.byte(mutant.span[0].0, mutant.span[0].1 - 1)).or_default().push(mutant);
    }
    walk.values();
    walk.visit_file(&syn::parse_file(text)?);
    let left = walk.wanted.values().flatten().map(|one| one.id).collect();
    Ok(Places { inserts: walk.inserts, left, unviable: walk.unviable })
}

/// The text of a file with a mutant in it.
pub fn mutated(text: &str, mutant: &Mutant) -> String {
    let lines = Lines::of(text);
    let [from, to] = mutant.span.map(|(line, column)| lines.byte(line, column - 1));
    let rest = &text[to..];
    let rest = if mutant.genre == "StructField" { rest.strip_prefix(',').unwrap_or(rest) } else { rest };
    format!("{}{}{rest}", &text[..from], mutant.replacement)
}

/// Where each line begins, in bytes.
struct Lines<'a>(Vec<(usize, &'a str)>);

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Lines<'a> {
        let mut at = 0;
        let begin = |line: &'a str| {
            at += line.len();
            (at - line.len(), line)
        };
        Lines(text.split_inclusive('\n').map(begin).collect())
    }

    /// The byte at a line (from 1) and a column (from 0, in characters).
    fn byte(&self, line: usize, column: usize) -> usize {
        let (begin, text) = self.0[line - 1];
        begin + text.char_indices().nth(column).map_or(text.len(), |(at, _)| at)
    }
}

struct Walk<'a> {
    text: &'a str,
    lines: Lines<'a>,
    /// By where they begin.
    wanted: BTreeMap<usize, Vec<&'a Mutant>>,
    inserts: Vec<Insert>,
    unviable: Vec<usize>,
    /// Arms that stay.
    except: Vec<usize>,
}

impl<'a> Walk<'a> {
    fn byte(&self, at: LineColumn) -> usize {
        self.lines.byte(at.line, at.column)
    }

    fn range(&self, span: Span) -> Range<usize> {
        self.byte(span.start())..self.byte(span.end())
    }

    /// Takes the mutants of this genre that begin at `at`.
    fn take(&mut self, at: usize, genre: &str) -> Vec<&'a Mutant> {
        let Some(here) = self.wanted.get_mut(&at) else { return Vec::new() };
        here.extract_if(.., |one| one.genre == genre).collect()
    }

    /// A function's value: an early return in front of its first statement. One that returns `impl Iterator` has one type only:
    /// see [`Walk::iterators`].
    fn values(&mut self) {
        for at in self.wanted.keys().copied().collect::<Vec<_>>() {
            if self.wanted[&at].iter().any(|one| one.replacement.starts_with("::std::iter::")) {
                continue;
            }
            for one in self.take(at, "FnValue") {
                self.put(
                    at,
                    isize::MIN / 2,
                    vec![(one.id, format!("if {} {{ return {}; }}\n", on(one.id), one.replacement))],
                    "",
                );
            }
        }
    }

    /// What a function returns as `impl Iterator`: a type that is one iterator or the other, in place of its last expression.
    fn iterators(&mut self, block: &syn::Block) {
        let (Some(first), Some(syn::Stmt::Expr(last, None))) = (block.stmts.first(), block.stmts.last()) else {
            return;
        };
        let (first, last) = (self.range(first.span()), self.range(last.span()));
        if self.text[first.start..last.end].contains("return") {
            return;
        }
        let taken = self.take(first.start, "FnValue");
        if taken.is_empty() {
            return;
        }
        self.put(last.start, isize::MIN / 2, Vec::new(), &"crate::mutant::either(".repeat(taken.len()));
        let part = |one: &Mutant| (one.id, format!(", {}, {})", on(one.id), one.replacement));
        self.put(last.end, isize::MAX / 2, taken.into_iter().map(part).collect(), "");
    }

    fn put(&mut self, at: usize, rank: isize, parts: Vec<(usize, String)>, tail: &str) {
        let mut text = String::new();
        let owned = parts.into_iter().map(|(id, part)| {
            let begin = text.len();
            text.push_str(&part);
            (begin..text.len(), id)
        });
        let owned = owned.collect();
        text.push_str(tail);
        self.inserts.push(Insert { at, rank, text, owned });
    }

    /// `range` becomes a choice: what each mutant makes of it, and else what stands there, whose own mutants go on within.
    fn choice(&mut self, range: Range<usize>, variants: Vec<(usize, String)>) {
        if variants.is_empty() {
            return;
        }
        let length = isize::try_from(range.len()).unwrap_or(isize::MAX / 4);
        let mut parts: Vec<_> =
            variants.into_iter().map(|(id, text)| (id, format!("if {} {{ {text} }} else ", on(id)))).collect();
        parts[0].1.insert(0, '(');
        self.put(range.start, -length, parts, "{ ");
        self.put(range.end, length - isize::MAX / 2, Vec::new(), " })");
    }
}

/// The question whether a mutant is switched on.
fn on(id: usize) -> String {
    format!("crate::mutant::on({id})")
}

/// Whether a chain of `&&` holds a `let`, which stands nowhere but right in a condition.
fn binds(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(both) => binds(&both.left) || binds(&both.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Walk<'_> {
    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.iterators(block);
        visit::visit_block(self, block);
    }

    /// A field that is not written takes its value from the struct behind `..`.
    fn visit_expr_struct(&mut self, it: &'ast syn::ExprStruct) {
        if let Some(rest) = &it.rest {
            let [base, name] = [rest.span(), it.path.span()].map(|span| &self.text[self.range(span)]);
            for field in &it.fields {
                let (whole, value) = (self.range(field.span()), self.range(field.expr.span()));
                let member = &self.text[self.range(field.member.span())];
                let other = match **rest {
                    syn::Expr::Path(_) | syn::Expr::Unary(_) => format!("({base}).{member}"),
                    _ => format!("let base: {name} = {base}; base.{member}"),
                };
                let taken = self.take(whole.start, "StructField");
                if field.colon_token.is_some() {
                    self.choice(value, taken.into_iter().map(|one| (one.id, other.clone())).collect());
                } else if let Some(one) = taken.first() {
                    let text = format!(": if {} {{ {other} }} else {{ {member} }}", on(one.id));
                    self.put(whole.end, 0, vec![(one.id, text)], "");
                }
            }
        }
        visit::visit_expr_struct(self, it);
    }

    fn visit_expr_binary(&mut self, both: &'ast syn::ExprBinary) {
        let [left, right, op] = [both.left.span(), both.right.span(), both.op.span()].map(|span| self.range(span));
        if binds(&both.left) || binds(&both.right) {
            // `||` beside a `let` is no program
            let refused = self.take(op.start, "BinaryOperator");
            self.unviable.extend(refused.iter().map(|one| one.id));
        } else {
            let (one, other) = (&self.text[left.clone()], &self.text[right.clone()]);
            let assigns = self.text[op.clone()].ends_with('=')
                && matches!(
                    &self.text[op.clone()],
                    "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>="
                );
            let text = |with: &str| {
                if assigns { format!("{one} {with} {other}") } else { format!("({one}) {with} ({other})") }
            };
            let variants =
                self.take(op.start, "BinaryOperator").into_iter().map(|it| (it.id, text(&it.replacement))).collect();
            self.choice(left.start..right.end, variants);
        }
        visit::visit_expr_binary(self, both);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        let (op, inner) = (self.range(unary.op.span()), self.range(unary.expr.span()));
        let text = &self.text[inner.clone()];
        let variants = self.take(op.start, "UnaryOperator").into_iter().map(|it| (it.id, text.to_string())).collect();
        self.choice(op.start..inner.end, variants);
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_match(&mut self, it: &'ast syn::ExprMatch) {
        // an arm is switched off by a guard: without an arm for all else the compiler would count no longer
        if !it.arms.iter().any(|arm| arm.guard.is_none() && matches!(arm.pat, syn::Pat::Wild(_))) {
            let bare = it.arms.iter().filter(|arm| arm.guard.is_none());
            bare.for_each(|arm| self.except.push(self.range(arm.span()).start));
        }
        visit::visit_expr_match(self, it);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let (whole, pattern) = (self.range(arm.span()), self.range(arm.pat.span()));
        let guard = arm.guard.as_ref().map(|(_, guard)| self.range(guard.span()));
        let taken = if self.except.contains(&whole.start) { Vec::new() } else { self.take(whole.start, "MatchArm") };
        for one in taken {
            match &guard {
                Some(guard) => {
                    self.put(guard.start, isize::MIN / 2, vec![(one.id, format!("!{} && (", on(one.id)))], "");
                    self.put(guard.end, -1, Vec::new(), ")");
                }
                None => self.put(pattern.end, -1, vec![(one.id, format!(" if !{}", on(one.id)))], ""),
            }
        }
        if let Some(guard) = guard {
            let variants = self
                .take(guard.start, "MatchArmGuard")
                .into_iter()
                .map(|it| (it.id, it.replacement.clone()))
                .collect();
            self.choice(guard, variants);
        }
        visit::visit_arm(self, arm);
    }
}
