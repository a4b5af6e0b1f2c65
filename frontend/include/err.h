#ifndef _ERR_H
#define _ERR_H 1

extern void warn(const char *format, ...);
extern void warnx(const char *format, ...);
extern void err(int status, const char *format, ...) __attribute__((__noreturn__));
extern void errx(int status, const char *format, ...) __attribute__((__noreturn__));

#endif
