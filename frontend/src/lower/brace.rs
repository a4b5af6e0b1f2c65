//! The brace rules of initialisers (C11 6.7.9): which expression initialises which subobject.
//!
//! A list in braces keeps a stack of the aggregates that it is filling, the outermost first, with
//! the number of the member that comes next in each. A designator cuts the stack and pushes its
//! path; a plain item goes to the next member, and opens it if that is an aggregate whose own
//! braces were left out. Cost: linear in the items.

use super::leaves::{ByteExtent, Leaf, Leaves};
use super::{Result, Unit};
use ir::types::{BitField, Type, TypeId};
use lang_c::ast::{self, Expression, Initializer, InitializerListItem};
use lang_c::span::Node;

/// An initialiser without its node.
#[derive(Clone, Copy)]
pub(crate) enum Init<'n> {
    One(&'n Node<Expression>),
    List(&'n [Node<InitializerListItem>]),
}

impl<'n> From<&'n Node<Initializer>> for Init<'n> {
    fn from(node: &'n Node<Initializer>) -> Init<'n> {
        match &node.node {
            Initializer::Expression(e) => Init::One(e),
            Initializer::List(list) => Init::List(list),
        }
    }
}

/// An aggregate that is being filled, and the number of the member that comes next.
#[derive(Clone)]
struct Level {
    part: Subobject,
    next: u64,
    /// A union takes one member.
    full: bool,
}

/// A member of an aggregate: where and what.
#[derive(Clone, Copy)]
pub(crate) struct Subobject {
    pub offset: u64,
    pub ty: TypeId,
    pub bits: Option<BitField>,
}

/// Limit for ranges in designators.
const MOST_LEAVES: usize = 1 << 22;

impl Level {
    fn new(part: Subobject) -> Level {
        Level { part, next: 0, full: false }
    }

    /// Goes on at this member.
    fn seek(&mut self, index: u64) {
        self.next = index;
        self.full = false;
    }
}

impl Unit<'_> {
    /// One object from one initialiser.
    pub fn object<'n>(
        &mut self,
        part: Subobject,
        init: Init<'n>,
        out: &mut Leaves<'n>,
    ) -> Result<()> {
        let part = Subobject { ty: self.record_in(part.ty), ..part };
        if matches!(init, Init::List(_)) && self.is_aggregate(part.ty) {
            out.drop_inside(self.extent(part));
        }
        match init {
            Init::One(value) => self.whole(part, value, out),
            Init::List([only])
                if only.node.designation.is_empty() && self.takes_as_whole(part, only) =>
            {
                self.object(part, (&*only.node.initializer).into(), out)
            }
            Init::List([]) => Ok(()),
            Init::List([first, ..]) if !self.is_aggregate(part.ty) => {
                self.object(part, (&*first.node.initializer).into(), out)
            }
            Init::List(list) => {
                let mut levels = vec![Level::new(part)];
                for item in list {
                    self.item(&mut levels, item, out)?;
                }
                Ok(())
            }
        }
    }

    /// A scalar in braces, or a string for a character array in braces.
    fn takes_as_whole(&self, part: Subobject, item: &Node<InitializerListItem>) -> bool {
        match (&*item.node.initializer).into() {
            _ if !self.is_aggregate(part.ty) => true,
            Init::One(e) => self.string_for(part.ty, e).is_some(),
            Init::List(_) => false,
        }
    }

    /// An object from one expression.
    fn whole<'n>(
        &mut self,
        part: Subobject,
        value: &'n Node<Expression>,
        out: &mut Leaves<'n>,
    ) -> Result<()> {
        let Subobject { offset, mut ty, bits } = part;
        if let Type::Array { elem, len } = *self.link.types.get(ty) {
            match self.string_for(ty, value) {
                // A flexible array member is as long as its string.
                Some(literal) if len.is_none() => {
                    let len = Some(self.string_units(literal).1.len() as u64);
                    ty = self.link.types.intern(Type::Array { elem, len });
                }
                Some(_) => {}
                None if matches!(value.node, Expression::CompoundLiteral(_)) => {}
                None => {
                    self.mark(value.span);
                    return Err(self.error("an array needs a list in braces"));
                }
            }
        }
        if out.len() == MOST_LEAVES {
            return Err(self.error("this initialiser is too large"));
        }
        let size = match bits {
            Some(bits) => u64::from(bits.bytes),
            None => self.link.types.size(ty).unwrap_or(0),
        };
        out.put(Leaf { offset, ty, bits, value }, size);
        Ok(())
    }

    /// One item of a list in braces: its designators move the position, then it initialises what
    /// stands there, and the position moves on (C11 6.7.9).
    fn item<'n>(
        &mut self,
        levels: &mut Vec<Level>,
        item: &'n Node<InitializerListItem>,
        out: &mut Leaves<'n>,
    ) -> Result<()> {
        if !item.node.designation.is_empty() {
            levels.truncate(1);
            self.designate(levels, &item.node.designation, item, out)?;
        }
        self.fill(levels, item, out)
    }

    /// Moves the position to what the designators name. Of a range, all but the last is initialised
    /// here.
    fn designate<'n>(
        &mut self,
        levels: &mut Vec<Level>,
        designators: &[Node<ast::Designator>],
        item: &'n Node<InitializerListItem>,
        out: &mut Leaves<'n>,
    ) -> Result<()> {
        let Some((first, rest)) = designators.split_first() else { return Ok(()) };
        self.mark(first.span);
        let at = self.at;
        let (from, to) = match &first.node {
            ast::Designator::Member(id) => {
                return self.designate_member(levels, &id.node.name, rest, item, out);
            }
            ast::Designator::Index(e) => {
                let i = self.constant_u64(e)?;
                (i, i)
            }
            ast::Designator::Range(r) => {
                (self.constant_u64(&r.node.from)?, self.constant_u64(&r.node.to)?)
            }
        };
        self.at = at;
        let is_array = levels
            .last()
            .is_some_and(|l| matches!(self.link.types.get(l.part.ty), Type::Array { .. }));
        if !is_array || from > to {
            return Err(self.error("this designator does not fit here"));
        }
        for i in from..to {
            let mut one = levels.clone();
            self.step_in(&mut one, i, rest.is_empty(), out)?;
            self.designate(&mut one, rest, item, out)?;
            self.fill(&mut one, item, out)?;
        }
        self.step_in(levels, to, rest.is_empty(), out)?;
        self.designate(levels, rest, item, out)
    }

    /// A designator `.name`, which may lie inside of anonymous members.
    fn designate_member<'n>(
        &mut self,
        levels: &mut Vec<Level>,
        name: &str,
        rest: &[Node<ast::Designator>],
        item: &'n Node<InitializerListItem>,
        out: &mut Leaves<'n>,
    ) -> Result<()> {
        let part = levels.last().map(|l| l.part);
        let path = match part.map(|p| self.link.types.get(p.ty)) {
            Some(&Type::Record(record)) => self.link.member_path(record, name),
            _ => None,
        };
        let Some(path) = path else {
            return Err(self.error(format!("there is no member `{name}` here")));
        };
        for (i, &index) in path.iter().enumerate() {
            let last = i + 1 == path.len();
            self.step_in(levels, index as u64, last && rest.is_empty(), out)?;
        }
        self.designate(levels, rest, item, out)
    }

    /// Makes member `index` the next one, or if more designators follow, the one to be filled.
    fn step_in(
        &mut self,
        levels: &mut Vec<Level>,
        index: u64,
        last: bool,
        out: &mut Leaves,
    ) -> Result<()> {
        let Some(level) = levels.last_mut() else { return Ok(()) };
        level.seek(index);
        let Some(inner) = self.part(level.part, index) else {
            return Err(self.error("this designator is out of range"));
        };
        if !last {
            self.take(level, out);
            levels.push(Level::new(inner));
        }
        Ok(())
    }

    /// The member at the level's position, which then moves on. `None`: the aggregate is full.
    fn take(&mut self, level: &mut Level, out: &mut Leaves) -> Option<Subobject> {
        let part = self.part(level.part, level.next).filter(|_| !level.full)?;
        if let Type::Record(record) = *self.link.types.get(level.part.ty) {
            level.full = self.link.types.record(record).union;
            self.note_member(record, level.next as usize);
        }
        if level.full {
            out.choose(level.part.ty, self.extent(level.part), level.next);
        }
        level.next += 1;
        Some(part)
    }

    /// A flexible array member goes on to the end.
    fn extent(&self, part: Subobject) -> ByteExtent {
        let size = self.link.types.size(part.ty).unwrap_or(u64::MAX - part.offset);
        ByteExtent { offset: part.offset, size }
    }

    /// Initialises the next member with this item; an aggregate whose braces were left out takes
    /// it for its own first member. What is too much is left out, as gcc does.
    fn fill<'n>(
        &mut self,
        levels: &mut Vec<Level>,
        item: &'n Node<InitializerListItem>,
        out: &mut Leaves<'n>,
    ) -> Result<()> {
        let init = (&*item.node.initializer).into();
        let outermost = levels.first().map(|level| Level { full: true, ..*level });
        while let Some(level) = levels.last_mut() {
            let Some(member) = self.take(level, out) else {
                levels.pop();
                continue;
            };
            if let Init::One(e) = init
                && self.is_aggregate(member.ty)
                && !self.initializes_whole(member.ty, e)?
            {
                levels.push(Level::new(member));
                continue;
            }
            out.touch(member.offset);
            // Braces below the first level end what they initialise.
            return self.object(member, init, out);
        }
        levels.extend(outermost);
        Ok(())
    }

    /// Member number `index`; `None` past the end.
    fn part(&self, of: Subobject, index: u64) -> Option<Subobject> {
        match *self.link.types.get(of.ty) {
            Type::Array { elem, len } => {
                let size = self.link.types.size(elem)?;
                let inside = len.is_none_or(|len| index < len);
                let offset = of.offset.checked_add(index.checked_mul(size)?)?;
                inside.then_some(Subobject { offset, ty: self.record_in(elem), bits: None })
            }
            Type::Record(record) => {
                let layout = self.link.types.record(record).layout.as_ref()?;
                let field = layout.fields.get(index as usize)?;
                let offset = of.offset + field.offset;
                Some(Subobject { offset, ty: self.record_in(field.ty), bits: field.bits })
            }
            _ => None,
        }
    }

    /// The record of an `_Atomic struct`, which is initialised like any other.
    fn record_in(&self, ty: TypeId) -> TypeId {
        let inner = self.link.types.strip_atomic(ty);
        match self.link.types.get(inner) {
            Type::Record(_) => inner,
            _ => ty,
        }
    }

    fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.link.types.get(ty), Type::Array { .. } | Type::Record(_))
    }

    /// Does this expression initialise the aggregate as a whole?
    fn initializes_whole(&mut self, ty: TypeId, e: &Node<Expression>) -> Result<bool> {
        if matches!(self.link.types.get(ty), Type::Array { .. }) {
            return Ok(self.string_for(ty, e).is_some());
        }
        let other = match &e.node {
            // Quickly, and without lowering twice what may nest.
            Expression::Constant(_) | Expression::StringLiteral(_) => return Ok(false),
            Expression::CompoundLiteral(c) => self.type_name(&c.node.type_name)?,
            _ => self.type_of(e)?,
        };
        Ok(self.link.types.strip_atomic(other) == self.link.types.strip_atomic(ty))
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{error, has, ir, object, program};

    fn bytes(text: &str) -> String {
        object(&program(text), "x")
    }

    #[test]
    fn elided_braces() {
        assert_eq!(
            bytes("int x[2][2] = {1, 2, 3};"),
            "global int [2][2], 16 bytes = [01 00 00 00 02 00 00 00 03]"
        );
        assert_eq!(
            bytes("struct { char a[2], b; } x[] = {1, 2, 3, 4};").split(", ").nth(1),
            Some("6 bytes = [01 02 03 04]")
        );
        assert_eq!(
            bytes("struct { struct { char a, b; } s; char c; } x = {{1}, 2};"),
            "global struct <anonymous>, 3 bytes = [01 00 02]"
        );
        assert_eq!(
            bytes("char x[2][2] = {{1}, 2, 3};"),
            "global char [2][2], 4 bytes = [01 00 02 03]"
        );
        assert_eq!(bytes("char x[2] = {1, 2, 3};"), "global char [2], 2 bytes = [01 02]");
        assert_eq!(bytes("char x[2] = {1, 2, 3, [0] = 4};"), "global char [2], 2 bytes = [04 02]");
        assert_eq!(bytes("char x = {1, 2};"), "global char, 1 bytes = [01]");
        assert_eq!(
            bytes("union { char a; short b; } x = {1, 2};"),
            "global union <anonymous>, 2 bytes = [01]"
        );
    }

    #[test]
    fn designators() {
        assert_eq!(
            bytes("char x[] = {[2] = 1, 2, [0] = 3};"),
            "global char [4], 4 bytes = [03 00 01 02]"
        );
        assert_eq!(
            bytes("char x[5] = {[1 ... 3] = 7, 8};"),
            "global char [5], 5 bytes = [00 07 07 07 08]"
        );
        assert_eq!(
            bytes("struct s { char a, b, c; } x = {.b = 1, 2};"),
            "global struct s, 3 bytes = [00 01 02]"
        );
        assert_eq!(
            bytes("struct s { char a; union { char b; short h; }; } x = {.h = 258};"),
            "global struct s, 4 bytes = [00 00 02 01]"
        );
        assert_eq!(
            bytes("union u { char a; short b; } x = {.b = 258};"),
            "global union u, 2 bytes = [02 01]"
        );
        for (text, message) in [
            ("int x[2] = {[2] = 1};", "1:13: this designator is out of range"),
            ("int x[2] = {.a = 1};", "1:13: there is no member `a` here"),
            ("struct s { int a; } x = {[0] = 1};", "1:26: this designator does not fit here"),
            ("int x[9] = {[3 ... 2] = 1};", "1:13: this designator does not fit here"),
        ] {
            assert_eq!(error(text), message);
        }
    }

    /// C11 6.7.9 paragraph 17: a plain initialiser goes on behind the designated subobject.
    #[test]
    fn plain_initialisers_go_on_after_nested_designators() {
        let s = "struct { char a[2]; struct { char b, c; } s; char d; }";
        assert_eq!(
            bytes(&format!("{s} x = {{.s.b = 1, 2, 3}};")),
            "global struct <anonymous>, 5 bytes = [00 00 01 02 03]"
        );
        assert_eq!(
            bytes(&format!("{s} x = {{.a[1] = 1, 2, 3, 4}};")),
            "global struct <anonymous>, 5 bytes = [00 01 02 03 04]"
        );
        assert_eq!(
            bytes(&format!("{s} x = {{.a = 1, 2, 3}};")),
            "global struct <anonymous>, 5 bytes = [01 02 03]"
        );
        assert_eq!(
            bytes("char x[3][2] = {[1][1] = 1, 2};"),
            "global char [3][2], 6 bytes = [00 00 00 01 02]"
        );
        assert_eq!(
            bytes("struct { char a, b; } x[3] = {[0 ... 1].b = 5, 6};").split(" = ").nth(1),
            Some("[00 05 00 05 06]")
        );
        let anonymous = "struct { union { char a; char b; }; char c; } x = {.b = 1, 2};";
        assert_eq!(bytes(anonymous).split(" = ").nth(1), Some("[01 02]"));
    }

    /// C11 6.7.9 paragraph 19; the bytes are gcc's.
    #[test]
    fn later_initialisers_override() {
        let s = "struct { struct { char a, b; } s; union { char c; char d[2]; } u; char e[4]; }";
        for (list, wanted) in [
            (".s.a = 1, .s = {.b = 2}", "[00 02]"),
            (".s = {1, 2}, .s.a = 3", "[03 02]"),
            (".s = {1, 2}, .s = {}", "zero"),
            (".u.d = {1, 2}, .u.c = 3", "[00 00 03]"),
            (".u.d[1] = 1, .u.d[0] = 2", "[00 00 02 01]"),
            (".e = \"abc\", .e = \"d\"", "[00 00 00 00 64]"),
            (".e = \"abc\", .e[0] = 'd'", "[00 00 00 00 64 62 63]"),
            (".e[3] = 1, .e = {2}", "[00 00 00 00 02]"),
        ] {
            let got = bytes(&format!("{s} x = {{{list}}};"));
            assert_eq!(got.split(" = ").nth(1), Some(wanted), "{list}");
        }
        assert_eq!(
            bytes("struct { char a; } x[] = {{}, {}};").split(", ").nth(1),
            Some("2 bytes = zero")
        );
        let whole = "struct s { int a, b; }; struct t { struct s s; }; void g(struct t *);\
                     void f(struct s s) { struct t x = {.s = s, .s.a = 1}; g(&x); }";
        has(&ir(whole), &["unsupported"]);
    }

    #[test]
    fn structs_initialise_struct_members_as_a_whole() {
        let text = "struct s { int a, b; }; struct t { struct s s; int c; } h; void g(struct t *); \
                    void f(struct s s) { struct t x = {s, 3}; g(&x); }";
        has(&ir(text), &["store i32 $x.1,", "store i32 $x.1+4,", "store i32 $x.1+8, 3"]);
    }
}
