#ifndef _STDIO_H
#define _STDIO_H 1

#include <features.h>
#include <stdarg.h>
#include <stddef.h>
#include <bits/obmc-types.h>

struct _IO_FILE;
typedef struct _IO_FILE FILE;
typedef struct _IO_FILE __FILE;
typedef struct {
    long int __pos;
    unsigned long int __state;
} fpos_t;

#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_tmpnam 20
#define TMP_MAX 238328
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2

/* No program looks into a stream: the address of a byte is enough, and it is a constant. */
extern char __obmc_stdin;
extern char __obmc_stdout;
extern char __obmc_stderr;
#define stdin ((FILE *)&__obmc_stdin)
#define stdout ((FILE *)&__obmc_stdout)
#define stderr ((FILE *)&__obmc_stderr)

extern int printf(const char *format, ...);
extern int fprintf(FILE *stream, const char *format, ...);
extern int dprintf(int file, const char *format, ...);
extern int sprintf(char *to, const char *format, ...);
extern int snprintf(char *to, size_t size, const char *format, ...);
extern int asprintf(char **to, const char *format, ...);
extern int vprintf(const char *format, __gnuc_va_list args);
extern int vfprintf(FILE *stream, const char *format, __gnuc_va_list args);
extern int vsprintf(char *to, const char *format, __gnuc_va_list args);
extern int vsnprintf(char *to, size_t size, const char *format, __gnuc_va_list args);
extern int vasprintf(char **to, const char *format, __gnuc_va_list args);
extern int scanf(const char *format, ...);
extern int fscanf(FILE *stream, const char *format, ...);
extern int sscanf(const char *s, const char *format, ...);

extern int getchar(void);
extern int getc(FILE *stream);
extern int fgetc(FILE *stream);
extern int ungetc(int c, FILE *stream);
extern char *fgets(char *line, int size, FILE *stream);
extern char *gets(char *line);
extern ssize_t getline(char **line, size_t *size, FILE *stream);
extern int putchar(int c);
extern int putchar_unlocked(int c);
extern int putc(int c, FILE *stream);
extern int fputc(int c, FILE *stream);
extern int puts(const char *s);
extern int fputs(const char *s, FILE *stream);
extern void perror(const char *s);

extern FILE *fopen(const char *path, const char *mode);
extern FILE *freopen(const char *path, const char *mode, FILE *stream);
extern FILE *fdopen(int file, const char *mode);
extern FILE *popen(const char *command, const char *mode);
extern int pclose(FILE *stream);
extern FILE *tmpfile(void);
extern int fclose(FILE *stream);
extern int fflush(FILE *stream);
extern size_t fread(void *block, size_t size, size_t count, FILE *stream);
extern size_t fwrite(const void *block, size_t size, size_t count, FILE *stream);
extern int fseek(FILE *stream, long int offset, int whence);
extern long int ftell(FILE *stream);
extern void rewind(FILE *stream);
extern int fgetpos(FILE *stream, fpos_t *pos);
extern int fsetpos(FILE *stream, const fpos_t *pos);
extern int feof(FILE *stream);
extern int ferror(FILE *stream);
extern void clearerr(FILE *stream);
extern int fileno(FILE *stream);
extern void setbuf(FILE *stream, char *buffer);
extern int setvbuf(FILE *stream, char *buffer, int mode, size_t size);
extern void flockfile(FILE *stream);
extern void funlockfile(FILE *stream);
extern int remove(const char *path);
extern int rename(const char *from, const char *to);

#define SEEK_DATA 3
#define SEEK_HOLE 4
#define L_ctermid 9
#define L_cuserid 9
#define RENAME_NOREPLACE 1
#define RENAME_EXCHANGE 2
#define RENAME_WHITEOUT 4

extern int renameat(int oldfd, const char *old, int newfd, const char *new);
extern int renameat2(int oldfd, const char *old, int newfd, const char *new, unsigned int flags);
extern FILE *tmpfile64(void);
extern char *tmpnam(char[20]);
extern char *tmpnam_r(char s[20]);
extern char *tempnam(const char *dir, const char *pfx);
extern int fflush_unlocked(FILE *stream);
extern int fcloseall(void);
extern FILE *fopen64(const char *restrict filename, const char *restrict modes);
extern FILE *freopen64(const char *restrict filename, const char *restrict modes, FILE *restrict stream);
extern FILE *fmemopen(void *s, size_t len, const char *modes);
extern FILE *open_memstream(char **bufloc, size_t *sizeloc);
extern void setbuffer(FILE *restrict stream, char *restrict buf, size_t size);
extern void setlinebuf(FILE *stream);
extern int vdprintf(int fd, const char *restrict fmt, __gnuc_va_list arg);
extern int vfscanf(FILE *restrict s, const char *restrict format, __gnuc_va_list arg);
extern int vscanf(const char *restrict format, __gnuc_va_list arg);
extern int vsscanf(const char *restrict s, const char *restrict format, __gnuc_va_list arg);
extern int vfscanf(FILE *restrict s, const char *restrict format, __gnuc_va_list arg);
extern int vscanf(const char *restrict format, __gnuc_va_list arg);
extern int vsscanf(const char *restrict s, const char *restrict format, __gnuc_va_list arg);
extern int getc_unlocked(FILE *stream);
extern int getchar_unlocked(void);
extern int fgetc_unlocked(FILE *stream);
extern int fputc_unlocked(int c, FILE *stream);
extern int putc_unlocked(int c, FILE *stream);
extern int getw(FILE *stream);
extern int putw(int w, FILE *stream);
extern char *fgets_unlocked(char *restrict s, int n, FILE *restrict stream);
extern ssize_t getdelim(char **restrict lineptr, size_t *restrict n, int delimiter, FILE *restrict stream);
extern int fputs_unlocked(const char *restrict s, FILE *restrict stream);
extern size_t fread_unlocked(void *restrict ptr, size_t size, size_t n, FILE *restrict stream);
extern size_t fwrite_unlocked(const void *restrict ptr, size_t size, size_t n, FILE *restrict stream);
extern int fseeko(FILE *stream, off_t off, int whence);
extern off_t ftello(FILE *stream);
extern int fseeko64(FILE *stream, off64_t off, int whence);
extern off64_t ftello64(FILE *stream);
extern void clearerr_unlocked(FILE *stream);
extern int feof_unlocked(FILE *stream);
extern int ferror_unlocked(FILE *stream);
extern int fileno_unlocked(FILE *stream);
extern char *ctermid(char *s);
extern char *cuserid(char *s);
extern int obstack_printf(struct obstack *restrict obstack, const char *restrict format, ...);
extern int obstack_vprintf(struct obstack *restrict obstack, const char *restrict format, __gnuc_va_list args);
extern int ftrylockfile(FILE *stream);

#endif
