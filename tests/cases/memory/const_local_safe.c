// `const` in the type of a pointer says nothing of the object; initialising a constant, again and again,
// writes to none.
#include <assert.h>
struct s {
    int a, b;
};

static void change(const int *p) {
    *(int *)p += 1;
}

static int read(const int *p) {
    return *p;
}

int main(void) {
    int plain = 1, sum = 0, again = 0;
    const int *reader = &plain;
    change(reader);
    for (int i = 0; i < 2; i++) {
        const int twice = 2 * i;
        const struct s record = {i, i ? read(&twice) : 1};
        sum += read(&twice) + read(&record.b);
    }
back:;
    const int seen = again;
    sum += read(&seen);
    if (again++ == 0) goto back;
    change((int[]){1, 2});
    assert(plain == 2 && sum == 2 + 1 + 2 + 1);
    return 0;
}
