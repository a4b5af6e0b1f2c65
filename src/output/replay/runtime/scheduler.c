/* Forces the threads of a program into a recorded order.
 *
 * Idea: the compiler inserts a call before every access to memory that others might see (it thinks
 * that it talks to ThreadSanitizer), and the library's functions for threads are our own models.
 * So every operation whose order matters comes by here and waits for its turn. The script lists
 * these operations in order. An operation is found in it by thread, kind and place; it may go when
 * all that stands before it has been done by the other threads. What is not in the script needs no
 * order and goes on at once.
 *
 * An access happens after its call has returned, so it counts as done when its thread comes by
 * again. Compilers may order the operands of one expression differently: a thread's own lines are
 * therefore not waited for. If no thread can go on, the first open line is skipped, which is said at
 * the end if the error does not show up.
 */
#define _GNU_SOURCE
#include "replay.h"
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of a thread that spins: so many accesses after the end of the script. */
enum { ENOUGH = 2000 };
static const char SPINS[] = "spins";

enum { MAX_THREADS = 4096, RUNS = 1, WAITS, BLOCKED, PARKED, ENDED };

struct thread {
    int id;                     /* 0: not there */
    int state;
    int target;                 /* WAITS: for this event */
    int pending;                /* the event that it is doing, or -1 */
    int binding;                /* an event inside of a block whose pointer is to be looked at */
    void *bind_at;
    int depth;                  /* of atomic blocks */
    int next_input;
    int allocations;
    int joined;
    int rounds;                 /* LIVELOCK: accesses after the end of the script */
    const char *why;
    void *(*function)(void *);
    void *argument;
    void *result;
    void *top;                  /* above all frames of the program */
    char *stack;                /* its stack and its thread-local variables, kept when it ends */
    char *ended, *ended_top;    /* where the frames of `main` were that has returned */
    jmp_buf end;
    pthread_t real;
};

static struct thread threads[MAX_THREADS];
static __thread struct thread *self;
static char *done;              /* by event */
static char *used;              /* by input */
static char *taken;             /* by value of a variable without an initial one */
static int first_open;          /* all events before it are done */
static int skipped;
static char trouble[400];       /* the first thing that did not fit */
static int lock_word, change_word;

/* A lock and a signal that no tool sees, not even ThreadSanitizer. */
static void enter(void)
{
    while (__atomic_exchange_n(&lock_word, 1, __ATOMIC_ACQUIRE))
        syscall(SYS_sched_yield);
}

static void leave(void)
{
    __atomic_store_n(&lock_word, 0, __ATOMIC_RELEASE);
}

static void tell_all(void)
{
    __atomic_add_fetch(&change_word, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &change_word, FUTEX_WAKE_PRIVATE, INT_MAX, 0, 0, 0);
}

static void wait_for_change(void)
{
    int seen = __atomic_load_n(&change_word, __ATOMIC_SEQ_CST);
    leave();
    syscall(SYS_futex, &change_word, FUTEX_WAIT_PRIVATE, seen, 0, 0, 0);
    enter();
}

static void say(const char *verdict, const char *format, va_list list)
{
    char text[1000];
    vsnprintf(text, sizeof text, format, list);
    fflush(stdout);
    dprintf(2, "\nobmc-replay: %s: %s\n", verdict, text);
}

void obmc_reproduced(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say("reproduced", format, list);
    _exit(10);
}

void obmc_gave_up(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    say("not reproduced", format, list);
    if (trouble[0])
        dprintf(2, "obmc-replay: before that: %s\n", trouble);
    if (skipped)
        dprintf(2, "obmc-replay: %d operations of the trace were not seen\n", skipped);
    _exit(5);
}

static void note(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (!trouble[0])
        vsnprintf(trouble, sizeof trouble, format, list);
    va_end(list);
}

