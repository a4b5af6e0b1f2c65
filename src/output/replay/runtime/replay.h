/* What the parts of the scheduler share. See scheduler.c for the idea. */
#ifndef OBMC_REPLAY_H
#define OBMC_REPLAY_H

enum kind { ACCESS, BLOCK, SPAWN, JOIN, ASKED, END };
enum mode { READ = 1, WRITE = 2, BOTH = 3 };
enum goal { ASSERTION, DEADLOCK, LIVELOCK, RACE, BAD_ACCESS, BAD_FREE, LEAK, OVERFLOWS };
enum storage { STATIC, HEAP, UNNAMED };
enum answer { NO, YES, UNKNOWN };

/* One line of the script: what one thread does next that others can notice. */
struct event {
    int thread;
    enum kind kind;
    int object;            /* ACCESS: of objects[] */
    long offset;
    long size;
    enum mode mode;
    int inside;            /* in an atomic block: not waited for */
    int points_to;         /* the value is the address of this object, or -1 */
    long points_at;
    int other;             /* SPAWN, JOIN, ASKED: which thread */
    int answer;            /* ASKED: has it ended? */
    int line;
};

struct object {
    enum storage storage;
    const char *name;      /* STATIC */
    int which;             /* STATIC: among those of this name; HEAP: number of the allocation */
    int thread;            /* HEAP */
    long size;
};

struct input {
    int thread;
    const char *name;      /* "" for a function that the program does not define */
    unsigned long long bits;
};

/* Uninitialised bytes that the execution read as something. */
struct content {
    int object;
    long offset;
    long size;
    unsigned long long bits;
};

struct failure {
    int thread;
    int number;            /* this allocation gives a null pointer */
};

/* What a thread finds in a local variable without an initial value, each time it is declared. */
struct unset {
    int thread;
    int place;             /* in the text: obmc_unset(place) */
    const char *function;
    unsigned long long bits;
};

/* A statement of the program. */
struct place {
    const char *file;
    int line;              /* of the operation that is meant */
    int first, last;       /* of the statement */
};

/* Addresses of the code that a thread is in, the innermost first. */
enum { MAX_CALLS = 48 };
struct calls {
    int count;
    void *at[MAX_CALLS];
};

extern const struct event obmc_events[];
extern const int obmc_event_count;
extern const struct object obmc_objects[];
extern const int obmc_object_count;
extern const struct input obmc_inputs[];
extern const int obmc_input_count;
extern const struct content obmc_contents[];
extern const int obmc_content_count;
extern const struct failure obmc_failures[];
extern const int obmc_failure_count;
extern const struct unset obmc_unsets[];
extern const int obmc_unset_count;
extern const char *const obmc_linked_names[];
extern const enum goal obmc_goal;
extern const int obmc_last_thread;
extern const char *const obmc_words[];      /* what main is called with, or none */
extern const int obmc_argc;                 /* -1: it does not matter */
extern const int obmc_goal_line;            /* where the trace goes wrong */
extern const struct place obmc_places[];    /* the same; of a race the other side is the second one */
extern const int obmc_place_count;          /* 0: it is no place */
extern const char *const obmc_goal_text;    /* the assertion, what no access is about, or "" */
extern const char *const obmc_property_kind;   /* what the models are asked for */

/* scheduler.c */
void obmc_touch(void *address, unsigned long size, enum mode mode);
void obmc_touch_from(void *frame, void *address, unsigned long size, enum mode mode);
const char *obmc_ended_storage(void *frame, void *address, int *owner);
void obmc_block_begin(void);
void obmc_block_end(void);
void obmc_thread_ends(void *value);
void obmc_reproduced(const char *format, ...) __attribute__((noreturn));
void obmc_violated(const char *format, ...) __attribute__((noreturn));
void obmc_violated_at(const struct calls *calls, const char *format, ...) __attribute__((noreturn));
void *obmc_stack_top(void);
void obmc_run_destructors(void);
void obmc_gave_up(const char *format, ...) __attribute__((noreturn));
void obmc_failed(const char *what, const char *file, int line) __attribute__((noreturn));
void obmc_failed_assertion(const char *text, const char *file, int line) __attribute__((noreturn));
void obmc_park(const char *why) __attribute__((noreturn));
unsigned long long obmc_input(const char *name);
unsigned long long obmc_unset(int place);
int obmc_unset_in(const char *function, unsigned long long *bits);

/* memory.c */
void obmc_find_statics(void);
const char *obmc_function_at(void *address);
void obmc_bind(int object, void *base);
void obmc_bind_named(const char *name, void *base);
void *obmc_base_of(int object);
int obmc_find(void *address, long *offset);
void obmc_check_access(void *frame, void *address, unsigned long size, enum mode mode);
void obmc_check_leaks(void);
int obmc_is_stack(void *address);

/* place.c */
void obmc_calls_from(struct calls *calls, void *frame, void *top);
void obmc_calls_of_signal(struct calls *calls, void *context, void *top);
enum answer obmc_is_at(const struct calls *calls, const struct place *goal, int any, char *where,
                       unsigned long room);

#endif
