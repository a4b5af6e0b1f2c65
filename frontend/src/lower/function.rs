//! Function definitions and local variables.
//!
//! Structs travel by address: a by-value parameter arrives as the address of the caller's copy and
//! is copied into a slot of its own; a struct result is written through a hidden first parameter.

use super::attribute::Attributes;
use super::builder::{Builder, Local};
use super::builtin::{ATOMIC_BEGIN, ATOMIC_END};
use super::declarator::{Declared, Parameter};
use super::place::Lvalue;
use super::scope::Symbol;
use super::{Hint, Result, Scope, Unit, Value, scan};
use ir::types::{FunctionType, Scalar, Type, TypeId};
use ir::*;
use lang_c::ast;
use lang_c::span::Node;

/// Functions with this prefix are atomic as a whole (SV-COMP).
const ATOMIC_PREFIX: &str = "__VERIFIER_atomic_";

impl Unit<'_> {
    pub(crate) fn function_definition(
        &mut self,
        node: &Node<ast::FunctionDefinition>,
    ) -> Result<()> {
        let definition = &node.node;
        let span = self.mark(definition.declarator.span);
        let specifiers = self.specifiers(&definition.specifiers, node.span)?;
        let declared = self.declarator(&definition.declarator, specifiers.ty)?;
        self.at = span;
        let Some(name) = declared.name.clone() else {
            return Err(self.error("a function needs a name"));
        };
        let Type::Function(mut ty) = self.link.types.get(declared.ty).clone() else {
            return Err(self.error(format!("`{name}` is not a function")));
        };
        let params = self.definition_params(definition, &mut ty)?;
        self.at = span;
        let is_static = matches!(specifiers.storage, Some(ast::StorageClassSpecifier::Static))
            || matches!(self.lookup(&name), Some(Symbol::Function { is_static: true, .. }));
        let known = self.link.types.intern(Type::Function(ty.clone()));
        self.bind(&name, Symbol::Function { ty: known, is_static });
        let id = self.function_called(&name);
        let attributes = declared.attributes.and(specifiers.attributes);
        self.note_constructor(&name, &attributes);
        self.note_binding(&name, &attributes);
        let may_repeat = self.origin == Origin::Model || specifiers.inline;
        let gives_way = self.gives_way(id, &name);
        let may_repeat = may_repeat || gives_way || self.link.inline.contains(&id);
        if !self.replaces(id, &name) {
            return match may_repeat {
                true if gives_way || self.origin == Origin::Model => Ok(()),
                true => self.compare_definitions(id, &name, ty, params, definition),
                false => Err(self.redefinition(&name)),
            };
        }
        self.build(id, &name, ty, params, definition)?;
        if specifiers.inline && !is_static {
            self.link.inline.insert(id);
        }
        self.link.functions[id.index()].span = span;
        Ok(())
    }

    /// GNU's function inside of another one. It is like any other as long as it uses no variables of
    /// that; those are found by `is_outer_local`.
    pub(crate) fn nested_function(
        &mut self,
        name: &str,
        ty: TypeId,
        declarator: &Node<ast::Declarator>,
        body: Option<&Node<ast::Statement>>,
    ) -> Result<()> {
        let span = self.at;
        let own = self.scopes.last().and_then(|scope| scope.names.get(name));
        let id = match own {
            Some(&Symbol::Nested { function, .. }) => function,
            _ => self.link.add_function(name, span),
        };
        let Type::Function(mut function) = self.link.types.get(ty).clone() else { return Ok(()) };
        self.bind(name, Symbol::Nested { function: id, ty });
        let Some(body) = body else { return Ok(()) };
        if self.link.functions[id.index()].has_body() {
            return Err(self.redefinition(name));
        }
        let definition = ast::FunctionDefinition {
            specifiers: Vec::new(),
            declarator: declarator.clone(),
            declarations: Vec::new(),
            statement: body.clone(),
        };
        let params = self.definition_params(&definition, &mut function)?;
        self.build(id, name, function, params, &definition)?;
        self.link.functions[id.index()].span = span;
        Ok(())
    }

    fn redefinition(&self, name: &str) -> crate::error::Error {
        self.error(format!("function `{name}` is defined twice"))
            .hint("when several files are given, at most one may define it")
    }

    /// Names and types of the parameters; fills in the types of old-style definitions.
    fn definition_params(
        &mut self,
        definition: &ast::FunctionDefinition,
        ty: &mut FunctionType,
    ) -> Result<Vec<Parameter>> {
        match params_of(&definition.declarator.node) {
            Some(ast::DerivedDeclarator::Function(f)) => {
                let mut params = self.parameters(&f.node)?;
                if let [Parameter { name: None, ty, .. }] = params[..]
                    && self.is_void(ty)
                {
                    params.clear();
                }
                Ok(params)
            }
            Some(ast::DerivedDeclarator::KRFunction(names)) => {
                let params = self.old_style_params(names, &definition.declarations)?;
                ty.params = params.iter().map(|p| p.ty.bare()).collect();
                Ok(params)
            }
            _ => Err(self.error("this function has no parameter list")),
        }
    }

    fn old_style_params(
        &mut self,
        names: &[Node<ast::Identifier>],
        declarations: &[Node<ast::Declaration>],
    ) -> Result<Vec<Parameter>> {
        let mut types = rustc_hash::FxHashMap::default();
        for declaration in declarations {
            let base = self.specifiers(&declaration.node.specifiers, declaration.span)?;
            for item in &declaration.node.declarators {
                let declared = self.declarator(&item.node.declarator, base.ty)?;
                let attributes = declared.attributes.and(base.attributes.clone());
                let ty = self.shaped(declared.ty, &attributes);
                let ty = self.adjust_parameter(ty);
                types.insert(declared.name.unwrap_or_default(), ty);
            }
        }
        let int = self.int_type();
        let param = |id: &Node<ast::Identifier>| {
            let name = id.node.name.clone();
            let ty = types.get(&name).copied().unwrap_or(int);
            Parameter { name: Some(name), ty, variable: false }
        };
        Ok(names.iter().map(param).collect())
    }

    pub(super) fn build(
        &mut self,
        id: FuncId,
        name: &str,
        ty: FunctionType,
        params: Vec<Parameter>,
        definition: &ast::FunctionDefinition,
    ) -> Result<()> {
        let body = &definition.statement;
        let outer = std::mem::replace(&mut self.f, Builder::new(name));
        self.f.addressed = scan::addressed_names(body);
        self.f.ret = Some(ty.ret);
        self.f.atomic =
            name.starts_with(ATOMIC_PREFIX) && !matches!(name, ATOMIC_BEGIN | ATOMIC_END);
        let depth = self.scopes.len();
        let frame = std::mem::replace(&mut self.frame, depth);
        self.scopes.push(Scope::default());
        let result = self.build_body(name, &ty, params, definition);
        self.scopes.truncate(depth);
        self.frame = frame;
        let mut built = std::mem::replace(&mut self.f, outer);
        self.link.unsequenced.extend(built.unsequenced.drain(..).map(|pair| (id, pair)));
        let mut params = result?;
        if let Some(area) = built.va_area {
            if !ty.variadic {
                return Err(self.error(format!("`va_start` in `{name}`, which has no `...`")));
            }
            params.push(area);
            self.link.variadic.insert(id);
        }
        let ret = self.link.types.scalar(ty.ret);
        if self.origin == Origin::User {
            self.link.calls.define(id, ty);
        }
        let function = &mut self.link.functions[id.index()];
        function.origin = self.origin;
        function.ret = ret;
        function.params = params;
        function.atomic = built.atomic;
        function.regs = built.regs;
        function.slots = built.slots;
        function.blocks = built.blocks;
        Ok(())
    }

    fn build_body(
        &mut self,
        name: &str,
        ty: &FunctionType,
        params: Vec<Parameter>,
        definition: &ast::FunctionDefinition,
    ) -> Result<Vec<Reg>> {
        let (body, start) = (&definition.statement, self.at);
        let mut regs = Vec::new();
        if self.returns_in_memory(ty.ret) {
            let reg = self.f.temp(Scalar::Ptr, self.at);
            self.f.ret_addr = Some(reg);
            regs.push(reg);
        }
        for param in &params {
            regs.push(self.receive_param(param.name.as_deref(), param.ty)?);
        }
        self.size_parameters(&params, &definition.declarator.node)?;
        if self.f.atomic {
            self.emit(InstKind::AtomicBegin { kind: AtomicKind::User });
        }
        self.statement(body)?;
        self.at = self.map.span(body.span.end.saturating_sub(1));
        let zero = (name == "main" && !self.is_void(ty.ret)).then(|| self.int_type());
        let value = zero.map(|ty| Value::Scalar { op: self.bits(0, ty), ty });
        self.return_value(value)?;
        self.f.settle_computed();
        if let Err((label, span)) = self.f.settle_storage() {
            return Err(self.error_at(span, format!("label `{label}` is not defined")));
        }
        if name == "main" && self.origin == Origin::User {
            self.receive_arguments(&mut regs, &params, body, start);
        }
        Ok(regs)
    }

    /// C11 6.9.1p10: on entry the sizes of arrays in parameters are evaluated.
    fn size_parameters(&mut self, params: &[Parameter], of: &ast::Declarator) -> Result<()> {
        let Some(ast::DerivedDeclarator::Function(f)) = params_of(of) else { return Ok(()) };
        for (param, node) in params.iter().zip(&f.node.parameters) {
            let Some(name) = param.name.as_ref().filter(|_| param.variable) else { continue };
            let sized = self.variable_parameter(node)?;
            let symbol = match self.lookup(name) {
                Some(&Symbol::Register { reg, .. }) => Symbol::Register { reg, ty: sized },
                Some(&Symbol::Slot { slot, .. }) => Symbol::Slot { slot, ty: sized },
                _ => continue,
            };
            self.bind(name, symbol);
        }
        Ok(())
    }

    pub(crate) fn returns_in_memory(&self, ret: TypeId) -> bool {
        self.link.types.scalar(ret).is_none() && !self.is_void(ret)
    }

    /// Binds a parameter and gives the register that the argument arrives in.
    fn receive_param(&mut self, name: Option<&str>, ty: TypeId) -> Result<Reg> {
        let span = self.at;
        let scalar = self.link.types.scalar(ty);
        let reg = self.f.named_reg(name, Some(ty), scalar.unwrap_or(Scalar::Ptr), span);
        let Some(name) = name else { return Ok(reg) };
        if scalar.is_some() && !self.f.addressed.contains(name) {
            self.bind(name, Symbol::Register { reg, ty });
            return Ok(reg);
        }
        if self.link.types.size(ty).is_none() {
            return Err(self.error(format!("parameter `{name}` has an incomplete type")));
        }
        let slot = self.new_slot(name, ty, None);
        let place = Lvalue::Memory { addr: Operand::Slot { slot, offset: 0 }, ty };
        let value = match scalar {
            Some(_) => Value::Scalar { op: Operand::Reg(reg), ty },
            None => Value::Memory { addr: Operand::Reg(reg), ty },
        };
        self.write(place, value)?;
        self.set_constant(slot, ty, true);
        Ok(reg)
    }

    /// Here an object that is defined `const` is initialised, or about to be initialised once more.
    pub fn set_constant(&mut self, slot: SlotId, ty: TypeId, constant: bool) {
        if self.link.types.is_constant(ty) && (constant || self.f.is_early(slot)) {
            self.emit(InstKind::SlotConst { slot, constant });
        }
    }

    fn new_slot(&mut self, name: &str, ty: TypeId, align: Option<u64>) -> SlotId {
        let size = self.link.types.size(ty).unwrap_or(0);
        let align = self.link.types.align(ty).max(align.unwrap_or(1));
        let info = SlotInfo { name: Some(name.to_owned()), ty, size, align, span: self.at };
        let slot = self.f.slot(info);
        self.bind(name, Symbol::Slot { slot, ty });
        slot
    }

    /// A variable of automatic storage duration.
    pub fn local(
        &mut self,
        name: &str,
        declared: Declared,
        init: Option<&Node<ast::Initializer>>,
    ) -> Result<()> {
        self.check_redefinition(name)?;
        let Attributes { cleanup, .. } = declared.attributes;
        let align = declared.attributes.alignment();
        if self.is_variable_array(declared.ty) {
            if cleanup.is_some() {
                self.ignore_attribute("cleanup");
            }
            return self.variable_length_array(name, declared.ty, init);
        }
        let ty = match init {
            Some(init) => self.complete_by_initializer(declared.ty, init.into())?,
            None => declared.ty,
        };
        if self.link.types.size(ty).is_none() || self.is_void(ty) {
            return Err(self.error(format!("`{name}` has an incomplete type")));
        }
        if let Some(scalar) = self.link.types.scalar(ty)
            && !self.f.addressed.contains(name)
            && cleanup.is_none()
            && align.is_none()
        {
            return self.register_local(name, ty, scalar, init);
        }
        let slot = self.new_slot(name, ty, align);
        let addr = Operand::Slot { slot, offset: 0 };
        self.set_constant(slot, ty, false);
        match init {
            Some(init) => self.initialize(addr, ty, init.into())?,
            None if self.f.is_early(slot) => self.make_arbitrary(addr, ty)?,
            None => {}
        }
        self.set_constant(slot, ty, true);
        if let Some(function) = cleanup {
            self.f.clean_up_by(function, slot);
        }
        Ok(())
    }

    fn register_local(
        &mut self,
        name: &str,
        ty: TypeId,
        scalar: Scalar,
        init: Option<&Node<ast::Initializer>>,
    ) -> Result<()> {
        let span = self.at;
        let reg = self.f.named_reg(Some(name), Some(ty), scalar, span);
        self.f.declare(Local::Register(reg));
        // In scope in its own initialiser, where it is still arbitrary.
        self.bind(name, Symbol::Register { reg, ty });
        let Some(init) = init else {
            self.emit(InstKind::Assign { dst: reg, value: Rvalue::Undef(scalar) });
            return Ok(());
        };
        let value = self.scalar_initializer(init.into())?;
        self.at = span;
        self.assign_to(Lvalue::Register { reg, ty }, value)?;
        Ok(())
    }

    fn variable_length_array(
        &mut self,
        name: &str,
        ty: TypeId,
        init: Option<&Node<ast::Initializer>>,
    ) -> Result<()> {
        let Some(size) = self.bytes_of(ty) else {
            return Err(self.error(format!("`{name}` has an incomplete type")));
        };
        self.stop_at_impossible_size(size);
        let addr = self.f.named_reg(Some(name), None, Scalar::Ptr, self.at);
        self.emit(InstKind::Alloc { dst: addr, size, zeroed: false, storage: Storage::Frame });
        self.f.declare(Local::Array(addr));
        self.bind(name, Symbol::Vla { addr, ty });
        match init.map(|init| &init.node) {
            None => Ok(()),
            // C23 allows this one.
            Some(ast::Initializer::List(items)) if items.is_empty() => {
                let zero = Operand::Const { bits: 0, ty: Scalar::I32 };
                let callee = Callee::Direct(self.function_named("memset"));
                let args = vec![Operand::Reg(addr), zero, size];
                self.emit(InstKind::Call { dst: None, callee, args });
                Ok(())
            }
            Some(_) => Err(self.error("an array of variable length has no initialiser")),
        }
    }

    /// The function that a name in this unit means, made on first use. The program uses it.
    pub(crate) fn function_named(&mut self, name: &str) -> FuncId {
        let linked = self.linked_name(name).to_owned();
        self.link.mentioned.insert(linked.clone());
        if self.origin == Origin::User && !self.link.own.insert(linked.clone()) {
            self.link.repeated.insert(linked);
        }
        self.function_called(name)
    }

    fn function_called(&mut self, name: &str) -> FuncId {
        let is_static = matches!(
            self.scopes[0].names.get(name),
            Some(Symbol::Function { is_static: true, .. })
        );
        let span = self.at;
        if !is_static {
            let linked = self.linked_name(name).to_owned();
            return self.link.extern_function(&linked, span);
        }
        if let Some(&id) = self.statics.get(name) {
            return id;
        }
        let id = self.link.add_function(name, span);
        self.statics.insert(name.to_owned(), id);
        id
    }
}

