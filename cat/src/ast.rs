//! A cat file as a tree.

use crate::error::Span;

#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub span: Span,
    pub kind: ExprKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binary {
    Union,
    Seq,
    Diff,
    Inter,
    Product,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Unary {
    Complement,
    Plus,
    Star,
    Opt,
    Inverse,
    /// `[S]`
    Identity,
    Domain,
    Range,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Name(String),
    /// `0`, `{}`: the empty set or relation.
    Zero,
    /// `_`
    All,
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Call(String, Vec<Expr>),
    Let(Lets, Box<Expr>),
    Try(Box<Expr>, Box<Expr>),
    If(Condition, Box<Expr>, Box<Expr>),
}

/// A condition over variants (`"mixed"`).
#[derive(Clone, Debug)]
pub(crate) enum Condition {
    /// None is on.
    Variant,
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

#[derive(Clone, Debug)]
pub(crate) struct Lets {
    pub recursive: bool,
    pub bindings: Vec<Binding>,
}

#[derive(Clone, Debug)]
pub(crate) struct Binding {
    pub name: String,
    pub span: Span,
    /// `None`: not a function.
    pub params: Option<Vec<String>>,
    pub body: Expr,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Check {
    Acyclic,
    Irreflexive,
    Empty,
}

#[derive(Clone, Debug)]
pub(crate) enum Item {
    Let(Lets),
    Axiom {
        check: Check,
        negated: bool,
        flag: bool,
        expr: Expr,
        name: Option<String>,
        span: Span,
    },
    Include {
        file: String,
        span: Span,
    },
    Procedure {
        name: String,
        params: Vec<String>,
        items: Vec<Item>,
    },
    Call {
        name: String,
        args: Vec<Expr>,
        span: Span,
    },
    If(Condition, Vec<Item>, Vec<Item>),
    /// `catdep`: dependencies are computed from what instructions do with registers.
    Catdep,
    /// `with order from (function argument)`.
    Enumerated {
        order: String,
        function: String,
        span: Span,
    },
}

/// A file: what it calls itself, and what it says.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub title: Option<String>,
    pub items: Vec<Item>,
}