static const char *name_of(int event)
{
    static char text[200];
    const struct event *e = &obmc_events[event];
    static const char *const kinds[] = {
        "an access to", "an atomic block", "the start of thread", "a join with thread",
        "a look at thread", "its end",
    };
    const char *object = "a local variable";
    if (e->kind == ACCESS) {
        const struct object *o = &obmc_objects[e->object];
        object = o->storage == STATIC ? o->name : o->storage == HEAP ? "a heap block" : object;
        snprintf(text, sizeof text, "%s %s %s (line %d)", "an access to", object,
                 e->mode == READ ? "for reading" : "for writing", e->line);
    } else if (e->kind == BLOCK || e->kind == END) {
        snprintf(text, sizeof text, "%s (line %d)", kinds[e->kind], e->line);
    } else {
        snprintf(text, sizeof text, "%s %d (line %d)", kinds[e->kind], e->other, e->line);
    }
    return text;
}

/* The script */

static int finished(void)
{
    while (first_open < obmc_event_count && (done[first_open] || obmc_events[first_open].inside))
        first_open++;
    return first_open == obmc_event_count;
}

static int may_go(const struct thread *t)
{
    finished();
    for (int i = first_open; i < t->target; i++)
        if (!done[i] && !obmc_events[i].inside && obmc_events[i].thread != t->id)
            return 0;
    return 1;
}

static int has_more(const struct thread *t)
{
    finished();
    for (int i = first_open; i < obmc_event_count; i++)
        if (!done[i] && !obmc_events[i].inside && obmc_events[i].thread == t->id)
            return 1;
    return 0;
}

/* The two accesses of a race, and where their threads were: the last access of the script and the last one
 * before it by another thread that conflicts with it, at the line of the trace if there is one (in a model of
 * the library the lines are the model's). That nothing orders the two is known from the trace, whose order of
 * everything else is kept. */
static int race[2] = { -1, -1 };
static struct calls race_calls[2];

static int conflict(const struct event *a, const struct event *b)
{
    return a->kind == ACCESS && a->object == b->object && a->thread != b->thread
        && a->offset < b->offset + b->size && b->offset < a->offset + a->size && ((a->mode | b->mode) & WRITE);
}

/* To free a block stands in the script as a write of its first byte. */
static int is_end(const struct event *e)
{
    return obmc_objects[e->object].storage == HEAP && e->mode == WRITE && e->offset == 0 && e->size == 1;
}

static void find_race(void)
{
    int second = obmc_event_count - 1, last = -1, there = -1, freed = -1;
    while (second > 0 && obmc_events[second].kind != ACCESS)
        second--;
    for (int first = second - 1; first >= 0 && there < 0; first--) {
        const struct event *a = &obmc_events[first], *b = &obmc_events[second];
        int at = obmc_place_count == 2 && obmc_places[1].first <= a->line && a->line <= obmc_places[1].last;
        if (conflict(a, b)) {
            last = last < 0 ? first : last;
            there = at ? first : -1;
        } else if (at && freed < 0 && is_end(b) && a->kind == ACCESS && a->object == b->object
                   && a->thread != b->thread) {
            freed = first;
        }
    }
    race[1] = there >= 0 ? there : last >= 0 ? last : freed;
    race[0] = race[1] >= 0 ? second : -1;
}

static void come_to_race(int event)
{
    for (int i = 0; i < 2 && obmc_goal == RACE; i++)
        if (race[i] == event)
            obmc_calls_from(&race_calls[i], __builtin_frame_address(0), self->top);
}

/* Both accesses have happened one after the other, and what the script has between them orders
 * nothing. */
static void report_race(void)
{
    if (race[0] < 0)
        return;
    const struct event *a = &obmc_events[race[1]], *b = &obmc_events[race[0]];
    for (int i = 0; i < 2 && i < obmc_place_count; i++) {
        char where[300];
        if (obmc_is_at(&race_calls[i], &obmc_places[i], 0, where, sizeof where) == NO)
            obmc_gave_up("thread %d comes to its access at %s, and the trace has it at line %d",
                         obmc_events[race[i]].thread, where, obmc_places[i].line);
    }
    const struct object *o = &obmc_objects[b->object];
    int lines = obmc_place_count == 2;
    obmc_reproduced("threads %d and %d come to their accesses to %s (lines %d and %d) with "
                    "nothing that orders them", a->thread, b->thread,
                    o->storage == STATIC ? o->name : "one object",
                    lines ? obmc_places[1].line : a->line, lines ? obmc_places[0].line : b->line);
}

