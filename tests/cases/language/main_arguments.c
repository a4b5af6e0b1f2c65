#include <assert.h>
int main(int argc, char **argv) {
    int copy = argc;
    assert(copy == argc);
    return 0;
}
