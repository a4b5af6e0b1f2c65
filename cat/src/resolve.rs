//! From trees to a model: names looked up, functions and procedures expanded, kinds checked.
//!
//! A name means what it meant where the text was written: `let data = carry; data` refers to the older
//! `data`, and a function's body to the names before the function. So an environment is a list that is
//! only ever prolonged, shared between the places that saw it. Functions are expanded at each call;
//! hash-consing (`dag.rs`) makes equal expansions one node.

use crate::ast::*;
use crate::dag::{Arity, Dag, Id, Op};
use crate::error::{Complaint, Error, Span};
use crate::{Axiom, names, parse};
use std::rc::Rc;

/// Files that herd's models include to enumerate orders, and its standard library: what they define is
/// in our prelude, co is given, and the other orders are of events that no test has.
const PROVIDED: &[&str] = &[
    "stdlib.cat",
    "cos.cat",
    "cos-opt.cat",
    "cos-no-opt.cat",
    "cos-ok-opt.cat",
    "cross.cat",
    "enumerations.cat",
];

/// Functions of `enumerations.cat`: when caches and translations are invalidated. Tests with such
/// instructions are not read, so there is one order, and it is empty.
const ENUMERATIONS: &[&str] =
    &["all-TLBI-Imp_TTD_R-enums", "all-DC-Exp_W-enums", "all-IC-Imp_Instr_R-enums"];

/// Calls inside of calls, files inside of files.
const MAX_DEPTH: usize = 100;
/// Of more definitions in one recursion, the later ones are relations.
const MAX_GUESSED: usize = 8;
/// A model that is larger has a function that doubles at each level.
const MAX_NODES: usize = 100_000;

#[derive(Clone, Copy)]
enum Resolvent {
    /// `0`: a set or a relation, whichever is wanted.
    Zero,
    Node(Id),
}

#[derive(Clone)]
enum Meaning {
    Term(Resolvent),
    Function { params: Vec<String>, body: Rc<Expr>, env: Env },
    Procedure { params: Vec<String>, items: Rc<Vec<Item>>, env: Env },
}

/// What names mean, the latest first.
#[derive(Clone, Default)]
struct Env(Option<Rc<ScopeEntry>>);

struct ScopeEntry {
    name: String,
    meaning: Meaning,
    before: Env,
}

impl Env {
    fn with(&self, name: &str, meaning: Meaning) -> Env {
        Env(Some(Rc::new(ScopeEntry { name: name.into(), meaning, before: self.clone() })))
    }

    fn entries(&self) -> impl Iterator<Item = &ScopeEntry> {
        std::iter::successors(self.0.as_deref(), |entry| entry.before.0.as_deref())
    }

    fn get(&self, name: &str) -> Option<&Meaning> {
        self.entries().find(|entry| entry.name == name).map(|entry| &entry.meaning)
    }
}

impl Drop for ScopeEntry {
    /// One by one: a long list would be dropped recursively.
    fn drop(&mut self) {
        let mut next = self.before.0.take();
        while let Some(entry) = next {
            match Rc::try_unwrap(entry) {
                Ok(mut entry) => next = entry.before.0.take(),
                Err(_) => break,
            }
        }
    }
}

pub(crate) struct Resolved {
    pub title: Option<String>,
    pub dag: Dag,
    pub axioms: Vec<Axiom>,
    pub catdep: bool,
}

/// Needs: `load` gives the text of an included file.
pub(crate) fn resolve(
    file: &str,
    text: &str,
    load: &mut dyn FnMut(&str) -> Result<String, String>,
) -> Result<Resolved, Error> {
    let mut resolver = Resolver {
        dag: Dag::default(),
        axioms: Vec::new(),
        catdep: false,
        files: vec![(file.to_string(), text.to_string())],
        load,
        depth: 0,
    };
    let mut run = || -> Result<Option<String>, Complaint> {
        let env = resolver.prelude()?;
        let tree = parse::file(text, 0)?;
        resolver.items(&tree.items, env)?;
        Ok(tree.title)
    };
    match run() {
        Ok(title) => {
            let Resolver { dag, axioms, catdep, .. } = resolver;
            Ok(Resolved { title, dag, axioms, catdep })
        }
        Err(complaint) => {
            let (file, text) = &resolver.files[complaint.span.file];
            Err(Error::new(complaint, file, text))
        }
    }
}

