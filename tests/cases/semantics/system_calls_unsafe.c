// A write may be short, and reads its block.
#include <assert.h>
#include <errno.h>
#include <unistd.h>
int main(void) {
    char text[3] = "ok";
    errno = 0;
    long n = write(1, text, 4);
    assert(-1 <= n && n == 4);
    assert(n >= 0 || errno != 0);
    assert(close(5) <= 0);
    return 0;
}