static void mark(int event)
{
    done[event] = 1;
    if (obmc_goal == RACE && !skipped && finished())
        report_race();
    tell_all();
}

/* All threads that are left wait or go around. */
static void report_livelock(void)
{
    char text[600] = "";
    int spinning = 0;
    for (int i = 1; i < MAX_THREADS && obmc_goal == LIVELOCK; i++) {
        const struct thread *t = &threads[i];
        if (t->id == 0 || t->state == ENDED)
            continue;
        if (t->state == PARKED && t->why != SPINS)
            return;
        spinning += t->state == PARKED;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%sthread %d %s",
                 text[0] ? ", " : "", i, t->state == PARKED ? "goes around its loop" : t->why);
    }
    if (spinning)
        obmc_reproduced("livelock: %s", text);
}

/* No thread runs and none may go: skip a line, or that was all. */
static void look_for_the_end(void)
{
    int waiting = 0, blocked = 0;
    for (int i = 1; i < MAX_THREADS; i++) {
        const struct thread *t = &threads[i];
        if (t->id == 0 || t->state == ENDED || t->state == PARKED)
            continue;
        if (t->state == RUNS || (t->state == WAITS && may_go(t)))
            return;
        waiting += t->state == WAITS;
        blocked += t->state == BLOCKED;
    }
    if (!finished()) {
        note("thread %d did not come to %s", obmc_events[first_open].thread, name_of(first_open));
        skipped++;
        mark(first_open);
        look_for_the_end();
        return;
    }
    if (waiting)
        return;
    report_livelock();
    for (int i = 1; i < MAX_THREADS; i++)
        if (threads[i].id && threads[i].state == PARKED && threads[i].why && blocked)
            obmc_gave_up("thread %d %s", i, threads[i].why);
    if (blocked && obmc_goal == DEADLOCK) {
        char text[600] = "";
        for (int i = 1; i < MAX_THREADS; i++)
            if (threads[i].id && threads[i].state == BLOCKED)
                snprintf(text + strlen(text), sizeof text - strlen(text), "%sthread %d %s",
                         text[0] ? ", " : "", i, threads[i].why);
        obmc_reproduced("deadlock: %s", text);
    }
    for (int i = 1; i < MAX_THREADS; i++)
        if (threads[i].id && threads[i].state == BLOCKED)
            obmc_gave_up("thread %d %s, and no thread can go on", i, threads[i].why);
    if (obmc_goal == LEAK)
        obmc_check_leaks();
    if (threads[obmc_last_thread].why && threads[obmc_last_thread].state == PARKED)
        obmc_gave_up("thread %d %s", obmc_last_thread, threads[obmc_last_thread].why);
    obmc_gave_up("every thread came to the end of the trace, and nothing failed");
}

static void stop_as(int state, const char *why)
{
    self->state = state;
    self->why = why;
    for (;;) {
        tell_all();
        look_for_the_end();
        wait_for_change();
    }
}

static void wait_for_turn(int event)
{
    self->target = event;
    self->state = WAITS;
    tell_all();
    while (!may_go(self)) {
        look_for_the_end();
        if (may_go(self))
            break;
        wait_for_change();
    }
    self->state = RUNS;
}

static void look_at_pointer(int event, void *address)
{
    const struct event *e = &obmc_events[event];
    if (e->points_to >= 0 && address) {
        char *value;
        memcpy(&value, address, sizeof value);
        obmc_bind(e->points_to, value - e->points_at);
    }
}

/* What the thread was doing is done. */
static void arrive(void)
{
    if (self->binding >= 0) {
        look_at_pointer(self->binding, self->bind_at);
        self->binding = -1;
    }
    if (self->depth == 0 && self->pending >= 0) {
        mark(self->pending);
        self->pending = -1;
    }
}