struct Resolver<'a> {
    dag: Dag,
    axioms: Vec<Axiom>,
    catdep: bool,
    files: Vec<(String, String)>,
    load: &'a mut dyn FnMut(&str) -> Result<String, String>,
    depth: usize,
}

type ResolveResult<T> = Result<T, Complaint>;

impl Resolver<'_> {
    fn prelude(&mut self) -> ResolveResult<Env> {
        self.provided("prelude.cat", crate::models::PRELUDE, Env::default())
    }

    /// A text of ours.
    fn provided(&mut self, name: &str, text: &str, env: Env) -> ResolveResult<Env> {
        let index = self.files.len();
        self.files.push((name.into(), text.into()));
        let tree = parse::file(text, index)?;
        self.items(&tree.items, env)
    }

    fn items(&mut self, items: &[Item], mut env: Env) -> ResolveResult<Env> {
        for item in items {
            env = self.item(item, env)?;
        }
        Ok(env)
    }

    fn item(&mut self, item: &Item, env: Env) -> ResolveResult<Env> {
        match item {
            Item::Let(lets) => self.lets(lets, env),
            Item::Axiom { check, negated, flag, expr, name, span } => {
                let term = self.expr(expr, &env)?;
                let node = self.node(term, Arity::Relation);
                if *check != Check::Empty {
                    self.want(node, Arity::Relation, expr.span)?;
                }
                let place = self.place(*span);
                self.axioms.push(Axiom {
                    check: *check,
                    negated: *negated,
                    flag: *flag,
                    name: name.clone().unwrap_or_else(|| self.default_name(*check, node)),
                    place,
                    node,
                });
                Ok(env)
            }
            Item::Include { file, span } => self.deeper(*span, |r| r.include(file, *span, env)),
            Item::Procedure { name, params, items } => {
                let items = Rc::new(items.clone());
                let meaning =
                    Meaning::Procedure { params: params.clone(), items, env: env.clone() };
                Ok(env.with(name, meaning))
            }
            Item::Call { name, args, span } => {
                let Some(Meaning::Procedure { params, items, env: own }) = env.get(name).cloned()
                else {
                    let message = format!("there is no procedure `{name}`");
                    return Err(Complaint::new(*span, message));
                };
                let inner = self.bind(name, &params, args, *span, &env, own)?;
                self.deeper(*span, |r| r.items(&items, inner))?;
                Ok(env)
            }
            Item::Catdep => {
                self.catdep = true;
                Ok(env)
            }
            Item::Enumerated { order, function, span } => {
                if !ENUMERATIONS.contains(&function.as_str()) || env.get(function).is_some() {
                    let message = format!("`with {order} from {function}` is not supported");
                    return Err(Complaint::new(*span, message)
                        .hint("`co` is enumerated, and always; other orders are empty ones only"));
                }
                Ok(env.with(order, Meaning::Term(Resolvent::Zero)))
            }
            Item::If(condition, yes, no) => {
                let items = if holds(condition) { yes } else { no };
                self.items(items, env)
            }
        }
    }

    fn default_name(&self, check: Check, node: Id) -> String {
        let verb = match check {
            Check::Acyclic => "acyclic",
            Check::Irreflexive => "irreflexive",
            Check::Empty => "empty",
        };
        match self.dag.names.get(&node) {
            Some(name) => format!("{verb} {name}"),
            None => format!("{verb} #{}", self.axioms.len() + 1),
        }
    }

    fn place(&self, span: Span) -> (String, usize) {
        let (file, text) = &self.files[span.file];
        (file.clone(), text[..span.start.min(text.len())].matches('\n').count() + 1)
    }

    fn include(&mut self, file: &str, span: Span, env: Env) -> ResolveResult<Env> {
        if PROVIDED.contains(&file) {
            return Ok(env);
        }
        if file == "lock.cat" {
            return self.provided(file, crate::models::LOCK, env);
        }
        let text = match (self.load)(file) {
            Ok(text) => text,
            Err(why) => match crate::models::library(file) {
                Some(text) => text.to_string(),
                None => {
                    return Err(Complaint::new(span, format!("cannot read \"{file}\": {why}"))
                        .hint("an include is looked for beside the file that has it"));
                }
            },
        };
        let index = self.files.len();
        self.files.push((file.into(), text.clone()));
        let tree = parse::file(&text, index)?;
        self.items(&tree.items, env)
    }

    fn deeper<T>(
        &mut self,
        span: Span,
        run: impl FnOnce(&mut Self) -> ResolveResult<T>,
    ) -> ResolveResult<T> {
        if self.depth >= MAX_DEPTH {
            return Err(Complaint::new(span, "calls or includes go too deep")
                .hint("functions, procedures and files must not mention themselves"));
        }
        if self.dag.nodes.len() > MAX_NODES {
            return Err(Complaint::new(span, "the model becomes too large here"));
        }
        self.depth += 1;
        let done = run(self);
        self.depth -= 1;
        done
    }

    fn lets(&mut self, lets: &Lets, env: Env) -> ResolveResult<Env> {
        if lets.recursive && lets.bindings.iter().all(|b| b.params.is_none()) {
            return self.recursive(&lets.bindings, env);
        }
        let mut after = env.clone();
        for binding in &lets.bindings {
            let meaning = match &binding.params {
                Some(params) if lets.recursive => {
                    let message = format!("`{}{:?}` is a recursive function", binding.name, params);
                    return Err(Complaint::new(binding.span, message)
                        .hint("recursion is supported for sets and relations only"));
                }
                Some(params) => Meaning::Function {
                    params: params.clone(),
                    body: Rc::new(binding.body.clone()),
                    env: env.clone(),
                },
                None => {
                    let term = self.expr(&binding.body, &env)?;
                    self.name(term, &binding.name);
                    Meaning::Term(term)
                }
            };
            after = after.with(&binding.name, meaning);
        }
        Ok(after)
    }

    fn name(&mut self, term: Resolvent, name: &str) {
        if let Resolvent::Node(id) = term {
            if !matches!(self.dag.node(id).op, Op::Base(_)) {
                self.dag.names.entry(id).or_insert_with(|| name.to_string());
            }
        }
    }

    /// Kinds are tried, relations first: nearly all recursive definitions are.
    fn recursive(&mut self, bindings: &[Binding], env: Env) -> ResolveResult<Env> {
        let mut first = None;
        for sets in 0..1u32 << bindings.len().min(MAX_GUESSED) {
            let kind = |i| if sets >> i & 1 == 1 { Arity::Set } else { Arity::Relation };
            let before = self.dag.clone();
            match self.recursive_as(bindings, (0..bindings.len()).map(kind).collect(), &env) {
                Ok(after) => return Ok(after),
                Err(complaint) => first.get_or_insert(complaint),
            };
            self.dag = before;
        }
        Err(first.unwrap_or_else(|| Complaint::new(Span::default(), "an empty definition")))
    }

    fn recursive_as(
        &mut self,
        bindings: &[Binding],
        kinds: Vec<Arity>,
        env: &Env,
    ) -> ResolveResult<Env> {
        let (group, open) = self.dag.open_group(kinds.clone());
        let mut inner = env.clone();
        for (binding, &id) in bindings.iter().zip(&open) {
            inner = inner.with(&binding.name, Meaning::Term(Resolvent::Node(id)));
        }
        let mut bodies = Vec::new();
        for (binding, &kind) in bindings.iter().zip(&kinds) {
            let term = self.expr(&binding.body, &inner)?;
            let node = self.node(term, kind);
            self.want(node, kind, binding.body.span)?;
            bodies.push(node);
        }
        if self.dag.negates(group) {
            let message =
                "a definition stands under `~` or on the right of `\\` in its own recursion";
            return Err(Complaint::new(bindings[0].span, message)
                .hint("such a recursion need not have a least solution"));
        }
        let fixed = self.dag.close_group(group, bodies);
        let mut after = env.clone();
        for (binding, &id) in bindings.iter().zip(&fixed) {
            self.name(Resolvent::Node(id), &binding.name);
            after = after.with(&binding.name, Meaning::Term(Resolvent::Node(id)));
        }
        Ok(after)
    }

    /// The environment in which a body is read: the definition's, with arguments for parameters.
    fn bind(
        &mut self,
        name: &str,
        params: &[String],
        args: &[Expr],
        span: Span,
        env: &Env,
        own: Env,
    ) -> ResolveResult<Env> {
        if params.len() != args.len() {
            let message = format!("`{name}` takes {}, not {}", count(params.len()), args.len());
            return Err(Complaint::new(span, message));
        }
        let mut inner = own;
        for (param, arg) in params.iter().zip(args) {
            let term = self.expr(arg, env)?;
            inner = inner.with(param, Meaning::Term(term));
        }
        Ok(inner)
    }

    fn expr(&mut self, expr: &Expr, env: &Env) -> ResolveResult<Resolvent> {
        match &expr.kind {
            ExprKind::Zero => Ok(Resolvent::Zero),
            ExprKind::All => Ok(Resolvent::Node(self.dag.add(Op::Base("_".into()), Arity::Set))),
            ExprKind::Name(name) => self.lookup(name, expr.span, env),
            ExprKind::Unary(op, inner) => self.unary(*op, inner, env),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, env),
            ExprKind::Call(name, args) => {
                let meaning = env.get(name).cloned();
                let Some(Meaning::Function { params, body, env: own }) = meaning else {
                    let mut complaint =
                        Complaint::new(expr.span, format!("there is no function `{name}`"));
                    complaint.unknown_name = meaning.is_none();
                    return Err(complaint);
                };
                let inner = self.bind(name, &params, args, expr.span, env, own)?;
                self.deeper(expr.span, |r| r.expr(&body, &inner))
            }
            ExprKind::Let(lets, body) => {
                let inner = self.lets(lets, env.clone())?;
                self.expr(body, &inner)
            }
            ExprKind::Try(first, second) => match self.expr(first, env) {
                Err(complaint) if complaint.unknown_name => self.expr(second, env),
                other => other,
            },
            ExprKind::If(condition, yes, no) => {
                self.expr(if holds(condition) { yes } else { no }, env)
            }
        }
    }

    fn lookup(&mut self, name: &str, span: Span, env: &Env) -> ResolveResult<Resolvent> {
        match env.get(name) {
            Some(Meaning::Term(term)) => return Ok(*term),
            Some(Meaning::Function { params, .. }) => {
                let message = format!("`{name}` is a function of {}", count(params.len()));
                return Err(Complaint::new(span, message)
                    .hint(format!("call it: {name}({})", params.join(", "))));
            }
            Some(Meaning::Procedure { .. }) => {
                return Err(Complaint::new(span, format!("`{name}` is a procedure"))
                    .hint(format!("as an item of its own: call {name}(...)")));
            }
            None => {}
        }
        let of_catdep = || names::catdep_kind(name).filter(|_| self.catdep);
        if let Some(kind) = names::kind(name).or_else(of_catdep) {
            return Ok(Resolvent::Node(self.dag.add(Op::Base(name.into()), kind)));
        }
        let mut complaint = Complaint::new(span, format!("`{name}` is not defined"));
        complaint.unknown_name = true;
        let known = env.entries().map(|entry| entry.name.as_str());
        Err(match names::similar(name, known) {
            Some(other) => complaint.hint(format!("did you mean `{other}`?")),
            None => complaint,
        })
    }

    /// The node of a term; an empty one is of kind `kind`.
    fn node(&mut self, term: Resolvent, kind: Arity) -> Id {
        match term {
            Resolvent::Node(id) => id,
            Resolvent::Zero => self.dag.add(Op::Nothing, kind),
        }
    }

    fn want(&self, node: Id, kind: Arity, span: Span) -> ResolveResult<()> {
        if self.dag.kind(node) == kind {
            return Ok(());
        }
        Err(match kind {
            Arity::Relation => Complaint::new(span, "this is a set, a relation is needed here")
                .hint("[S] is the identity on a set S, S * T all pairs of two sets"),
            Arity::Set => Complaint::new(span, "this is a relation, a set is needed here")
                .hint("domain(r) and range(r) are the sets at the ends of a relation r"),
        })
    }

    fn unary(&mut self, op: Unary, inner: &Expr, env: &Env) -> ResolveResult<Resolvent> {
        let term = self.expr(inner, env)?;
        let (from, to) = match op {
            Unary::Complement => {
                let node = self.node(term, Arity::Relation);
                let kind = self.dag.kind(node);
                return Ok(Resolvent::Node(self.dag.add(Op::Complement(node), kind)));
            }
            Unary::Identity => (Arity::Set, Arity::Relation),
            Unary::Domain | Unary::Range => (Arity::Relation, Arity::Set),
            _ => (Arity::Relation, Arity::Relation),
        };
        let node = self.node(term, from);
        self.want(node, from, inner.span)?;
        let op = match op {
            Unary::Plus => Op::Plus(node),
            Unary::Star => Op::Star(node),
            Unary::Opt => Op::Opt(node),
            Unary::Inverse => Op::Inverse(node),
            Unary::Identity => Op::Identity(node),
            Unary::Domain => Op::Domain(node),
            Unary::Range | Unary::Complement => Op::Range(node),
        };
        Ok(Resolvent::Node(self.dag.add(op, to)))
    }

    fn binary(
        &mut self,
        op: Binary,
        left: &Expr,
        right: &Expr,
        env: &Env,
    ) -> ResolveResult<Resolvent> {
        let (a, b) = (self.expr(left, env)?, self.expr(right, env)?);
        let wanted = match op {
            Binary::Product => Some(Arity::Set),
            Binary::Seq => Some(Arity::Relation),
            _ => None,
        };
        let kind = match (wanted, a, b) {
            (Some(kind), ..) => kind,
            (None, Resolvent::Zero, Resolvent::Zero) => return Ok(Resolvent::Zero),
            (None, Resolvent::Node(id), _) | (None, Resolvent::Zero, Resolvent::Node(id)) => {
                self.dag.kind(id)
            }
        };
        let (a, b) = (self.node(a, kind), self.node(b, kind));
        self.want(a, kind, left.span)?;
        self.want(b, kind, right.span)?;
        let (op, kind) = match op {
            Binary::Union => (Op::Union(a, b), kind),
            Binary::Inter => (Op::Inter(a, b), kind),
            Binary::Diff => (Op::Diff(a, b), kind),
            Binary::Seq => (Op::Seq(a, b), Arity::Relation),
            Binary::Product => (Op::Product(a, b), Arity::Relation),
        };
        Ok(Resolvent::Node(self.dag.add(op, kind)))
    }
}

fn count(n: usize) -> String {
    if n == 1 { "1 argument".into() } else { format!("{n} arguments") }
}

/// No variant is on.
fn holds(condition: &Condition) -> bool {
    match condition {
        Condition::Variant => false,
        Condition::Not(inner) => !holds(inner),
        Condition::And(a, b) => holds(a) && holds(b),
        Condition::Or(a, b) => holds(a) || holds(b),
    }
}
