#include <assert.h>

int main(int argc, char **argv) {
    assert(argc != 1 || argv[1]);
    return argv[argc + 1] == 0;
}
