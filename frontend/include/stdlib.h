#ifndef _STDLIB_H
#define _STDLIB_H 1

#include <stddef.h>
#include <sys/types.h>

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX ((size_t)1)

typedef struct {
    int quot;
    int rem;
} div_t;

typedef struct {
    long int quot;
    long int rem;
} ldiv_t;

typedef struct {
    long long int quot;
    long long int rem;
} lldiv_t;

typedef int (*__compar_fn_t)(const void *, const void *);

extern void *malloc(size_t size) __attribute__((__malloc__));
extern void *calloc(size_t count, size_t size) __attribute__((__malloc__));
extern void *realloc(void *block, size_t size);
extern void *reallocarray(void *block, size_t count, size_t size);
extern void free(void *block);
extern void *aligned_alloc(size_t alignment, size_t size);
extern void *valloc(size_t size);
extern int posix_memalign(void **block, size_t alignment, size_t size);

extern void abort(void) __attribute__((__noreturn__));
extern void exit(int status) __attribute__((__noreturn__));
extern void _Exit(int status) __attribute__((__noreturn__));
extern void quick_exit(int status) __attribute__((__noreturn__));
extern int atexit(void (*function)(void));
extern int at_quick_exit(void (*function)(void));
extern int on_exit(void (*function)(int, void *), void *arg);

extern int abs(int n);
extern long int labs(long int n);
extern long long int llabs(long long int n);
extern div_t div(int numer, int denom);
extern ldiv_t ldiv(long int numer, long int denom);
extern lldiv_t lldiv(long long int numer, long long int denom);

extern int atoi(const char *s);
extern long int atol(const char *s);
extern long long int atoll(const char *s);
extern double atof(const char *s);
extern double strtod(const char *s, char **end);
extern float strtof(const char *s, char **end);
extern long double strtold(const char *s, char **end);
extern long int strtol(const char *s, char **end, int base);
extern long long int strtoll(const char *s, char **end, int base);
extern unsigned long int strtoul(const char *s, char **end, int base);
extern unsigned long long int strtoull(const char *s, char **end, int base);

extern int rand(void);
extern void srand(unsigned int seed);
extern int rand_r(unsigned int *seed);
extern long int random(void);
extern void srandom(unsigned int seed);
extern double drand48(void);
extern long int lrand48(void);
extern long int mrand48(void);
extern void srand48(long int seed);

extern void qsort(void *array, size_t count, size_t size, __compar_fn_t compare);
extern void *bsearch(const void *key, const void *array, size_t count, size_t size,
                     __compar_fn_t compare);

extern char *getenv(const char *name);
extern int setenv(const char *name, const char *value, int overwrite);
extern int unsetenv(const char *name);
extern int putenv(char *assignment);
extern int system(const char *command);
extern int mkstemp(char *template);
extern char *realpath(const char *path, char *resolved);

extern int mblen(const char *s, size_t n);
extern int mbtowc(wchar_t *wide, const char *s, size_t n);
extern int wctomb(char *s, wchar_t wide);
extern size_t mbstowcs(wchar_t *wide, const char *s, size_t n);
extern size_t wcstombs(char *s, const wchar_t *wide, size_t n);

#include <alloca.h>

#endif
