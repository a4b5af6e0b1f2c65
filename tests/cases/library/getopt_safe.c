/* Options as glibc reads them: clusters, words of their own, long ones. */
#include <assert.h>
#include <getopt.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static const struct option names[] = {{"count", required_argument, 0, 'n'}, {"quiet", no_argument, 0, 'q'}, {0}};
    int c, count = 1, quiet = 0;
    while ((c = getopt_long(argc, argv, "n:qv", names, 0)) != -1) {
        if (c == 'n')
            count = atoi(optarg);
        else if (c == 'q')
            quiet++;
        else
            return 1;
    }
    assert(count != 4 || quiet == 2);
    assert(optind <= argc);
    return 0;
}
