// There are argc pointers and a null behind them, for any argc from 0.
#include <assert.h>

int main(int argc, char **argv) {
    int copy = argc;
    assert(copy == argc);
    assert(argc >= 0);
    if (argc <= 2) {
        int n = 0;
        while (argv[n])
            n++;
        assert(n == argc);
        assert(argv[argc] == 0);
    }
    return 0;
}
