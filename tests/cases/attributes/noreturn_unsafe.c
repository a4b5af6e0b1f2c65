#include <assert.h>

void die(void) __attribute__((noreturn));
int choice(void);

int main(void) {
    if (choice())
        die();
    assert(0);
}
