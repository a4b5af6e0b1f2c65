// An interpreter that jumps through a table of labels.
#include <assert.h>

static int run(const unsigned char *code) {
    static void *const table[] = {&&push, &&add, &&halt};
    int stack[4], depth = 0;
    goto *table[*code++];
push:
    stack[depth++] = *code++;
    goto *table[*code++];
add:
    depth--;
    stack[depth - 1] += stack[depth];
    goto *table[*code++];
halt:
    return stack[depth - 1];
}

static int relative(int i) {
    static const int distance[] = {&&one - &&one, &&two - &&one, &&three - &&one};
    goto *(&&one + distance[i]);
one:
    return 1;
two:
    return 2;
three:
    return 3;
}

int main(void) {
    const unsigned char code[] = {0, 3, 0, 4, 1, 2};
    assert(run(code) != 7);
    assert(relative(0) == 1 && relative(1) == 2 && relative(2) == 3);
    return 0;
}