/// The parameter list that belongs to the declared name itself.
fn params_of(declarator: &ast::Declarator) -> Option<&ast::DerivedDeclarator> {
    if let ast::DeclaratorKind::Declarator(inner) = &declarator.kind.node
        && let Some(found) = params_of(&inner.node)
    {
        return Some(found);
    }
    let is_function = |d: &&ast::DerivedDeclarator| {
        matches!(d, ast::DerivedDeclarator::Function(_) | ast::DerivedDeclarator::KRFunction(_))
    };
    declarator.derived.iter().map(|d| &d.node).find(is_function)
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{error, function, has, ir, program};

    #[test]
    fn old_style_definitions() {
        let p = program(
            "int g(a, b, c) char a; double *b; { return a + c; } void f(void) { g(1, 0, 2); }",
        );
        has(&function(&p, "g"), &["fn g(a.0: i8, b.1: ptr, c.2: i32)"]);
        has(&function(&p, "f"), &["call g(1, null, 2)"]);
        has(&ir(" f(x) { return x; }"), &["fn f(x.0: i32) -> i32"]);
    }

    #[test]
    fn structs_travel_by_address() {
        let text = "struct s { int a, b; }; struct s g(struct s p) { p.a = 1; return p; } void f(struct s *q) { *q = g(*q); }";
        let p = program(text);
        has(
            &function(&p, "g"),
            &[
                "fn g(%0: ptr, p.1: ptr) -> void",
                "live $p.0",
                "load i32 p.1",
                "store i32 $p.0,",
                "store i32 $p.0, 1",
                "store i32 %0,",
                "return",
            ],
        );
        has(
            &function(&p, "f"),
            &[
                "live $0",
                "live $1",
                "load i32 q.0",
                "store i32 $1,",
                "call g($0, $1)",
                "load i32 $0",
                "store i32 q.0,",
            ],
        );
    }

    #[test]
    fn atomic_functions_close_their_block_on_every_way_out() {
        let text = "int x; int __VERIFIER_atomic_f(int n) { if (n) return x; x = 1; return 2; } void f(void) { __VERIFIER_atomic_f(1); }";
        let p = program(text);
        let ir = function(&p, "__VERIFIER_atomic_f");
        has(
            &ir,
            &[
                "atomic fn",
                "atomic_begin user",
                "load i32 @x",
                "atomic_end",
                "return",
                "atomic_end",
                "return 2",
            ],
        );
        assert_eq!(ir.matches("atomic_end").count(), ir.matches("return").count(), "{ir}");
    }

    #[test]
    fn parameters_whose_address_is_taken_get_slots() {
        has(
            &ir("void g(int *); void f(int n, int m) { g(&n); m = n; }"),
            &["live $n.0", "store i32 $n.0, n.0", "call g($n.0)", "load i32 $n.0"],
        );
    }

    #[test]
    fn definitions_that_do_not_go() {
        for (text, message) in [
            (
                "int f(void) { return 0; } int f(void) { return 1; }",
                "1:31: function `f` is defined twice",
            ),
            ("struct s; void f(struct s x) {}", "1:16: parameter `x` has an incomplete type"),
            ("int x = 3; int f(void) { int x = x; }", ""),
        ] {
            match message {
                "" => drop(program(text)),
                _ => assert_eq!(error(text), message),
            }
        }
        program("inline int g(void) { return 1; } void f(void) { g(); }");
    }

    #[test]
    fn locals_start_undefined() {
        has(&ir("int f(void) { int x; return x; }"), &["x.0 = undef i32", "return x.0"]);
        has(&ir("int f(void) { int x = x + 1; return x; }"), &["add i32 x.0, 1"]);
        has(&ir("int f(void) { int x = {7}; return x; }"), &["x.0 = 7"]);
    }
}
