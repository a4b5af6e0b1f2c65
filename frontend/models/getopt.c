/* Options of the command line, as glibc reads them.
 *
 * Idea: one word after the other. `next` is what is left of a word with several options ("-ab"). glibc moves words that
 * are no options behind those that are; here such a word ends the list if no option follows, which comes to the same, and
 * is not modelled otherwise. (With POSIXLY_CORRECT in the environment it ends the list, too.) Messages are not printed.
 */
_Noreturn void __obmc_unsupported(const char *what);
int strncmp(const char *a, const char *b, unsigned long size);
unsigned long strlen(const char *s);
char *strchr(const char *s, int c);

struct option {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};

char *optarg;
int optind = 1, opterr = 1, optopt = '?';
static char *next;
static int wrong;              /* what `optopt` is after each call */

static int is_option(const char *word)
{
    return word[0] == '-' && word[1];
}

/* An option without what it needs. */
static int missing(const char *options)
{
    return options[0] == ':' || (options[0] == '+' && options[1] == ':') ? ':' : '?';
}

/* A word that begins with "--", without these. */
static int long_option(int count, char *const args[], const char *options, const struct option *all, int *index,
                       char *name)
{
    unsigned long length = 0;
    int found = -1, exact = 0, several = 0;
    while (name[length] && name[length] != '=')
        length++;
    for (int i = 0; all[i].name && !exact; i++)
        if (strncmp(all[i].name, name, length) == 0) {
            exact = strlen(all[i].name) == length;
            several = found >= 0 && !exact;
            found = exact || found < 0 ? i : found;
        }
    optind++;
    if (several)
        __obmc_unsupported("the beginning of several long options");
    if (found < 0) {
        wrong = 0;
        return '?';
    }
    const struct option *it = &all[found];
    if (name[length] && !it->has_arg) {
        wrong = it->val;
        return '?';
    }
    if (name[length]) {
        optarg = name + length + 1;
    } else if (it->has_arg == 1) {
        if (optind >= count) {
            wrong = it->val;
            return missing(options);
        }
        optarg = args[optind++];
    }
    if (index)
        *index = found;
    if (!it->flag)
        return it->val;
    *it->flag = it->val;
    return 0;
}

static int next_option(int count, char *const args[], const char *options, const struct option *all, int *index)
{
    if (count < 1)
        return -1;
    if (options[0] == '-')
        __obmc_unsupported("getopt with words in between (-)");
    optarg = 0;
    if (optind == 0) {
        optind = 1;
        next = 0;
    }
    if (!next || !*next) {
        if (optind >= count)
            return -1;
        if (!is_option(args[optind])) {
            for (int i = optind; i < count && options[0] != '+'; i++)
                if (is_option(args[i]))
                    __obmc_unsupported("getopt with an option behind a word that is none");
            return -1;
        }
        char *word = args[optind];
        if (word[1] == '-' && !word[2]) {
            optind++;
            return -1;
        }
        if (all && word[1] == '-')
            return long_option(count, args, options, all, index, word + 2);
        next = word + 1;
    }
    int c = *next++;
    char *known = c == ':' || c == ';' ? 0 : strchr(options, c);
    if (!*next)
        optind++;
    if (!known || known[0] == '+') {
        wrong = c;
        return '?';
    }
    if (c == 'W' && known[1] == ';')
        __obmc_unsupported("getopt with -W");
    if (known[1] != ':')
        return c;
    if (*next) {
        optarg = next;
        optind++;
    } else if (known[2] != ':') {
        if (optind >= count) {
            wrong = c;
            c = missing(options);
        } else {
            optarg = args[optind++];
        }
    }
    next = 0;
    return c;
}

int getopt(int count, char *const args[], const char *options)
{
    int result = next_option(count, args, options, 0, 0);
    optopt = wrong;
    return result;
}

int getopt_long(int count, char *const args[], const char *options, const struct option *all, int *index)
{
    int result = next_option(count, args, options, all, index);
    optopt = wrong;
    return result;
}
