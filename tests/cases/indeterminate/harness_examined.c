// A harness hands out a fresh block for data from elsewhere, and the field is looked at before it is
// followed: nothing can be said.
#include <stdlib.h>

struct device {
    int *mask;
};
int __VERIFIER_nondet_int(void);

int main(void)
{
    struct device *d = malloc(sizeof *d);
    int mask = __VERIFIER_nondet_int() && d->mask ? *d->mask : 0;
    free(d);
    return mask;
}
