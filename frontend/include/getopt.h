#ifndef _GETOPT_H
#define _GETOPT_H 1

struct option {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};

#define no_argument 0
#define required_argument 1
#define optional_argument 2

extern char *optarg;
extern int optind, opterr, optopt;
extern int getopt(int count, char *const args[], const char *options);
extern int getopt_long(int count, char *const args[], const char *options,
                       const struct option *long_options, int *index);

#endif
