#ifndef _STDLIB_H
#define _STDLIB_H 1

#include <features.h>
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

extern _Float32 strtof32(const char *restrict nptr, char **restrict endptr);
extern _Float64 strtof64(const char *restrict nptr, char **restrict endptr);
extern _Float128 strtof128(const char *restrict nptr, char **restrict endptr);
extern _Float32x strtof32x(const char *restrict nptr, char **restrict endptr);
extern _Float64x strtof64x(const char *restrict nptr, char **restrict endptr);
extern long long int strtoq(const char *restrict nptr, char **restrict endptr, int base);
extern unsigned long long int strtouq(const char *restrict nptr, char **restrict endptr, int base);
extern int strfromd(char *dest, size_t size, const char *format, double f);
extern int strfromf(char *dest, size_t size, const char *format, float f);
extern int strfroml(char *dest, size_t size, const char *format, long double f);
extern int strfromf32(char *dest, size_t size, const char * format, _Float32 f);
extern int strfromf64(char *dest, size_t size, const char * format, _Float64 f);
extern int strfromf128(char *dest, size_t size, const char * format, _Float128 f);
extern int strfromf32x(char *dest, size_t size, const char * format, _Float32x f);
extern int strfromf64x(char *dest, size_t size, const char * format, _Float64x f);
extern char *l64a(long int n);
extern long int a64l(const char *s);
extern char *initstate(unsigned int seed, char *statebuf, size_t statelen);
extern char *setstate(char *statebuf);
extern int random_r(struct random_data *restrict buf, int32_t *restrict result);
extern int srandom_r(unsigned int seed, struct random_data *buf);
extern int initstate_r(unsigned int seed, char *restrict statebuf, size_t statelen, struct random_data *restrict buf);
extern int setstate_r(char *restrict statebuf, struct random_data *restrict buf);
extern unsigned short int *seed48(unsigned short int seed16v[3]);
extern void lcong48(unsigned short int param[7]);
extern __uint32_t arc4random(void);
extern void arc4random_buf(void *buf, size_t size);
extern __uint32_t arc4random_uniform(__uint32_t upper_bound);
extern char *secure_getenv(const char *name);
extern int clearenv(void);
extern char *mktemp(char *template);
extern int mkstemp64(char *template);
extern int mkstemps(char *template, int suffixlen);
extern int mkstemps64(char *template, int suffixlen);
extern char *mkdtemp(char *template);
extern int mkostemp(char *template, int flags);
extern int mkostemp64(char *template, int flags);
extern int mkostemps(char *template, int suffixlen, int flags);
extern int mkostemps64(char *template, int suffixlen, int flags);
extern char *canonicalize_file_name(const char *name);
extern int rpmatch(const char *response);
extern int getsubopt(char **restrict optionp, char *const *restrict tokens, char **restrict valuep);
extern int posix_openpt(int oflag);
extern int grantpt(int fd);
extern int unlockpt(int fd);
extern char *ptsname(int fd);
extern int ptsname_r(int fd, char *buf, size_t buflen);
extern int getpt(void);
extern int getloadavg(double loadavg[], int nelem);

#endif
