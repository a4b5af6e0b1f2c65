// Nothing comes behind a call of a function that does not return.
#include <assert.h>

void die(void) __attribute__((noreturn));
_Noreturn void stop(int);
int choice(void);

int main(void) {
    if (choice()) {
        die();
        assert(0);
    }
    if (choice()) {
        stop(1);
        assert(0);
    }
    return 0;
}