static void go(int event)
{
    wait_for_turn(event);
    self->pending = event;
    come_to_race(event);
}

/* The next line of this thread about threads and blocks. */
static int next_control(enum kind kind)
{
    for (int i = first_open; i < obmc_event_count; i++) {
        const struct event *e = &obmc_events[i];
        if (done[i] || e->thread != self->id || e->kind == ACCESS || i == self->pending)
            continue;
        if (e->kind == kind)
            return i;
        note("thread %d came to %s where the trace has %s", self->id,
             kind == BLOCK ? "an atomic block" : kind == END ? "its end" : "a start or join",
             name_of(i));
        return -1;
    }
    return -1;
}

static int is_same_place(int one, int other)
{
    const struct event *a = &obmc_events[one], *b = &obmc_events[other];
    return a->object == b->object && a->offset == b->offset && a->size == b->size && a->line == b->line;
}

/* `place`: where the bytes of that line are. */
static int next_access(void *address, unsigned long size, enum mode mode, void **place)
{
    long offset;
    int object = obmc_find(address, &offset), inside = self->depth > 0, found = -1, read = -1;
    if (object < 0)
        return -1;
    for (int i = first_open; i < obmc_event_count; i++) {
        const struct event *e = &obmc_events[i];
        if (done[i] || e->thread != self->id || i == self->pending)
            continue;
        if (e->kind != ACCESS || e->object != object || e->inside != inside)
            continue;
        if (e->offset >= offset + (long)size || offset >= e->offset + e->size)
            continue;
        /* To write a bit-field is to read it first, and of that compilers do not tell. */
        int hidden = e->mode == READ && mode == WRITE;
        if (!(e->mode & mode) && !(hidden && obmc_goal == RACE && i == race[0])) {
            read = hidden ? i : read;
            continue;
        }
        if (read >= 0 && is_same_place(read, i))
            mark(read);
        read = -1;
        if (found >= 0) {
            if (mode == READ)
                look_at_pointer(found, *place);
            mark(found);
        }
        found = i;
        *place = (char *)address + (e->offset > offset ? e->offset - offset : 0);
        /* A copy of several members at once stands for all of them. */
        if (e->offset <= offset && offset + (long)size <= e->offset + e->size)
            break;
    }
    return found;
}

static int is_over_for_me(void)
{
    return self->id != obmc_last_thread && obmc_goal != DEADLOCK && obmc_goal != LIVELOCK
        && !has_more(self);
}

/* The script is at its end, and the thread is free. Who still looks after so many accesses, while the
 * others are free, too, does not get out of its loop. */
static void goes_round(void)
{
    if (obmc_goal == LIVELOCK && finished() && ++self->rounds > ENOUGH)
        stop_as(PARKED, SPINS);
}

/* Own lines of the script that are still open, other than on the line of the error and on its own
 * last one: there a compiler may have another order. */
static int is_before_the_error(void)
{
    int last = -1, open = 0;
    for (int i = 0; i < obmc_event_count; i++)
        if (obmc_events[i].thread == self->id && !obmc_events[i].inside)
            last = obmc_events[i].line;
    for (int i = first_open; i < obmc_event_count; i++) {
        const struct event *e = &obmc_events[i];
        open |= e->thread == self->id && !done[i] && !e->inside && i != self->pending
            && e->line != obmc_goal_line && e->line != last;
    }
    return open;
}

/* Something went wrong in this thread: is it what the trace shows, in its thread, behind what the trace
 * has of it, at its place? What others do after all that the trace has of them is no part of it. */
