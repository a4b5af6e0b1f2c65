// fread writes whole elements and at most a part of the next one; stat writes all of the structure.
#include <assert.h>
#include <stdio.h>
#include <sys/stat.h>

int main(void) {
    int block[3] = {1, 2, 3};
    size_t n = fread(block, sizeof *block, 2, stdin);
    assert(n <= 2 && block[2] == 3);
    struct stat s;
    if (stat("name", &s) == 0) assert(s.st_size >= 0 && s.st_mtim.tv_nsec < 1000000000);
    return 0;
}
