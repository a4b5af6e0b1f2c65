#ifndef _SYS_QUEUE_H_
#define _SYS_QUEUE_H_

/* The lists of the BSDs: SLIST (one way), LIST (back links), STAILQ and SIMPLEQ (one way with a
 * tail), TAILQ (both ways with a tail). A back link is the address of the pointer that leads here.
 */

/* SLIST */

#define SLIST_HEAD(name, type) struct name { struct type *slh_first; }
#define SLIST_HEAD_INITIALIZER(head) { 0 }
#define SLIST_ENTRY(type) struct { struct type *sle_next; }

#define SLIST_FIRST(head) ((head)->slh_first)
#define SLIST_NEXT(elm, field) ((elm)->field.sle_next)
#define SLIST_EMPTY(head) ((head)->slh_first == 0)
#define SLIST_INIT(head) do { (head)->slh_first = 0; } while (0)
#define SLIST_FOREACH(var, head, field)                                                            \
    for ((var) = (head)->slh_first; (var); (var) = (var)->field.sle_next)
#define SLIST_FOREACH_SAFE(var, head, field, after)                                                \
    for ((var) = (head)->slh_first; (var) && ((after) = (var)->field.sle_next, 1); (var) = (after))
#define SLIST_INSERT_HEAD(head, elm, field)                                                        \
    do {                                                                                           \
        (elm)->field.sle_next = (head)->slh_first;                                                 \
        (head)->slh_first = (elm);                                                                 \
    } while (0)
#define SLIST_INSERT_AFTER(at, elm, field)                                                         \
    do {                                                                                           \
        (elm)->field.sle_next = (at)->field.sle_next;                                              \
        (at)->field.sle_next = (elm);                                                              \
    } while (0)
#define SLIST_REMOVE_HEAD(head, field)                                                             \
    do { (head)->slh_first = (head)->slh_first->field.sle_next; } while (0)
#define SLIST_REMOVE_AFTER(at, field)                                                              \
    do { (at)->field.sle_next = (at)->field.sle_next->field.sle_next; } while (0)
#define SLIST_REMOVE(head, elm, type, field)                                                       \
    do {                                                                                           \
        struct type **__link = &(head)->slh_first;                                                 \
        while (*__link != (elm))                                                                   \
            __link = &(*__link)->field.sle_next;                                                   \
        *__link = (*__link)->field.sle_next;                                                       \
    } while (0)

/* LIST */

#define LIST_HEAD(name, type) struct name { struct type *lh_first; }
#define LIST_HEAD_INITIALIZER(head) { 0 }
#define LIST_ENTRY(type) struct { struct type *le_next; struct type **le_prev; }

#define LIST_FIRST(head) ((head)->lh_first)
#define LIST_NEXT(elm, field) ((elm)->field.le_next)
#define LIST_EMPTY(head) ((head)->lh_first == 0)
#define LIST_INIT(head) do { (head)->lh_first = 0; } while (0)
#define LIST_FOREACH(var, head, field)                                                             \
    for ((var) = (head)->lh_first; (var); (var) = (var)->field.le_next)
#define LIST_FOREACH_SAFE(var, head, field, after)                                                 \
    for ((var) = (head)->lh_first; (var) && ((after) = (var)->field.le_next, 1); (var) = (after))
#define LIST_INSERT_HEAD(head, elm, field)                                                         \
    do {                                                                                           \
        (elm)->field.le_next = (head)->lh_first;                                                   \
        if ((head)->lh_first)                                                                      \
            (head)->lh_first->field.le_prev = &(elm)->field.le_next;                               \
        (head)->lh_first = (elm);                                                                  \
        (elm)->field.le_prev = &(head)->lh_first;                                                  \
    } while (0)
#define LIST_INSERT_AFTER(at, elm, field)                                                          \
    do {                                                                                           \
        (elm)->field.le_next = (at)->field.le_next;                                                \
        if ((at)->field.le_next)                                                                   \
            (at)->field.le_next->field.le_prev = &(elm)->field.le_next;                            \
        (at)->field.le_next = (elm);                                                               \
        (elm)->field.le_prev = &(at)->field.le_next;                                               \
    } while (0)
#define LIST_INSERT_BEFORE(at, elm, field)                                                         \
    do {                                                                                           \
        (elm)->field.le_prev = (at)->field.le_prev;                                                \
        (elm)->field.le_next = (at);                                                               \
        *(at)->field.le_prev = (elm);                                                              \
        (at)->field.le_prev = &(elm)->field.le_next;                                               \
    } while (0)
#define LIST_REMOVE(elm, field)                                                                    \
    do {                                                                                           \
        if ((elm)->field.le_next)                                                                  \
            (elm)->field.le_next->field.le_prev = (elm)->field.le_prev;                            \
        *(elm)->field.le_prev = (elm)->field.le_next;                                              \
    } while (0)

