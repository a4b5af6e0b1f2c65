/* Sockets, as files.c has files. Bytes are swapped as on a little-endian machine. */
unsigned __builtin_bswap32(unsigned n);
unsigned short __builtin_bswap16(unsigned short n);
void __VERIFIER_assume(int condition);
int __obmc_new_file(void);
long __obmc_between(long least, long most);
int __obmc_linked(const char *name);
void __obmc_roughly(const char *what);
void __obmc_cancellation_point(void);
void __obmc_may_be_ours(int file);
void __obmc_read_block(const void *block, unsigned long size);
void __obmc_fill_some(void *block, long size, long done);

enum { SO_ERROR = 4 };

int socket(int domain, int type, int protocol)
{
    return __obmc_new_file();
}

int listen(int file, int waiting)
{
    return __obmc_between(-1, 0);
}

int shutdown(int file, int how)
{
    return __obmc_between(-1, 0);
}

int bind(int file, const void *address, unsigned size)
{
    __obmc_read_block(address, size);
    return __obmc_between(-1, 0);
}

int connect(int file, const void *address, unsigned size)
{
    __obmc_read_block(address, size);
    __obmc_cancellation_point();
    return __obmc_between(-1, 0);
}

int setsockopt(int file, int level, int option, const void *value, unsigned size)
{
    __obmc_read_block(value, size);
    return __obmc_between(-1, 0);
}

/* Writes some bytes, at most as many as fit, and how many there were to write. */
static void tell(void *to, unsigned *size)
{
    unsigned room = *size, needed;
    __VERIFIER_assume(needed <= 128);
    __obmc_fill_some(to, room, needed);
    *size = needed;
}

int getsockopt(int file, int level, int option, void *value, unsigned *size)
{
    int result = __obmc_between(-1, 0);
    if (option != SO_ERROR && __obmc_linked("setsockopt"))
        __obmc_roughly("`getsockopt` tells any value");
    if (result == 0)
        tell(value, size);
    return result;
}

int getsockname(int file, void *address, unsigned *size)
{
    int result = __obmc_between(-1, 0);
    if (result == 0)
        tell(address, size);
    return result;
}

int getpeername(int file, void *address, unsigned *size)
{
    return getsockname(file, address, size);
}

int accept(int file, void *address, unsigned *size)
{
    __obmc_cancellation_point();
    int result = __obmc_new_file();
    if (result >= 0 && address)
        tell(address, size);
    return result;
}

int accept4(int file, void *address, unsigned *size, int flags)
{
    return accept(file, address, size);
}

long send(int file, const void *block, unsigned long size, int flags)
{
    __obmc_read_block(block, size);
    __obmc_cancellation_point();
    return __obmc_between(-1, size);
}

long sendto(int file, const void *block, unsigned long size, int flags, const void *address,
            unsigned length)
{
    __obmc_read_block(address, length);
    return send(file, block, size, flags);
}

long recv(int file, void *block, unsigned long size, int flags)
{
    __obmc_cancellation_point();
    __obmc_may_be_ours(file);
    long done = __obmc_between(-1, size);
    __obmc_fill_some(block, size, done);
    return done;
}

long recvfrom(int file, void *block, unsigned long size, int flags, void *address,
              unsigned *length)
{
    long done = recv(file, block, size, flags);
    if (done >= 0 && address)
        tell(address, length);
    return done;
}

int socketpair(int domain, int type, int protocol, int *pair)
{
    int result = __obmc_between(-1, 0);
    if (result == 0) {
        int first = __obmc_new_file();
        int second = __obmc_new_file();
        __VERIFIER_assume(first >= 0 && second >= 0);
        pair[0] = first;
        pair[1] = second;
    }
    return result;
}

unsigned htonl(unsigned n)
{
    return __builtin_bswap32(n);
}

unsigned ntohl(unsigned n)
{
    return __builtin_bswap32(n);
}

unsigned short htons(unsigned short n)
{
    return __builtin_bswap16(n);
}

unsigned short ntohs(unsigned short n)
{
    return __builtin_bswap16(n);
}
