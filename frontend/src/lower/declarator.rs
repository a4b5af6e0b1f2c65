//! Declarators: pointers, arrays, functions and parameters around a base type.

use super::attribute::Attributes;
use super::decl::qualifier;
use super::scan::declared_name;
use super::scope::Symbol;
use super::{Result, Unit};
use ir::types::{FunctionType, Type, TypeId};
use lang_c::ast;
use lang_c::span::Node;

/// A declarator, understood.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub name: Option<String>,
    pub ty: TypeId,
    pub attributes: Attributes,
}

/// A parameter of a function, adjusted.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub name: Option<String>,
    pub ty: TypeId,
    /// Made of an array whose length only the running function knows.
    pub variable: bool,
}

impl Unit<'_> {
    /// Applies a declarator to its base type: pointers first, then suffixes from the right, then
    /// whatever stands in parentheses.
    pub(crate) fn declarator(
        &mut self,
        node: &Node<ast::Declarator>,
        base: TypeId,
    ) -> Result<Declared> {
        let mut attributes = self.attributes(&node.node.extensions)?;
        let mut ty = base;
        let is_pointer = |d: &&Node<ast::DerivedDeclarator>| {
            matches!(d.node, ast::DerivedDeclarator::Pointer(_) | ast::DerivedDeclarator::Block(_))
        };
        for derived in node.node.derived.iter().filter(is_pointer) {
            if let ast::DerivedDeclarator::Pointer(qualifiers) = &derived.node {
                ty = self.link.types.intern(Type::Pointer(ty));
                let atomic = |q: &Node<ast::PointerQualifier>| {
                    matches!(&q.node, ast::PointerQualifier::TypeQualifier(t)
                        if t.node == ast::TypeQualifier::Atomic)
                };
                if qualifiers.iter().any(atomic) {
                    ty = self.atomic_type(ty);
                }
                for q in qualifiers {
                    match &q.node {
                        ast::PointerQualifier::TypeQualifier(q) => {
                            ty = self.link.types.qualified(ty, qualifier(&q.node));
                        }
                        ast::PointerQualifier::Extension(e) => {
                            attributes = attributes.and(self.attributes(e)?);
                        }
                    }
                }
            }
        }
        for derived in node.node.derived.iter().rev().filter(|d| !is_pointer(d)) {
            self.mark(derived.span);
            ty = self.suffix(&derived.node, ty)?;
        }
        let name = match &node.node.kind.node {
            ast::DeclaratorKind::Abstract => None,
            ast::DeclaratorKind::Identifier(id) => Some(id.node.name.clone()),
            ast::DeclaratorKind::Declarator(inner) => {
                let mut declared = self.declarator(inner, ty)?;
                declared.attributes = declared.attributes.and(attributes);
                return Ok(declared);
            }
        };
        Ok(Declared { name, ty, attributes })
    }

    fn suffix(&mut self, derived: &ast::DerivedDeclarator, ty: TypeId) -> Result<TypeId> {
        match derived {
            ast::DerivedDeclarator::Array(array) => self.array_suffix(&array.node.size, ty),
            ast::DerivedDeclarator::Function(f) => self.function_suffix(&f.node, ty),
            ast::DerivedDeclarator::KRFunction(_) => {
                let ret = self.without_sizes(ty);
                let f = FunctionType { ret, params: vec![], variadic: false, prototyped: false };
                Ok(self.link.types.intern(Type::Function(f)))
            }
            ast::DerivedDeclarator::Pointer(_) | ast::DerivedDeclarator::Block(_) => Ok(ty),
        }
    }

    fn array_suffix(&mut self, size: &ast::ArraySize, elem: TypeId) -> Result<TypeId> {
        if matches!(self.link.types.get(elem), Type::Function(_)) {
            return Err(self.error("an array of functions"));
        }
        let array = |len| Type::Array { elem, len };
        use ast::ArraySize as S;
        let (S::VariableExpression(e) | S::StaticExpression(e)) = size else {
            return Ok(self.link.types.intern(array(None)));
        };
        let at = self.at;
        let size_type = self.size_type();
        if let Some(len) = self.try_constant(e)? {
            self.at = at;
            if !(0..=1 << 40).contains(&len) {
                return Err(self.error("the size of this array is out of range"));
            }
            if self.is_variable_array(elem) {
                let count = self.bits(len as u64, size_type);
                return Ok(self.variable_array(elem, count));
            }
            return Ok(self.link.types.intern(array(Some(len as u64))));
        }
        self.at = at;
        if self.at_file_scope() {
            return Err(self.error("the size of this array is not a constant"));
        }
        let count = self.expr(e)?;
        let count = self.convert(count, size_type)?;
        let (count, _, _) = self.scalar(count, "the size of an array")?;
        Ok(self.variable_array(elem, count))
    }

    fn function_suffix(&mut self, f: &ast::FunctionDeclarator, ret: TypeId) -> Result<TypeId> {
        let params: Vec<TypeId> = self.parameters(f)?.into_iter().map(|p| p.ty.bare()).collect();
        let ret = self.without_sizes(ret);
        let variadic = f.ellipsis == ast::Ellipsis::Some;
        let prototyped = !f.parameters.is_empty() || variadic;
        let params = match params.as_slice() {
            [only] if *self.link.types.get(*only) == Type::Void => Vec::new(),
            _ => params,
        };
        let ty = FunctionType { ret: ret.bare(), params, variadic, prototyped };
        Ok(self.link.types.intern(Type::Function(ty)))
    }

    /// Names and adjusted types of parameters. In `int n, int a[n]` the first is in scope in the
    /// second; what it then is (`variable`) is known where the function is entered.
    pub fn parameters(&mut self, f: &ast::FunctionDeclarator) -> Result<Vec<Parameter>> {
        self.scopes.push(super::Scope::default());
        let params = self.aside(|unit| f.parameters.iter().map(|p| unit.parameter(p)).collect());
        self.scopes.pop();
        let mut params: Vec<Parameter> = params?;
        for param in &mut params {
            param.ty = self.without_sizes(param.ty);
        }
        Ok(params)
    }

    fn parameter(&mut self, node: &Node<ast::ParameterDeclaration>) -> Result<Parameter> {
        let base = self.specifiers(&node.node.specifiers, node.span)?;
        let Some(declarator) = &node.node.declarator else {
            let ty = self.shaped(base.ty, &base.attributes);
            let ty = self.adjust_parameter(ty);
            return Ok(Parameter { name: None, ty, variable: false });
        };
        let declared = self.declarator(declarator, base.ty)?;
        let behind = self.attributes(&node.node.extensions)?;
        let attributes = declared.attributes.and(base.attributes).and(behind);
        let variable = self.without_sizes(declared.ty) != declared.ty;
        let ty = self.adjust_parameter(declared.ty);
        let ty = self.shaped(ty, &attributes);
        let name = declared_name(&declarator.node);
        if let (Some(name), Some(scalar)) = (&name, self.link.types.scalar(ty)) {
            let reg = self.f.temp(scalar, self.at);
            self.bind(name, Symbol::Register { reg, ty });
        }
        Ok(Parameter { name, ty, variable })
    }

    /// What a parameter is whose size is known by now.
    pub(crate) fn variable_parameter(
        &mut self,
        node: &Node<ast::ParameterDeclaration>,
    ) -> Result<TypeId> {
        let base = self.specifiers(&node.node.specifiers, node.span)?;
        let Some(declarator) = &node.node.declarator else { return Ok(base.ty) };
        let declared = self.declarator(declarator, base.ty)?;
        Ok(self.adjust_parameter(declared.ty))
    }

    pub(crate) fn adjust_parameter(&mut self, ty: TypeId) -> TypeId {
        match *self.link.types.get(ty) {
            Type::Array { elem, .. } | Type::VariableArray { elem, .. } => {
                self.link.types.intern(Type::Pointer(elem))
            }
            Type::Function(_) => self.link.types.intern(Type::Pointer(ty)),
            _ => ty,
        }
    }
}
