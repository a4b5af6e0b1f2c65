//! Types of library functions that a program may use without declaring them, as gcc knows them too.

use super::decl::Specifiers;
use super::{Result, Unit};
use crate::source::Files;
use ir::types::{Machine, TypeId};
use lang_c::ast;

/// `name`, and a declaration in which `size_t` is spelled `SIZE`.
const PROTOTYPES: &[(&str, &str)] = &[
    ("malloc", "void *malloc(SIZE);"),
    ("calloc", "void *calloc(SIZE, SIZE);"),
    ("realloc", "void *realloc(void *, SIZE);"),
    ("free", "void free(void *);"),
    ("alloca", "void *alloca(SIZE);"),
    ("aligned_alloc", "void *aligned_alloc(SIZE, SIZE);"),
    ("memcpy", "void *memcpy(void *, const void *, SIZE);"),
    ("memmove", "void *memmove(void *, const void *, SIZE);"),
    ("memset", "void *memset(void *, int, SIZE);"),
    ("memcmp", "int memcmp(const void *, const void *, SIZE);"),
    ("memchr", "void *memchr(const void *, int, SIZE);"),
    ("strlen", "SIZE strlen(const char *);"),
    ("strcpy", "char *strcpy(char *, const char *);"),
    ("strncpy", "char *strncpy(char *, const char *, SIZE);"),
    ("strcat", "char *strcat(char *, const char *);"),
    ("strncat", "char *strncat(char *, const char *, SIZE);"),
    ("strcmp", "int strcmp(const char *, const char *);"),
    ("strncmp", "int strncmp(const char *, const char *, SIZE);"),
    ("strchr", "char *strchr(const char *, int);"),
    ("strrchr", "char *strrchr(const char *, int);"),
    ("strstr", "char *strstr(const char *, const char *);"),
    ("strdup", "char *strdup(const char *);"),
    ("strndup", "char *strndup(const char *, SIZE);"),
    ("stpcpy", "char *stpcpy(char *, const char *);"),
    ("stpncpy", "char *stpncpy(char *, const char *, SIZE);"),
    ("mempcpy", "void *mempcpy(void *, const void *, SIZE);"),
    ("strnlen", "SIZE strnlen(const char *, SIZE);"),
    ("strpbrk", "char *strpbrk(const char *, const char *);"),
    ("strspn", "SIZE strspn(const char *, const char *);"),
    ("strcspn", "SIZE strcspn(const char *, const char *);"),
    ("index", "char *index(const char *, int);"),
    ("rindex", "char *rindex(const char *, int);"),
    ("__memcpy_chk", "void *__memcpy_chk(void *, const void *, SIZE, SIZE);"),
    ("__memmove_chk", "void *__memmove_chk(void *, const void *, SIZE, SIZE);"),
    ("__mempcpy_chk", "void *__mempcpy_chk(void *, const void *, SIZE, SIZE);"),
    ("__memset_chk", "void *__memset_chk(void *, int, SIZE, SIZE);"),
    ("__strcpy_chk", "char *__strcpy_chk(char *, const char *, SIZE);"),
    ("__stpcpy_chk", "char *__stpcpy_chk(char *, const char *, SIZE);"),
    ("__strncpy_chk", "char *__strncpy_chk(char *, const char *, SIZE, SIZE);"),
    ("__strcat_chk", "char *__strcat_chk(char *, const char *, SIZE);"),
    ("__strncat_chk", "char *__strncat_chk(char *, const char *, SIZE, SIZE);"),
    ("fabs", "double fabs(double);"),
    ("fabsf", "float fabsf(float);"),
    ("copysign", "double copysign(double, double);"),
    ("sqrt", "double sqrt(double);"),
    ("sqrtf", "float sqrtf(float);"),
    ("trunc", "double trunc(double);"),
    ("truncf", "float truncf(float);"),
    ("floor", "double floor(double);"),
    ("floorf", "float floorf(float);"),
    ("ceil", "double ceil(double);"),
    ("ceilf", "float ceilf(float);"),
    ("round", "double round(double);"),
    ("roundf", "float roundf(float);"),
    ("fmin", "double fmin(double, double);"),
    ("fmax", "double fmax(double, double);"),
    ("__builtin_bswap16", "unsigned short __builtin_bswap16(unsigned short);"),
    ("__builtin_bswap32", "unsigned __builtin_bswap32(unsigned);"),
    ("__builtin_bswap64", "unsigned long long __builtin_bswap64(unsigned long long);"),
    ("abs", "int abs(int);"),
    ("labs", "long labs(long);"),
    ("llabs", "long long llabs(long long);"),
    ("printf", "int printf(const char *, ...);"),
    ("puts", "int puts(const char *);"),
    ("putchar", "int putchar(int);"),
    ("abort", "void abort(void);"),
    ("exit", "void exit(int);"),
    ("pthread_self", "unsigned long pthread_self(void);"),
    (
        "pthread_create",
        "int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);",
    ),
    ("pthread_join", "int pthread_join(unsigned long, void **);"),
    ("pthread_exit", "void pthread_exit(void *);"),
    ("pthread_mutex_lock", "int pthread_mutex_lock(void *);"),
    ("pthread_mutex_unlock", "int pthread_mutex_unlock(void *);"),
    ("pthread_mutex_init", "int pthread_mutex_init(void *, const void *);"),
    ("pthread_mutex_destroy", "int pthread_mutex_destroy(void *);"),
];

impl Unit<'_> {
    /// The type that a well-known function has when the program does not declare it.
    pub(crate) fn known_prototype(&mut self, name: &str) -> Result<Option<TypeId>> {
        let Some((name, text)) = PROTOTYPES.iter().find(|p| p.0 == name) else { return Ok(None) };
        if let Some(&ty) = self.prototypes.get(name) {
            return Ok(Some(ty));
        }
        let size = match self.link.types.machine {
            Machine::Ilp32 => "unsigned",
            Machine::Lp64 => "unsigned long",
        };
        let text = text.replace("SIZE", size);
        let parsed = crate::parse::parse(text.as_bytes(), "<built-in>", &mut Files::default())?;
        let Some(ast::ExternalDeclaration::Declaration(d)) = parsed.unit.0.first().map(|n| &n.node)
        else {
            return Ok(None);
        };
        let Some(item) = d.node.declarators.first() else { return Ok(None) };
        let at = self.at;
        let Specifiers { ty, .. } = self.specifiers(&d.node.specifiers, d.span)?;
        let declared = self.declarator(&item.node.declarator, ty)?;
        self.at = at;
        self.prototypes.insert(name, declared.ty);
        Ok(Some(declared.ty))
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{ILP32, error, has, ir, ir_on};

    #[test]
    fn library_functions_are_known_without_a_declaration() {
        has(&ir("char *f(void) { return malloc(3); }"), &["= call malloc(3)", "return %0"]);
        has(
            &ir_on(ILP32, "unsigned f(char *s) { return strlen(s); }"),
            &["%1 = call strlen(s.0)", "return %1"],
        );
        has(&ir("int f(void) { return sizeof(memcpy(0, 0, 0)); }"), &["return 8"]);
        assert_eq!(
            error("void f(void) { malloc(); }"),
            "1:16: too few arguments: 0 given, 1 wanted"
        );
    }

    #[test]
    fn the_programs_own_declaration_wins() {
        has(
            &ir("int abs(char); int f(int n) { return abs(n); }"),
            &["cast i32 to i8", "call abs("],
        );
    }
}