static _Noreturn void judge(const struct calls *calls, const char *text)
{
    char where[300];
    if (!self)
        obmc_gave_up("%s in no thread of the program", text);
    if (is_over_for_me())
        obmc_park("goes wrong after its part of the trace");
    if (self->id != obmc_last_thread)
        obmc_gave_up("%s, and the trace goes wrong in thread %d", text, obmc_last_thread);
    if (is_before_the_error())
        obmc_gave_up("%s, before it comes to the error of the trace", text);
    /* An assertion may be in a function of the program that stands for it. */
    enum answer there = obmc_place_count == 0 ? YES
        : obmc_is_at(calls, &obmc_places[0], obmc_goal == ASSERTION, where, sizeof where);
    if (there == NO)
        obmc_gave_up("%s at %s, and the trace goes wrong at line %d", text, where, obmc_goal_line);
    obmc_reproduced("%s%s", text, there == YES ? "" : " (at which line is not known)");
}

void obmc_violated_at(const struct calls *calls, const char *format, ...)
{
    char text[1000];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    judge(calls, text);
}

void obmc_violated(const char *format, ...)
{
    char text[1000];
    struct calls calls;
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    obmc_calls_from(&calls, __builtin_frame_address(0), obmc_stack_top());
    judge(&calls, text);
}

void *obmc_stack_top(void)
{
    return self ? self->top : 0;
}

enum { MAX_WORDS = 1000, STACK = 8 << 20, NEAR = 1 << 20 };

/* Of the caller of the function that has this frame, as far as it is known. */
static char *stack_pointer(void *frame)
{
#if defined __x86_64__ || defined __i386__
    /* There are its frame pointer and the return address. */
    return (char *)frame + 2 * sizeof(void *);
#else
    return frame;
#endif
}

/* Does the address belong to what has ended: all of a thread, a frame or an array of variable length
 * below the caller's stack pointer, `main`? `frame`: of a function that the program calls, or null. */
const char *obmc_ended_storage(void *frame, void *address, int *owner)
{
    char *at = address;
    for (int i = 1; i < MAX_THREADS; i++) {
        const struct thread *t = &threads[i];
        *owner = i;
        if (t->state == ENDED && t->stack && t->stack <= at && at < t->stack + STACK)
            return "what has ended with thread";
        if (t->ended && t->ended <= at && at < t->ended_top)
            return "a local of main, which has returned, in thread";
    }
    if (!frame || !self)
        return 0;
    *owner = self->id;
    char *pointer = stack_pointer(frame);
    char *low = self->stack ? self->stack : pointer - NEAR;
    int inside = !self->stack || (self->stack <= pointer && pointer < self->stack + STACK);
    return inside && low <= at && at < pointer ? "a local that has ended, in thread" : 0;
}

void obmc_touch(void *address, unsigned long size, enum mode mode)
{
    obmc_touch_from(0, address, size, mode);
}

void obmc_touch_from(void *frame, void *address, unsigned long size, enum mode mode)
{
    if (!self)
        return;
    enter();
    arrive();
    void *place = address;
    int event = next_access(address, size, mode, &place);
    if (self->depth > 0) {
        if (event >= 0) {
            done[event] = 1;
            self->binding = event;
            self->bind_at = place;
            if (mode == READ)
                look_at_pointer(event, place);
        }
    } else if (event >= 0) {
        go(event);
        self->binding = event;
        self->bind_at = place;
        if (mode == READ)
            look_at_pointer(event, place);
    } else if (is_over_for_me() && !obmc_is_stack(address)) {
        stop_as(PARKED, 0);
    } else if (!has_more(self) && !obmc_is_stack(address)) {
        wait_for_turn(obmc_event_count);
        goes_round();
    }
    leave();
    obmc_check_access(frame, address, size, mode);
}

void obmc_block_begin(void)
{
    if (!self)
        return;
    enter();
    if (self->depth == 0) {
        arrive();
        int event = next_control(BLOCK);
        if (event >= 0)
            go(event);
        else if (is_over_for_me())
            stop_as(PARKED, 0);
        else if (!has_more(self)) {
            wait_for_turn(obmc_event_count);
            goes_round();
        }
    }
    self->depth++;
    leave();
}

void obmc_block_end(void)
{
    if (!self)
        return;
    enter();
    if (self->depth > 0)
        self->depth--;
    arrive();
    leave();
}

void obmc_park(const char *why)
{
    if (!self)
        _exit(5);
    enter();
    self->depth = 0;
    arrive();
    stop_as(PARKED, why);
    _exit(5);
}

