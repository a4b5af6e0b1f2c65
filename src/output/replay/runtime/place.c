/* Where in the source a thread is.
 *
 * The calls that a thread is in are found along the chain of frame pointers (nothing is built without
 * them), and `addr2line`, which comes with the assembler and the linker, tells their lines. The
 * innermost line that is not of this folder's own files is where the user's program is. Without such a
 * tool, or on a machine whose frames look different, nothing is known, and that is said.
 */
#define _GNU_SOURCE
#include "replay.h"
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

extern char __executable_start[], etext[];

static int is_code(const void *address)
{
    return (const char *)address >= __executable_start && (const char *)address < etext;
}

/* `frame` is that of the innermost call; `top` is above all frames. */
static void follow(struct calls *calls, char *frame, char *top)
{
#if defined __x86_64__ || defined __i386__ || defined __aarch64__
    while (calls->count < MAX_CALLS && ((uintptr_t)frame & (sizeof(void *) - 1)) == 0
           && frame + 2 * sizeof(void *) <= top) {
        void *pair[2];
        memcpy(pair, frame, sizeof pair);
        if (is_code(pair[1]))
            calls->at[calls->count++] = (char *)pair[1] - 1;
        if ((char *)pair[0] <= frame)
            break;
        frame = pair[0];
    }
#endif
}

void obmc_calls_from(struct calls *calls, void *frame, void *top)
{
    calls->count = 0;
    if (frame && top)
        follow(calls, frame, top);
}

/* Where a signal has come. A call of no function has left its return address only. */
void obmc_calls_of_signal(struct calls *calls, void *context, void *top)
{
    calls->count = 0;
#if defined __x86_64__ || defined __i386__ || defined __aarch64__
    const mcontext_t *m = &((ucontext_t *)context)->uc_mcontext;
#if defined __x86_64__
    char *pc = (char *)m->gregs[REG_RIP], *frame = (char *)m->gregs[REG_RBP];
    char *sp = (char *)m->gregs[REG_RSP];
#elif defined __i386__
    char *pc = (char *)m->gregs[REG_EIP], *frame = (char *)m->gregs[REG_EBP];
    char *sp = (char *)m->gregs[REG_ESP];
#else
    char *pc = (char *)m->pc, *frame = (char *)m->regs[29], *sp = (char *)m->sp;
#endif
    void *back = 0;
#if defined __aarch64__
    back = (void *)m->regs[30];
#else
    if (sp + sizeof back <= (char *)top)
        memcpy(&back, sp, sizeof back);
#endif
    if (is_code(pc))
        calls->at[calls->count++] = pc;
    else if (is_code(back))
        calls->at[calls->count++] = (char *)back - 1;
    if (frame >= sp)
        follow(calls, frame, top);
#endif
}

static int load_address(struct dl_phdr_info *info, size_t size, void *found)
{
    (void)size;
    *(uintptr_t *)found = info->dlpi_addr;
    return 1;
}

/* What the tool says about these addresses, a line each; 0 if there is no such tool. */
static int ask(const char *tool, const struct calls *calls, char *answer, size_t room)
{
    static char program[4096], words[MAX_CALLS][24];
    char *arguments[MAX_CALLS + 4];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return 0;
    program[length] = 0;
    uintptr_t shift = 0;
    dl_iterate_phdr(load_address, &shift);
    int n = 0;
    arguments[n++] = (char *)tool;
    arguments[n++] = "-e";
    arguments[n++] = program;
    for (int i = 0; i < calls->count; i++) {
        snprintf(words[i], sizeof words[i], "0x%lx", (unsigned long)((uintptr_t)calls->at[i] - shift));
        arguments[n++] = words[i];
    }
    arguments[n] = 0;
    int ends[2];
    if (pipe(ends))
        return 0;
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        dup2(ends[1], 1);
        dup2(nowhere, 2);
        close(ends[0]);
        execvp(tool, arguments);
        _exit(127);
    }
    close(ends[1]);
    size_t used = 0;
    ssize_t got;
    while (used < room - 1 && (got = read(ends[0], answer + used, room - 1 - used)) > 0)
        used += got;
    answer[used] = 0;
    close(ends[0]);
    int status = 0;
    if (child > 0)
        waitpid(child, &status, 0);
    return used > 0;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int is_ours(const char *name, const struct place *goal)
{
    static const char *const names[] = {
        "scheduler.c", "memory.c", "hooks.c", "place.c", "script.c", "stubs.c", "asan.c",
    };
    if (strcmp(name, base_name(goal->file)) == 0)
        return 0;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return 1;
    return strncmp(name, "model_", 6) == 0;
}

/* Is the thread at this place, with one of its calls if `any`, or with the innermost one? `where`: the
 * line where it is. */
enum answer obmc_is_at(const struct calls *calls, const struct place *goal, int any, char *where,
                       unsigned long room)
{
    static const char *const tools[] = { "addr2line", "llvm-addr2line", "eu-addr2line" };
    static char answer[1 << 16];
    int known = 0, seen = 0;
    for (unsigned i = 0; i < sizeof tools / sizeof *tools && !known && calls->count; i++)
        known = ask(tools[i], calls, answer, sizeof answer);
    if (!known)
        return UNKNOWN;
    for (char *line = answer, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = 0;
        char *colon = strrchr(line, ':');
        int number = colon ? atoi(colon + 1) : 0;
        if (number == 0)
            continue;
        *colon = 0;
        const char *name = base_name(line);
        if (is_ours(name, goal))
            continue;
        if (!seen)
            snprintf(where, room, "%s:%d", name, number);
        seen = 1;
        if (goal->first <= number && number <= goal->last && strcmp(name, base_name(goal->file)) == 0)
            return YES;
        if (!any)
            return NO;
    }
    return seen ? NO : UNKNOWN;
}
