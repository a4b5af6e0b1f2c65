// A field that nobody has set is followed without a look at it: wrong, whatever the inputs are.
#include <stdlib.h>

struct device {
    int *mask;
};
int __VERIFIER_nondet_int(void);

int main(void)
{
    struct device *d = malloc(sizeof *d);
    int mask = __VERIFIER_nondet_int() ? *d->mask : 0;
    free(d);
    return mask;
}