/* What the models of the library ask for. */

void __obmc_atomic_begin(void) { obmc_block_begin(); }
void __obmc_atomic_end(void) { obmc_block_end(); }
void __VERIFIER_atomic_begin(void) { obmc_block_begin(); }
void __VERIFIER_atomic_end(void) { obmc_block_end(); }
unsigned long __obmc_self(void) { return self ? self->id : 1; }
int __obmc_spurious(void) { return strcmp(obmc_property_kind, "deadlocks") != 0; }
int __obmc_asked(const char *what) { return strcmp(obmc_property_kind, what) == 0; }

void __obmc_wait(int condition)
{
    if (condition || !self)
        return;
    enter();
    if (self->pending >= 0)
        note("thread %d has to wait at %s", self->id, name_of(self->pending));
    self->depth = 0;
    arrive();
    stop_as(BLOCKED, "waits in a function that never returns");
}

int __obmc_linked(const char *name)
{
    for (int i = 0; obmc_linked_names[i]; i++)
        if (strcmp(obmc_linked_names[i], name) == 0)
            return 1;
    return 0;
}

/* Only what is open in a model depends on it, and nothing is open here. */
int __obmc_repeated(const char *name)
{
    return __obmc_linked(name);
}

int __obmc_wakes_counted(void)
{
    return __obmc_linked("__obmc_wakes_counted");
}

int __obmc_threads_join(void)
{
    return 1;
}

int __obmc_mentioned(const char *name)
{
    return __obmc_linked(name);
}

void __obmc_run_exit_handlers(void);

/* Functions with the attribute `destructor`: the last one first. */
extern void (*__fini_array_start[])(void) __attribute__((weak, visibility("hidden")));
extern void (*__fini_array_end[])(void) __attribute__((weak, visibility("hidden")));

void obmc_run_destructors(void)
{
    for (void (**f)(void) = __fini_array_end; f && f > __fini_array_start; f--)
        f[-1]();
}

static void *run_thread(void *start)
{
    self = start;
    self->top = __builtin_frame_address(0);
    if (setjmp(self->end) == 0)
        self->result = self->function(self->argument);
    obmc_thread_ends(self->result);
    return 0;
}

void obmc_thread_ends(void *value)
{
    enter();
    self->depth = 0;
    arrive();
    int event = next_control(END);
    if (event >= 0) {
        go(event);
        arrive();
    }
    self->result = value;
    self->state = ENDED;
    tell_all();
    look_for_the_end();
    leave();
}

_Noreturn void __obmc_exit_thread(void *value)
{
    self->result = value;
    longjmp(self->end, 1);
}

static void start(struct thread *t, int id)
{
    t->id = id;
    t->state = RUNS;
    t->pending = t->binding = -1;
}

