#ifndef _LINUX_STDDEF_H
#define _LINUX_STDDEF_H 1

/* Members both as a group of a name and by themselves. */
#define __struct_group(TAG, NAME, ATTRS, MEMBERS...) \
    union { \
        struct { MEMBERS } ATTRS; \
        struct TAG { MEMBERS } ATTRS NAME; \
    }

/* An array without a size where C does not allow one. */
#define __DECLARE_FLEX_ARRAY(TYPE, NAME) \
    struct { \
        struct { } __empty_ ## NAME; \
        TYPE NAME[]; \
    }

#endif