/* STAILQ */

#define STAILQ_HEAD(name, type) struct name { struct type *stqh_first; struct type **stqh_last; }
#define STAILQ_HEAD_INITIALIZER(head) { 0, &(head).stqh_first }
#define STAILQ_ENTRY(type) struct { struct type *stqe_next; }

#define STAILQ_FIRST(head) ((head)->stqh_first)
#define STAILQ_NEXT(elm, field) ((elm)->field.stqe_next)
#define STAILQ_EMPTY(head) ((head)->stqh_first == 0)
#define STAILQ_INIT(head)                                                                          \
    do {                                                                                           \
        (head)->stqh_first = 0;                                                                    \
        (head)->stqh_last = &(head)->stqh_first;                                                   \
    } while (0)
#define STAILQ_FOREACH(var, head, field)                                                           \
    for ((var) = (head)->stqh_first; (var); (var) = (var)->field.stqe_next)
#define STAILQ_INSERT_HEAD(head, elm, field)                                                       \
    do {                                                                                           \
        (elm)->field.stqe_next = (head)->stqh_first;                                               \
        if (!(head)->stqh_first)                                                                   \
            (head)->stqh_last = &(elm)->field.stqe_next;                                           \
        (head)->stqh_first = (elm);                                                                \
    } while (0)
#define STAILQ_INSERT_TAIL(head, elm, field)                                                       \
    do {                                                                                           \
        (elm)->field.stqe_next = 0;                                                                \
        *(head)->stqh_last = (elm);                                                                \
        (head)->stqh_last = &(elm)->field.stqe_next;                                               \
    } while (0)
#define STAILQ_INSERT_AFTER(head, at, elm, field)                                                  \
    do {                                                                                           \
        (elm)->field.stqe_next = (at)->field.stqe_next;                                            \
        if (!(elm)->field.stqe_next)                                                               \
            (head)->stqh_last = &(elm)->field.stqe_next;                                           \
        (at)->field.stqe_next = (elm);                                                             \
    } while (0)
#define STAILQ_REMOVE_HEAD(head, field)                                                            \
    do {                                                                                           \
        (head)->stqh_first = (head)->stqh_first->field.stqe_next;                                  \
        if (!(head)->stqh_first)                                                                   \
            (head)->stqh_last = &(head)->stqh_first;                                               \
    } while (0)
#define STAILQ_REMOVE(head, elm, type, field)                                                      \
    do {                                                                                           \
        struct type **__link = &(head)->stqh_first;                                                \
        while (*__link != (elm))                                                                   \
            __link = &(*__link)->field.stqe_next;                                                  \
        *__link = (*__link)->field.stqe_next;                                                      \
        if (!*__link)                                                                              \
            (head)->stqh_last = __link;                                                            \
    } while (0)
#define STAILQ_CONCAT(one, two)                                                                    \
    do {                                                                                           \
        if (!STAILQ_EMPTY(two)) {                                                                  \
            *(one)->stqh_last = (two)->stqh_first;                                                 \
            (one)->stqh_last = (two)->stqh_last;                                                   \
            STAILQ_INIT(two);                                                                      \
        }                                                                                          \
    } while (0)

/* SIMPLEQ */

#define SIMPLEQ_HEAD(name, type) struct name { struct type *sqh_first; struct type **sqh_last; }
#define SIMPLEQ_HEAD_INITIALIZER(head) { 0, &(head).sqh_first }
#define SIMPLEQ_ENTRY(type) struct { struct type *sqe_next; }

#define SIMPLEQ_FIRST(head) ((head)->sqh_first)
#define SIMPLEQ_NEXT(elm, field) ((elm)->field.sqe_next)
#define SIMPLEQ_EMPTY(head) ((head)->sqh_first == 0)
#define SIMPLEQ_INIT(head)                                                                         \
    do {                                                                                           \
        (head)->sqh_first = 0;                                                                     \
        (head)->sqh_last = &(head)->sqh_first;                                                     \
    } while (0)
#define SIMPLEQ_FOREACH(var, head, field)                                                          \
    for ((var) = (head)->sqh_first; (var); (var) = (var)->field.sqe_next)
#define SIMPLEQ_INSERT_HEAD(head, elm, field)                                                      \
    do {                                                                                           \
        (elm)->field.sqe_next = (head)->sqh_first;                                                 \
        if (!(head)->sqh_first)                                                                    \
            (head)->sqh_last = &(elm)->field.sqe_next;                                             \
        (head)->sqh_first = (elm);                                                                 \
    } while (0)
#define SIMPLEQ_INSERT_TAIL(head, elm, field)                                                      \
    do {                                                                                           \
        (elm)->field.sqe_next = 0;                                                                 \
        *(head)->sqh_last = (elm);                                                                 \
        (head)->sqh_last = &(elm)->field.sqe_next;                                                 \
    } while (0)