/* The id is stored before the thread starts: the script has that access right before the start. */
unsigned long __obmc_spawn(unsigned long *place, void *(*function)(void *), void *argument)
{
    int stored = place || __obmc_asked("memory");
    if (stored)
        obmc_touch(place, sizeof *place, WRITE);
    enter();
    arrive();
    int event = next_control(SPAWN), id = 0;
    if (event >= 0) {
        go(event);
        id = obmc_events[event].other;
        if (obmc_events[event].points_to >= 0)
            obmc_bind(obmc_events[event].points_to,
                      (char *)argument - obmc_events[event].points_at);
    } else {
        if (is_over_for_me())
            stop_as(PARKED, 0);
        if (!has_more(self))
            wait_for_turn(obmc_event_count);
        for (int i = 2; i < MAX_THREADS && !id; i++)
            id = threads[i].id ? 0 : i;
    }
    if (id <= 0 || id >= MAX_THREADS)
        obmc_gave_up("the program starts more than %d threads", MAX_THREADS - 2);
    if (stored)
        *place = id;
    struct thread *t = &threads[id];
    start(t, id);
    t->function = function;
    t->argument = argument;
    leave();
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    void *stack = mmap(0, STACK, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    t->stack = stack == MAP_FAILED ? 0 : stack;
    if (!t->stack || pthread_attr_setstack(&attributes, stack, STACK))
        pthread_attr_setstacksize(&attributes, STACK);
    if (pthread_create(&t->real, &attributes, run_thread, t))
        obmc_gave_up("the system starts no more threads");
    return id;
}

void *__obmc_join(unsigned long id)
{
    enter();
    arrive();
    struct thread *t = id < MAX_THREADS ? &threads[id] : 0;
    int event = next_control(JOIN);
    if (event >= 0)
        go(event);
    else if (is_over_for_me())
        stop_as(PARKED, 0);
    else if (!has_more(self))
        wait_for_turn(obmc_event_count);
    if (!t || !t->id)
        stop_as(PARKED, "joins a thread that does not exist");
    if (t->joined && obmc_goal == BAD_ACCESS && strcmp(obmc_goal_text, "a thread's id") == 0) {
        leave();
        obmc_violated("thread %d uses the id of thread %d after it was joined", self->id, t->id);
    }
    if (t->joined)
        stop_as(PARKED, "joins a thread that was joined before");
    while (t->state != ENDED) {
        self->state = BLOCKED;
        self->why = "waits for a thread to end";
        tell_all();
        look_for_the_end();
        if (t->state != ENDED)
            wait_for_change();
    }
    self->state = RUNS;
    t->joined = 1;
    arrive();
    leave();
    if (t->id != 1)
        pthread_join(t->real, 0);
    return t->result;
}

int __obmc_ended(unsigned long id)
{
    enter();
    arrive();
    int event = next_control(ASKED), ended = id < MAX_THREADS && threads[id].state == ENDED;
    if (event >= 0) {
        /* A block has its turn already. */
        if (self->depth > 0)
            mark(event);
        else
            go(event);
        ended = obmc_events[event].answer;
    }
    leave();
    return ended;
}

int obmc_next_allocation(void)
{
    return self ? self->allocations++ : -1;
}

int obmc_thread_number(void)
{
    return self ? self->id : 0;
}

unsigned long long obmc_input(const char *name)
{
    if (!self)
        return 0;
    for (int i = self->next_input; i < obmc_input_count; i++) {
        if (obmc_inputs[i].thread != self->id || used[i] || strcmp(obmc_inputs[i].name, name))
            continue;
        used[i] = 1;
        return obmc_inputs[i].bits;
    }
    return 0;
}

/* The next value of a variable without an initial one; zero where the trace has none. */
unsigned long long obmc_unset(int place)
{
    for (int i = 0; self && i < obmc_unset_count; i++) {
        const struct unset *u = &obmc_unsets[i];
        if (u->thread == self->id && u->place == place && !taken[i]) {
            taken[i] = 1;
            return u->bits;
        }
    }
    return 0;
}

/* The same for the only such variable of a function: is there a value? */
int obmc_unset_in(const char *function, unsigned long long *bits)
{
    for (int i = 0; self && i < obmc_unset_count; i++) {
        const struct unset *u = &obmc_unsets[i];
        if (u->thread == self->id && !taken[i] && strcmp(u->function, function) == 0) {
            *bits = obmc_unset(u->place);
            return 1;
        }
    }
    return 0;
}

/* Ends of the program. */

/* Without the blanks, which macros may change. */
static int same_text(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a == ' ')
            a++;
        while (*b == ' ')
            b++;
        if (*a != *b || !*a)
            return *a == *b;
    }
}

void obmc_failed_assertion(const char *text, const char *file, int line)
{
    char what[500];
    snprintf(what, sizeof what, "assertion `%s` failed", text);
    if (obmc_goal == ASSERTION && obmc_goal_text[0] && !same_text(text, obmc_goal_text))
        obmc_gave_up("another assertion fails: %s at %s:%d", what, file, line);
    obmc_failed(what, file, line);
}

