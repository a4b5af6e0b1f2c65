/* epoll: waiting for many files.
 *
 * Idea: a table of who is interested in which file. A wait looks at all files of its instance in one step, as poll
 * does (ready.c), and tells of any that are ready, as many as there is room for. Edges are not
 * followed.
 *
 * Invariant: `at[i]` is the instance of interest i, 0 if the place is free. Closing a file ends what others want
 * of it. At most 16 interests.
 */
_Bool __VERIFIER_nondet_bool(void);
int *__errno_location(void);
long __obmc_between(long least, long most);
void __obmc_cancellation_point(void);
void __obmc_atomic_begin(void);
void __obmc_atomic_end(void);
void __obmc_wait(int condition);
int __obmc_lowest_file(void);
int __obmc_what_is_ready(int file);
void __obmc_wait_for_channels(void);
_Noreturn void __obmc_unsupported(const char *what);

enum { MOST = 16, RELAXED = 0, ADD = 1, DELETE = 2, MODIFY = 3, CLOEXEC = 02000000 };
enum { E_NOENT = 2, E_BADF = 9, E_EXIST = 17, E_INVAL = 22 };
enum { ALWAYS_TOLD = 8 | 16, TOLD_ONCE = 1 << 27, ONCE = 1 << 30, FLAGS = 15 << 28 };

struct event {
    unsigned what;
    unsigned long long data;
} __attribute__((packed));

static int at[MOST];
static int wanted_file[MOST];
static unsigned wanted[MOST];
static unsigned long long known_as[MOST];

static int fail(int error)
{
    *__errno_location() = error;
    return -1;
}

int epoll_create1(int flags)
{
    if (flags & ~CLOEXEC)
        return fail(E_INVAL);
    if (__obmc_between(-1, 0))
        return -1;
    __obmc_atomic_begin();
    int file = __obmc_lowest_file();
    __obmc_atomic_end();
    return file;
}

int epoll_create(int size)
{
    return size > 0 ? epoll_create1(0) : fail(E_INVAL);
}

/* The place of this interest, or of a free one for 0; MOST if there is none. */
static int find(int instance, int file)
{
    int i = 0;
    while (i < MOST
           && (__atomic_load_n(&at[i], RELAXED) != instance
               || (instance && __atomic_load_n(&wanted_file[i], RELAXED) != file)))
        i++;
    return i;
}

static void note(int place, unsigned what, unsigned long long data)
{
    if (what & 1u << 31)
        __obmc_unsupported("epoll with EPOLLET");
    __atomic_store_n(&wanted[place], what, RELAXED);
    __atomic_store_n(&known_as[place], data, RELAXED);
}

/* In one step; gives what went wrong. */
static int change(int instance, int operation, int file, unsigned what, unsigned long long data)
{
    int place = find(instance, file);
    if (operation == ADD) {
        if (place < MOST)
            return E_EXIST;
        place = find(0, 0);
        if (place == MOST)
            __obmc_unsupported("epoll with more than 16 files");
        __atomic_store_n(&at[place], instance, RELAXED);
        __atomic_store_n(&wanted_file[place], file, RELAXED);
    }
    if (place == MOST)
        return E_NOENT;
    if (operation == DELETE)
        __atomic_store_n(&at[place], 0, RELAXED);
    else
        note(place, what, data);
    return 0;
}

int epoll_ctl(int instance, int operation, int file, const struct event *event)
{
    unsigned what = 0;
    unsigned long long data = 0;
    if (operation < ADD || operation > MODIFY || instance == file)
        return fail(E_INVAL);
    if (operation != DELETE) {
        what = event->what;
        data = event->data;
    }
    if (instance <= 0 || file < 0)
        return fail(E_BADF);
    if (operation == ADD && __obmc_between(-1, 0))
        return -1;
    __obmc_atomic_begin();
    int error = change(instance, operation, file, what, data);
    __obmc_atomic_end();
    return error ? fail(error) : 0;
}

void __obmc_forget_interests(int file)
{
    __obmc_atomic_begin();
    for (int i = 0; i < MOST; i++) {
        int instance = __atomic_load_n(&at[i], RELAXED);
        if (instance && (instance == file || __atomic_load_n(&wanted_file[i], RELAXED) == file))
            __atomic_store_n(&at[i], 0, RELAXED);
    }
    __obmc_atomic_end();
}

/* What can be told of each interest, and how many have something. */
static int look(int instance, unsigned *told)
{
    int ready = 0;
    for (int i = 0; i < MOST; i++) {
        told[i] = 0;
        if (__atomic_load_n(&at[i], RELAXED) == instance) {
            unsigned asked = __atomic_load_n(&wanted[i], RELAXED);
            if (!(asked & TOLD_ONCE))
                told[i] = __obmc_what_is_ready(__atomic_load_n(&wanted_file[i], RELAXED))
                    & ((asked & ~FLAGS) | ALWAYS_TOLD);
        }
        ready += told[i] != 0;
    }
    return ready;
}

static struct event tell(int place, unsigned what)
{
    struct event event = { what, __atomic_load_n(&known_as[place], RELAXED) };
    if (__atomic_load_n(&wanted[place], RELAXED) & ONCE)
        __atomic_store_n(&wanted[place], TOLD_ONCE, RELAXED);
    return event;
}

/* In one step; any of them where there are more than there is room for. */
static int choose(int instance, struct event *chosen, int room, int waits)
{
    unsigned told[MOST];
    int left = look(instance, told);
    int n = 0;
    if (waits)
        __obmc_wait(left > 0);
    for (int i = 0; i < MOST; i++)
        if (told[i]) {
            if (n < room && (left <= room - n || __VERIFIER_nondet_bool()))
                chosen[n++] = tell(i, told[i]);
            left--;
        }
    return n;
}

int epoll_wait(int instance, struct event *events, int most, int limit)
{
    struct event chosen[MOST];
    __obmc_cancellation_point();
    if (most <= 0)
        return fail(E_INVAL);
    if (instance <= 0)
        return fail(E_BADF);
    if (__obmc_between(-1, 0))
        return -1;
    __obmc_wait_for_channels();
    __obmc_atomic_begin();
    int n = choose(instance, chosen, most < MOST ? most : MOST, limit < 0);
    __obmc_atomic_end();
    for (int i = 0; i < n; i++)
        events[i] = chosen[i];
    return n;
}

/* What is blocked meanwhile changes nothing (sent.c). */
int epoll_pwait(int instance, struct event *events, int most, int limit, const void *mask)
{
    if (mask)
        __obmc_unsupported("epoll_pwait with a mask");
    return epoll_wait(instance, events, most, limit);
}
