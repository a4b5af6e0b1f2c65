#ifndef _SYS_PARAM_H
#define _SYS_PARAM_H 1

#include <limits.h>

#define MAXPATHLEN 4096
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

#endif
