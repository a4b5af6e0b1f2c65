//! Calls: who is called, what the arguments become, where the result goes.

use super::place::Lvalue;
use super::scope::Symbol;
use super::sequence::{Got, Mark, Part, Wanted};
use super::{Result, Unit, Value};
use ir::types::{FunctionType, Type, TypeId};
use ir::*;
use lang_c::ast;
use lang_c::span::Node;

pub(crate) type Args<'n> = &'n [Node<ast::Expression>];

impl Unit<'_> {
    pub fn call(&mut self, node: &Node<ast::CallExpression>) -> Result<Value> {
        let span = self.mark(node.span);
        let discarded = std::mem::take(&mut self.discarded);
        let args = &node.node.arguments;
        if let ast::Expression::Identifier(id) = &node.node.callee.node {
            let name = id.node.name.as_str();
            if matches!(self.lookup(name), None | Some(Symbol::Function { .. })) {
                if let Some(value) = self.glibc_cleanup(name, args)? {
                    return Ok(value);
                }
                self.note_padding(name, args)?;
                self.note_copied_padding(name, args)?;
                self.note_handler(name, args, span)?;
                self.note_saved_context(name, node.span);
                self.note_format(name, args, discarded)?;
                let printed = if discarded { self.print(name, args, span)? } else { None };
                if let Some(value) = printed {
                    return Ok(value);
                }
                let linked = self.linked_name(name).to_owned();
                if let Some(value) = self.builtin(&linked, args, span)? {
                    self.compare_arguments(args);
                    return Ok(value);
                }
                return self.call_named(name, args, span);
            }
        }
        let start = self.f.mark_here();
        let callee = self.expr(&node.node.callee)?;
        let end = self.f.mark_here();
        self.at = span;
        let (op, ty, _) = self.scalar(callee, "what is called")?;
        let function = self.pointee(ty).map(|to| self.link.types.get(to).clone());
        let Some(Type::Function(ty)) = function else {
            return Err(self.error("what is called is not a function"));
        };
        let callee = match op {
            Operand::Function(f) => Callee::Direct(f),
            op => Callee::Indirect(op),
        };
        self.finish_call(callee, Some((start, end)), &ty, args, span)
    }

    /// A call by name, declared or not.
    pub(crate) fn call_named(&mut self, name: &str, args: Args, span: Span) -> Result<Value> {
        let ty = match self.lookup(name) {
            Some(&Symbol::Function { ty, .. }) => ty,
            _ => match self.known_prototype(name)? {
                Some(ty) => ty,
                None => {
                    if self.origin == Origin::User && !name.starts_with("__VERIFIER_") {
                        self.link.undeclared.insert(name.to_owned());
                    }
                    self.implicit_declaration()
                }
            },
        };
        let Type::Function(ty) = self.link.types.get(ty).clone() else {
            return Err(self.error(format!("`{name}` is not a function")));
        };
        self.at = span;
        let f = self.function_named(name);
        self.finish_call(Callee::Direct(f), None, &ty, args, span)
    }

    /// `int name()`, as C89 and gcc have it.
    fn implicit_declaration(&mut self) -> TypeId {
        let ret = self.int_type();
        let f = FunctionType { ret, params: Vec::new(), variadic: false, prototyped: false };
        self.link.types.intern(Type::Function(f))
    }

    fn finish_call(
        &mut self,
        callee: Callee,
        computed: Option<(Mark, Mark)>,
        ty: &FunctionType,
        args: Args,
        span: Span,
    ) -> Result<Value> {
        if ty.prototyped && args.len() < ty.params.len() {
            let (want, have) = (ty.params.len(), args.len());
            return Err(self.error(format!("too few arguments: {have} given, {want} wanted")));
        }
        if ty.prototyped && !ty.variadic && args.len() > ty.params.len() {
            let (want, have) = (ty.params.len(), args.len());
            return Err(self.error(format!("too many arguments: {have} given, {want} wanted")));
        }
        let mut operands = Vec::new();
        let mut result = Value::Void;
        if self.returns_in_memory(ty.ret) {
            if self.link.types.size(ty.ret).is_none() {
                let name = self.link.types.name(ty.ret);
                return Err(self.error(format!("`{name}` is not complete here")));
            }
            let info = self.unnamed_slot(ty.ret);
            let addr = Operand::Slot { slot: self.f.result(info), offset: 0 };
            operands.push(addr);
            result = Value::Memory { addr, ty: ty.ret };
        }
        let library = self.is_library(callee);
        let parts: Vec<Part> = args.iter().map(|arg| (Wanted::Value, arg)).collect();
        let values = self.unsequenced(&parts)?;
        if let Some((from, to)) = computed {
            self.compare_callee(from, to);
        }
        if let (true, Callee::Direct(f)) = (library, callee) {
            let name = self.link.functions[f.index()].name.clone();
            self.note_lock_copied_by(&name, &values);
        }
        if library && let Some(value) = self.copy_by_members(callee, &values) {
            return Ok(value);
        }
        let mut seen = ty.clone();
        for (i, got) in values.into_iter().enumerate() {
            let Got::Value(mut value) = got else { continue };
            if !ty.prototyped && i >= ty.params.len() {
                value = self.promote_argument(value)?;
                seen.params.push(self.type_of_value(value));
            }
            self.mark(args[i].span);
            let mut param = ty.params.get(i).copied();
            match param.and_then(|ty| self.transparent_union(ty, value)) {
                // Our models of the C library take the pointer.
                Some(_) if library => param = None,
                Some(record) => value = self.as_member(value, record)?,
                None => {}
            }
            let quiet = library && self.keeps_to_itself(callee);
            operands.extend(self.quietly(quiet, |unit| unit.argument(value, param))?);
        }
        self.at = span;
        if let (Callee::Indirect(_), true) = (callee, ty.variadic) {
            let fixed = ty.params.len() + usize::from(self.returns_in_memory(ty.ret));
            self.pass_area(&mut operands, fixed);
        }
        let dst = self.link.types.scalar(ty.ret).map(|s| self.f.temp(s, span));
        self.emit(InstKind::Call { dst, callee, args: operands });
        if self.origin == Origin::User || matches!(callee, Callee::Indirect(_)) {
            let number = self.link.calls.number(seen, self.origin);
            self.f.number_last(number);
        }
        if let (Callee::Direct(id), Type::Pointer(to)) = (callee, self.link.types.get(ty.ret)) {
            self.link.pointees.insert(id, *to);
        }
        if let Some(reg) = dst {
            let ty = self.link.types.strip_atomic(ty.ret);
            result = Value::Scalar { op: Operand::Reg(reg), ty };
        }
        Ok(result)
    }

    pub fn argument(&mut self, value: Value, param: Option<TypeId>) -> Result<Option<Operand>> {
        let value = match param {
            Some(ty) => self.convert(value, ty)?,
            None => self.promote_argument(value)?,
        };
        match value {
            Value::Scalar { op, .. } => Ok(Some(op)),
            Value::Wide { .. } => match self.in_memory(value) {
                Value::Memory { addr, .. } => Ok(Some(addr)),
                _ => Err(self.error("this argument has no value")),
            },
            Value::Memory { addr, ty } => {
                let copy = self.temp_slot(ty);
                self.copy(copy, addr, ty)?;
                Ok(Some(copy))
            }
            Value::Void => Err(self.error("this argument has no value")),
        }
    }

    /// The transparent union that a parameter is and the argument is not.
    fn transparent_union(&self, param: TypeId, value: Value) -> Option<TypeId> {
        let param = self.link.types.strip_atomic(param);
        let Type::Record(record) = *self.link.types.get(param) else { return None };
        let same = matches!(value, Value::Memory { ty, .. } if self.link.types.plain(ty) == param);
        (self.link.types.record(record).transparent && !same).then_some(param)
    }

    /// The argument as the first member that it fits, in a union of its own.
    fn as_member(&mut self, value: Value, union: TypeId) -> Result<Value> {
        let Type::Record(record) = *self.link.types.get(union) else { return Ok(value) };
        let fields = self.link.types.record(record).layout.as_ref().map(|l| l.fields.clone());
        let fields = fields.unwrap_or_default();
        let given = self.type_of_value(value);
        let types = &self.link.types;
        let exact = fields.iter().find(|f| types.alike(f.ty, given));
        let pointer = fields.iter().find(|f| matches!(types.get(f.ty), Type::Pointer(_)));
        let Some(member) = exact.or(pointer).or(fields.first()).map(|f| f.ty) else {
            return Err(self.error("a transparent union without members"));
        };
        let value = self.convert(value, member)?;
        let addr = self.temp_slot(union);
        self.write(Lvalue::Memory { addr, ty: member }, value)?;
        Ok(Value::Memory { addr, ty: union })
    }

    /// Is it a function of the C library that the unit does not define?
    fn is_library(&self, callee: Callee) -> bool {
        let Callee::Direct(id) = callee else { return false };
        let f = &self.link.functions[id.index()];
        let known = crate::models::defined(&f.name).is_some() || crate::library::is_known(&f.name);
        known && !self.defined.contains(&f.name)
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{error, function, has, ir, program};

    #[test]
    fn arguments_are_converted_to_the_parameters() {
        has(
            &ir("void g(char, double, long); void f(int x) { g(x, x, x); }"),
            &["cast i32 to i8", "cast i32 to f64", "cast i32 to i64", "call g(%"],
        );
        has(
            &ir("void g(); void f(char c, float x) { g(c, x); }"),
            &["cast i8 to i32", "cast f32 to f64"],
        );
    }

    #[test]
    fn calls_through_pointers() {
        has(
            &ir("int f(int (*p)(char), int n) { return p(n); }"),
            &["cast i32 to i8 n.1", "call *p.0(%"],
        );
        has(&ir("int f(int (*p)(char)) { return (*p)(1); }"), &["call *p.0(1)"]);
        has(
            &ir("int g(void); int f(void) { return (*g)() + (&g)() + (**g)(); }"),
            &["call g()", "call g()", "call g()"],
        );
        has(
            &ir("int (*t[3])(void); int f(int i) { return t[i](); }"),
            &["ptradd @t", "load ptr", "call *%"],
        );
        let text = "struct ops { int (*run)(void *); }; int f(struct ops *o) { return o->run(o); }";
        has(&ir(text), &["load ptr o.0", "call *%1(o.0)"]);
    }

    #[test]
    fn calls_that_do_not_go() {
        for (text, message) in [
            (
                "int g(int, int); int f(void) { return g(1); }",
                "1:39: too few arguments: 1 given, 2 wanted",
            ),
            (
                "int g(int); int f(void) { return g(1, 2); }",
                "1:34: too many arguments: 2 given, 1 wanted",
            ),
            ("int x; int f(void) { return x(); }", "1:29: what is called is not a function"),
            (
                "void g(void); int f(void) { return g() + 1; }",
                "1:36: the left operand has no value",
            ),
            (
                "void g(void); void h(int); void f(void) { h(g()); }",
                "1:45: this operand has no value",
            ),
            ("struct s g(void); void f(void) { g(); }", "1:34: `struct s` is not complete here"),
        ] {
            assert_eq!(error(text), message);
        }
    }

    #[test]
    fn undeclared_functions_return_int() {
        let p = program("int f(void) { return g(1, 2.0f); }");
        has(&function(&p, "f"), &["= call g(1, 2.0)", "return %"]);
        let macros = program("int f(int *p) { return timercmp(p, p, 1); }");
        has(&print_all(&macros), &["fn timercmp(", "unsupported"]);
        has(&print_all(&p), &["fn g(", "no body"]);
    }

    fn print_all(p: &ir::Program) -> String {
        ir::print::program(p)
    }

    #[test]
    fn a_local_hides_a_builtin() {
        has(
            &ir("int f(int (*reach_error)(void)) { return reach_error(); }"),
            &["call *reach_error.0()"],
        );
    }
}