#define SIMPLEQ_REMOVE_HEAD(head, field)                                                           \
    do {                                                                                           \
        (head)->sqh_first = (head)->sqh_first->field.sqe_next;                                     \
        if (!(head)->sqh_first)                                                                    \
            (head)->sqh_last = &(head)->sqh_first;                                                 \
    } while (0)

/* TAILQ */

#define TAILQ_HEAD(name, type) struct name { struct type *tqh_first; struct type **tqh_last; }
#define TAILQ_HEAD_INITIALIZER(head) { 0, &(head).tqh_first }
#define TAILQ_ENTRY(type) struct { struct type *tqe_next; struct type **tqe_prev; }

#define TAILQ_FIRST(head) ((head)->tqh_first)
#define TAILQ_NEXT(elm, field) ((elm)->field.tqe_next)
#define TAILQ_LAST(head, headname) (*(((struct headname *)((head)->tqh_last))->tqh_last))
#define TAILQ_PREV(elm, headname, field)                                                           \
    (*(((struct headname *)((elm)->field.tqe_prev))->tqh_last))
#define TAILQ_EMPTY(head) ((head)->tqh_first == 0)
#define TAILQ_INIT(head)                                                                           \
    do {                                                                                           \
        (head)->tqh_first = 0;                                                                     \
        (head)->tqh_last = &(head)->tqh_first;                                                     \
    } while (0)
#define TAILQ_FOREACH(var, head, field)                                                            \
    for ((var) = (head)->tqh_first; (var); (var) = (var)->field.tqe_next)
#define TAILQ_FOREACH_SAFE(var, head, field, after)                                                \
    for ((var) = (head)->tqh_first; (var) && ((after) = (var)->field.tqe_next, 1); (var) = (after))
#define TAILQ_FOREACH_REVERSE(var, head, headname, field)                                          \
    for ((var) = TAILQ_LAST(head, headname); (var); (var) = TAILQ_PREV(var, headname, field))
#define TAILQ_INSERT_HEAD(head, elm, field)                                                        \
    do {                                                                                           \
        (elm)->field.tqe_next = (head)->tqh_first;                                                 \
        if ((head)->tqh_first)                                                                     \
            (head)->tqh_first->field.tqe_prev = &(elm)->field.tqe_next;                            \
        else                                                                                       \
            (head)->tqh_last = &(elm)->field.tqe_next;                                             \
        (head)->tqh_first = (elm);                                                                 \
        (elm)->field.tqe_prev = &(head)->tqh_first;                                                \
    } while (0)
#define TAILQ_INSERT_TAIL(head, elm, field)                                                        \
    do {                                                                                           \
        (elm)->field.tqe_next = 0;                                                                 \
        (elm)->field.tqe_prev = (head)->tqh_last;                                                  \
        *(head)->tqh_last = (elm);                                                                 \
        (head)->tqh_last = &(elm)->field.tqe_next;                                                 \
    } while (0)
#define TAILQ_INSERT_AFTER(head, at, elm, field)                                                   \
    do {                                                                                           \
        (elm)->field.tqe_next = (at)->field.tqe_next;                                              \
        if ((elm)->field.tqe_next)                                                                 \
            (elm)->field.tqe_next->field.tqe_prev = &(elm)->field.tqe_next;                        \
        else                                                                                       \
            (head)->tqh_last = &(elm)->field.tqe_next;                                             \
        (at)->field.tqe_next = (elm);                                                              \
        (elm)->field.tqe_prev = &(at)->field.tqe_next;                                             \
    } while (0)
#define TAILQ_INSERT_BEFORE(at, elm, field)                                                        \
    do {                                                                                           \
        (elm)->field.tqe_prev = (at)->field.tqe_prev;                                              \
        (elm)->field.tqe_next = (at);                                                              \
        *(at)->field.tqe_prev = (elm);                                                             \
        (at)->field.tqe_prev = &(elm)->field.tqe_next;                                             \
    } while (0)
#define TAILQ_REMOVE(head, elm, field)                                                             \
    do {                                                                                           \
        if ((elm)->field.tqe_next)                                                                 \
            (elm)->field.tqe_next->field.tqe_prev = (elm)->field.tqe_prev;                         \
        else                                                                                       \
            (head)->tqh_last = (elm)->field.tqe_prev;                                              \
        *(elm)->field.tqe_prev = (elm)->field.tqe_next;                                            \
    } while (0)
#define TAILQ_CONCAT(one, two, field)                                                              \
    do {                                                                                           \
        if (!TAILQ_EMPTY(two)) {                                                                   \
            *(one)->tqh_last = (two)->tqh_first;                                                   \
            (two)->tqh_first->field.tqe_prev = (one)->tqh_last;                                    \
            (one)->tqh_last = (two)->tqh_last;                                                     \
            TAILQ_INIT(two);                                                                       \
        }                                                                                          \
    } while (0)

#endif
