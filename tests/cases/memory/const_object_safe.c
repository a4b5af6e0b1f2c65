// `const` in the type of a pointer says nothing of the object; a write to a constant ends all.
#include <assert.h>

static int plain = 1;
const int constant = 1;
const int *reader = &plain;
int choice(void);

int main(void) {
    *(int *)reader = 2;
    assert(plain == 2);
    char text[] = "abc";
    text[0] = 'b';
    if (choice()) {
        *(int *)&constant = 2;
        assert(0);
    }
    assert(constant == 1);
    return 0;
}
