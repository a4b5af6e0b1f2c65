//! Initialisers and the designators in them.

use super::Parser;
use super::token::Kind;
use lang_c::ast::*;
use lang_c::span::Node;

impl Parser<'_> {
    pub(super) fn initializer(&mut self) -> Option<Initializer> {
        match self.kind() {
            Kind::OpenBrace => Some(Initializer::List(self.braces()?)),
            _ => Some(Initializer::Expression(Box::new(self.assignment()?))),
        }
    }

    /// `{ ... }`
    pub(super) fn braces(&mut self) -> Option<Vec<Node<InitializerListItem>>> {
        self.expect(Kind::OpenBrace)?;
        let mut items = Vec::new();
        while !self.eat(Kind::CloseBrace) {
            items.push(self.item()?);
            if !self.eat(Kind::Comma) && self.kind() != Kind::CloseBrace {
                return None;
            }
        }
        Some(items)
    }

    fn item(&mut self) -> Option<Node<InitializerListItem>> {
        let start = self.start();
        let designation = self.designation()?;
        let first = self.start();
        let initializer = self.initializer()?;
        let initializer = Box::new(self.node(first, initializer));
        Some(self.node(start, InitializerListItem { designation, initializer }))
    }

    fn designation(&mut self) -> Option<Vec<Node<Designator>>> {
        if self.kind() == Kind::Name && self.kind_ahead(1) == Kind::Colon {
            let start = self.start();
            let member = Designator::Member(self.identifier()?);
            self.advance();
            return Some(vec![self.node(start, member)]);
        }
        let mut designators = Vec::new();
        while matches!(self.kind(), Kind::Dot | Kind::OpenSquare) {
            designators.push(self.designator()?);
        }
        // GNU's old form goes without `=`.
        let old = matches!(&designators[..], [one] if !matches!(one.node, Designator::Member(_)));
        let ended = designators.is_empty() || self.eat(Kind::Assign) || old;
        ended.then_some(designators)
    }

    fn designator(&mut self) -> Option<Node<Designator>> {
        let start = self.start();
        if self.eat(Kind::Dot) {
            let member = self.identifier()?;
            return Some(self.node(start, Designator::Member(member)));
        }
        self.advance();
        let from = self.conditional()?;
        let first = from.span.start;
        let designator = if self.eat(Kind::Ellipsis) {
            let to = self.conditional()?;
            Designator::Range(self.node(first, RangeDesignator { from, to }))
        } else {
            Designator::Index(from)
        };
        self.expect(Kind::CloseSquare)?;
        Some(self.node(start, designator))
    }
}
