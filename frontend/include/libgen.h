#ifndef _LIBGEN_H
#define _LIBGEN_H 1

extern char *basename(char *path);
extern char *dirname(char *path);

#endif