void obmc_failed(const char *what, const char *file, int line)
{
    if (obmc_goal == RACE || obmc_goal == DEADLOCK)
        obmc_park("fails an assertion before the error of the trace");
    if (obmc_goal != ASSERTION)
        obmc_gave_up("%s before the error of the trace", what);
    if (file)
        obmc_violated("%s at %s:%d", what, file, line);
    obmc_violated("%s", what);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    struct calls calls;
    obmc_calls_of_signal(&calls, context, obmc_stack_top());
    if (number == SIGILL || number == SIGTRAP) {
        if (obmc_goal == OVERFLOWS)
            obmc_violated_at(&calls, "an arithmetic operation overflows in thread %d",
                             obmc_thread_number());
        if (obmc_goal == BAD_ACCESS)
            obmc_violated_at(&calls, "undefined behaviour in thread %d", obmc_thread_number());
        obmc_gave_up("undefined behaviour in thread %d", obmc_thread_number());
    }
    if (obmc_goal == BAD_ACCESS && number != SIGFPE)
        obmc_violated_at(&calls, "thread %d crashes at address %p (%s)", obmc_thread_number(),
                         info->si_addr, strsignal(number));
    if (self && number == SIGFPE) {
        /* No access crashes like that, so the last one has happened. */
        enter();
        self->depth = 0;
        arrive();
        leave();
    }
    if (self && is_over_for_me())
        obmc_park("crashes after its part of the trace");
    obmc_gave_up("thread %d crashes at address %p (%s)", obmc_thread_number(), info->si_addr,
                 strsignal(number));
}

static void watch_signals(void)
{
    static const int numbers[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP };
    stack_t stack = { .ss_sp = malloc(1 << 16), .ss_size = 1 << 16 };
    sigaltstack(&stack, 0);
    struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK };
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, 0);
}

/* What runs behind `main`, below where its frames were. */
static __attribute__((noinline)) void after_main(void)
{
    volatile char frames[1 << 16];
    frames[0] = 0;
    self->ended = (char *)frames;
    self->ended_top = (char *)frames + sizeof frames;
    __obmc_run_exit_handlers();
    obmc_run_destructors();
    if (obmc_goal == LEAK && !has_more(self))
        obmc_check_leaks();
    enter();
    self->depth = 0;
    arrive();
    stop_as(PARKED, "returned from main");
}

static int main_arguments(int (*program)(int, char **, char **), char **words, char **environment)
{
    int count = 0;
    static char *given[MAX_WORDS];
    for (int i = 0; obmc_words[i] && i < MAX_WORDS - 1; i++) {
        char name[40];
        given[i] = strdup(obmc_words[i]);
        snprintf(name, sizeof name, "argv[%d]", i);
        obmc_bind_named(name, given[i]);
    }
    if (given[0]) {
        obmc_bind_named("argv[]", given);
        return program(obmc_argc, given, environment);
    }
    while (words[count])
        count++;
    if (obmc_argc < 0)
        return program(count, words, environment);
    char **made = calloc((unsigned long)obmc_argc + 1, sizeof *made);
    for (int i = 0; made && i < obmc_argc; i++)
        made[i] = i < count ? words[i] : "";
    return program(obmc_argc, made ? made : words, environment);
}

/* Before all of the program, so that functions with the attribute `constructor` run in thread 1. */
static void begin(int count, char **words, char **environment)
{
    (void)count, (void)environment;
    done = calloc(obmc_event_count + 1, 1);
    used = calloc(obmc_input_count + 1, 1);
    taken = calloc(obmc_unset_count + 1, 1);
    obmc_find_statics();
    watch_signals();
    find_race();
    start(&threads[1], 1);
    threads[1].real = pthread_self();
    threads[1].top = words;
    self = &threads[1];
}

__attribute__((section(".preinit_array"), used))
static void (*const first_of_all)(int, char **, char **) = begin;

int obmc_main(int (*program)(int, char **, char **), char **words, char **environment)
{
    if (setjmp(self->end) == 0) {
        int status = main_arguments(program, words, environment);
        after_main();
        return status;
    }
    obmc_thread_ends(self->result);
    for (;;)
        pause();
}
