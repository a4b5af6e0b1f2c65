/* No round looks too far. */
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 1000000)
        return 0;
    char *hay = malloc(n);
    int at = -1;
    for (unsigned i = 0; i < n && at < 0; i++)
        if (hay[i] == 'x')
            at = 0;
    free(hay);
    return at;
}
