/* Words that glibc's headers are written with. Most say something to an optimiser, and nothing here.
 */
#ifndef _SYS_CDEFS_H
#define _SYS_CDEFS_H 1

#define __BEGIN_DECLS
#define __END_DECLS
#define __P(args) args
#define __PMT(args) args
#define __CONCAT(x, y) x ## y
#define __STRING(x) #x
#define __ptr_t void *
#define __LEAF
#define __LEAF_ATTR
#define __THROW
#define __THROWNL
#define __NTH(function) function
#define __NTHNL(function) function
#define __nonnull(args)
#define __returns_nonnull
#define __wur
#define __restrict_arr restrict
#define __flexarr []
#define __glibc_c99_flexarr_available 1
#define __REDIRECT(name, proto, alias) name proto __asm__(__ASMNAME(#alias))
#define __REDIRECT_NTH(name, proto, alias) name proto __asm__(__ASMNAME(#alias))
#define __REDIRECT_NTHNL(name, proto, alias) name proto __asm__(__ASMNAME(#alias))
#define __REDIRECT_LDBL(name, proto, alias) name proto __asm__(__ASMNAME(#alias))
#define __REDIRECT_NTH_LDBL(name, proto, alias) name proto __asm__(__ASMNAME(#alias))
#define __ASMNAME(name) name
#define __LDBL_REDIR1(name, proto, alias) name proto
#define __LDBL_REDIR(name, proto) name proto
#define __LDBL_REDIR1_NTH(name, proto, alias) name proto
#define __LDBL_REDIR_NTH(name, proto) name proto
#define __LDBL_REDIR_DECL(name)
#define __LDBL_REDIR2_DECL(name)
#define __attr_access(args)
#define __attr_access_none(argument)
#define __attr_dealloc(function, argument)
#define __attr_dealloc_free
#define __fortified_attr_access(mode, pointer, size)
#define __attribute_alloc_align__(parameter)
#define __attribute_alloc_size__(parameters)
#define __attribute_artificial__
#define __attribute_const__
#define __attribute_copy__(function)
#define __attribute_deprecated__
#define __attribute_deprecated_msg__(text)
#define __attribute_format_arg__(argument)
#define __attribute_format_strfmon__(format, first)
#define __attribute_malloc__
#define __attribute_maybe_unused__ __attribute__((__unused__))
#define __attribute_noinline__ __attribute__((__noinline__))
#define __attribute_nonnull__(parameters)
#define __attribute_nonstring__
#define __attribute_pure__
#define __attribute_returns_twice__ __attribute__((__returns_twice__))
#define __attribute_used__ __attribute__((__used__))
#define __attribute_warn_unused_result__
#define __always_inline __inline __attribute__((__always_inline__))
#define __extern_inline extern __inline __attribute__((__gnu_inline__))
#define __extern_always_inline \
    extern __inline __attribute__((__always_inline__)) __attribute__((__gnu_inline__))
#define __fortify_function __extern_always_inline
#define __errordecl(name, text) extern void name(void)
#define __warndecl(name, text) extern void name(void)
#define __warnattr(text)
#define __glibc_likely(condition) __builtin_expect((condition), 1)
#define __glibc_unlikely(condition) __builtin_expect((condition), 0)
#define __glibc_has_attribute(attribute) __has_attribute(attribute)
#define __glibc_has_builtin(name) __has_builtin(name)
#define __glibc_has_extension(extension) 0
#define __glibc_macro_warning(text)
#define __HAVE_GENERIC_SELECTION 1

#endif
