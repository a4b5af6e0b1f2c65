/* Sockets, as files.c has files. Bytes are swapped as on a little-endian machine. */
unsigned __builtin_bswap32(unsigned n);
unsigned short __builtin_bswap16(unsigned short n);
void __VERIFIER_assume(int condition);
void __obmc_result(long result);
void __obmc_cancellation_point(void);
void __obmc_read_block(const void *block, unsigned long size);
void __obmc_fill_some(void *block, long size, long done);

static long between(long least, long most)
{
    long result;
    __VERIFIER_assume(least <= result && result <= most);
    __obmc_result(result);
    return result;
}

int socket(int domain, int type, int protocol)
{
    return between(-1, 2147483647);
}

int listen(int file, int waiting)
{
    return between(-1, 0);
}

int shutdown(int file, int how)
{
    return between(-1, 0);
}

int bind(int file, const void *address, unsigned size)
{
    __obmc_read_block(address, size);
    return between(-1, 0);
}

int connect(int file, const void *address, unsigned size)
{
    __obmc_read_block(address, size);
    __obmc_cancellation_point();
    return between(-1, 0);
}

int setsockopt(int file, int level, int option, const void *value, unsigned size)
{
    __obmc_read_block(value, size);
    return between(-1, 0);
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
    int result = between(-1, 0);
    if (result == 0)
        tell(value, size);
    return result;
}

int getsockname(int file, void *address, unsigned *size)
{
    int result = between(-1, 0);
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
    int result = between(-1, 2147483647);
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
    return between(-1, size);
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
    long done = between(-1, size);
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
    int result = between(-1, 0);
    if (result == 0) {
        pair[0] = between(0, 2147483647);
        pair[1] = between(0, 2147483647);
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
