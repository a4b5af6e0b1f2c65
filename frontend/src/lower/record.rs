//! Structs, unions and enums: what their tags mean and what their members are.

use super::attribute::Attributes;
use super::decl::fits;
use super::layout::{self, RecordAttributes};
use super::scope::{Symbol, Tag};
use super::{Result, Unit};
use ir::types::{Rank, RecordId, Type, TypeId};
use lang_c::ast;
use lang_c::span::Node;

impl Unit<'_> {
    pub(crate) fn record_type(
        &mut self,
        node: &Node<ast::StructType>,
        a: Attributes,
    ) -> Result<TypeId> {
        let union = node.node.kind.node == ast::StructKind::Union;
        let tag = node.node.identifier.as_ref().map(|id| id.node.name.clone());
        let record = self.record_of_tag(union, tag.as_deref(), node.node.declarations.is_some())?;
        if let Some(declarations) = &node.node.declarations {
            self.mark(node.span);
            if self.link.types.record(record).layout.is_some() {
                let tag = tag.unwrap_or_default();
                return Err(self.error(format!("`{tag}` is defined twice")));
            }
            self.complete_record(record, declarations, a)?;
        }
        Ok(self.link.types.intern(Type::Record(record)))
    }

    /// `struct s;` alone declares a new type in this scope, whatever an outer `s` is.
    pub(crate) fn declare_tag(&mut self, list: &[Node<ast::DeclarationSpecifier>]) -> Result<()> {
        let [Node { node: ast::DeclarationSpecifier::TypeSpecifier(specifier), .. }] = list else {
            return Ok(());
        };
        if let ast::TypeSpecifier::Struct(s) = &specifier.node
            && let (Some(id), None) = (&s.node.identifier, &s.node.declarations)
        {
            let union = s.node.kind.node == ast::StructKind::Union;
            self.record_of_tag(union, Some(&id.node.name), true)?;
        }
        Ok(())
    }

    fn record_of_tag(&mut self, union: bool, tag: Option<&str>, defines: bool) -> Result<RecordId> {
        let Some(tag) = tag else { return Ok(self.link.types.new_record(union, None)) };
        let found = if defines { self.own_tag(tag) } else { self.lookup_tag(tag) };
        match found {
            Some(Tag::Record(r)) if self.link.types.record(r).union == union => Ok(r),
            Some(_) => Err(self.error(format!("`{tag}` is another kind of type"))),
            None => {
                let record = self.link.types.new_record(union, Some(tag.to_owned()));
                self.bind_tag(tag, Tag::Record(record));
                Ok(record)
            }
        }
    }

    fn complete_record(
        &mut self,
        record: RecordId,
        declarations: &[Node<ast::StructDeclaration>],
        attributes: Attributes,
    ) -> Result<()> {
        let mut members = Vec::new();
        for declaration in declarations {
            match &declaration.node {
                ast::StructDeclaration::Field(field) => members.extend(self.members(field)?),
                ast::StructDeclaration::StaticAssert(s) => self.static_assert(s)?,
            }
        }
        let union = self.link.types.record(record).union;
        self.check_members(&members, union)?;
        let Attributes { packed, align, pack, transparent, reversed, binding, .. } = attributes;
        let fields_of_bits = members.iter().any(|member| member.width.is_some());
        let foreign = binding.unclear == Some("ms_struct") && fields_of_bits;
        if foreign {
            // Sizes are constants of the program: there is no place to stop at.
            self.ignore_attribute("ms_struct");
        }
        let attributes = RecordAttributes { packed, align, pack };
        let layout = layout::layout(&self.link.types, union, members, attributes);
        self.link.types.complete(record, layout);
        let record = self.link.types.record_mut(record);
        (record.transparent, record.reversed) = (transparent, reversed);
        record.foreign = foreign;
        Ok(())
    }

    pub(crate) fn enum_type(
        &mut self,
        node: &Node<ast::EnumType>,
        a: &Attributes,
    ) -> Result<TypeId> {
        // C23's `enum e : T`
        let underlying = a.underlying;
        let tag = node.node.identifier.as_ref().map(|id| id.node.name.clone());
        let uint = self.link.types.intern(Type::Int { rank: Rank::Int, signed: false });
        if node.node.enumerators.is_empty() {
            if let (Some(tag), Some(ty)) = (tag.as_deref(), underlying) {
                self.bind_tag(tag, Tag::Enum(ty));
            }
            return Ok(match tag.as_deref().and_then(|t| self.lookup_tag(t)) {
                Some(Tag::Enum(ty)) => ty,
                _ => uint,
            });
        }
        let defined = |own: Option<Tag>| match (own, underlying) {
            // It was declared with its type before.
            (Some(Tag::Enum(known)), Some(ty)) => known != ty,
            (own, _) => own.is_some(),
        };
        if let Some(tag) = tag.as_deref().filter(|t| defined(self.own_tag(t))) {
            self.mark(node.span);
            return Err(self.error(format!("`{tag}` is defined twice")));
        }
        let mut next: i128 = 0;
        let mut range = (0i128, 0i128);
        for item in &node.node.enumerators {
            if let Some(e) = &item.node.expression {
                next = self.constant_int(e)?;
            }
            self.mark(item.span);
            range = (range.0.min(next), range.1.max(next));
            let ty = match underlying {
                Some(ty) => ty,
                None => self.enumerator_type(next, next),
            };
            let name = &item.node.identifier.node.name;
            self.check_redefinition(name)?;
            self.bind(name, Symbol::Constant { value: next, ty });
            next += 1;
        }
        if let Some(ty) = underlying {
            if let Some(tag) = tag {
                self.bind_tag(&tag, Tag::Enum(ty));
            }
            return Ok(ty);
        }
        let signed = range.0 < 0;
        let ty = self.enumerator_type(range.0, range.1);
        // GNU C: enumerators that do not fit `int` have the type of the enum.
        if !fits(range.0, 32, true) || !fits(range.1, 32, true) {
            for item in &node.node.enumerators {
                let name = &item.node.identifier.node.name;
                if let Some(&Symbol::Constant { value, .. }) = self.lookup(name)
                    && !fits(value, 32, true)
                {
                    self.bind(name, Symbol::Constant { value, ty });
                }
            }
        }
        let bits32 = fits(range.0, 32, signed) && fits(range.1, 32, signed);
        let uint = Type::Int { rank: Rank::Int, signed };
        let ty = if bits32 { self.link.types.intern(uint) } else { ty };
        let holds =
            |(bits, _): &(u32, Rank)| fits(range.0, *bits, signed) && fits(range.1, *bits, signed);
        let smallest = [(8, Rank::Char), (16, Rank::Short)].into_iter().find(holds);
        let ty = match smallest {
            Some((_, rank)) if a.packed => self.link.types.intern(Type::Int { rank, signed }),
            _ => self.shaped(ty, a),
        };
        if let Some(tag) = tag {
            self.bind_tag(&tag, Tag::Enum(ty));
        }
        *self.link.enums.entry(ty.bare()).or_default() += 1;
        Ok(ty)
    }

    /// `int` if it holds these values, else what gcc takes.
    fn enumerator_type(&mut self, low: i128, high: i128) -> TypeId {
        let types = [
            (Rank::Int, true),
            (Rank::Int, false),
            (Rank::Long, true),
            (Rank::Long, false),
            (Rank::LongLong, true),
            (Rank::LongLong, false),
        ];
        let holds = |&(rank, signed): &(Rank, bool)| {
            let bits = self.link.types.rank_bytes(rank) as u32 * 8;
            fits(low, bits, signed) && fits(high, bits, signed)
        };
        // gcc prefers the unsigned type for an enum without negative values.
        let unsigned_first = low >= 0 && !fits(high, 32, true);
        let found = types.into_iter().filter(|t| !(unsigned_first && t.1)).find(holds);
        let (rank, signed) = found.unwrap_or((Rank::LongLong, false));
        self.link.types.intern(Type::Int { rank, signed })
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{ILP32, error, type_of, type_on, value, values};

    #[test]
    fn enumerators_and_their_types() {
        let e = "enum e { A, B = 5, C, D = -2, E };";
        assert_eq!(value(e, "A * 1000 + B * 100 + C * 10 + E"), 559);
        assert_eq!(type_of(e, "A"), "int");
        assert_eq!(type_of(e, "(enum e)0"), "int");
        assert_eq!(type_of("enum e { A };", "(enum e)0"), "unsigned int");
        // Only those beyond `int` have the type of the enum, until C23.
        let big = "enum e { A, B = 0x80000000};";
        assert_eq!((&*type_of(big, "A"), &*type_of(big, "B")), ("int", "unsigned int"));
        let big = "enum e { A = -1, B = 0x80000000};";
        assert_eq!(type_of(big, "B"), "long");
        assert_eq!(type_on(ILP32, big, "B"), "long long");
        let huge = "enum e { A, B = 0xffffffffffffffff };";
        assert_eq!((&*type_of(huge, "A"), &*type_of(huge, "B")), ("int", "unsigned long"));
        assert_eq!(values(huge, "sizeof(enum e)"), (8, 8));
        assert_eq!(error("enum { A, A };"), "1:11: `A` is declared twice");
        assert_eq!(error("enum e { A }; enum e { B };"), "1:15: `e` is defined twice");
    }
}
