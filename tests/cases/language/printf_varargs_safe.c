#include <assert.h>
#include <stdio.h>
int main(void) {
    int x = 3;
    printf("%d %s %c %f\n", x++, "text", 'c', 1.5);
    fprintf(stderr, "%ld\n", (long)x++);
    puts("done");
    putchar('\n');
    assert(x == 5);
    return 0;
}
