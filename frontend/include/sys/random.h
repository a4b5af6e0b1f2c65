#ifndef _SYS_RANDOM_H
#define _SYS_RANDOM_H 1

#include <bits/obmc-types.h>

#define GRND_NONBLOCK 1
#define GRND_RANDOM 2
#define GRND_INSECURE 4

extern ssize_t getrandom(void *block, size_t size, unsigned int flags);
extern int getentropy(void *block, size_t size);

#endif
