// There is a way around the assembly.
#include <assert.h>
#include <pthread.h>
int x, y;
void *f(void *arg) {
    if (x)
        __asm__("incl %0" : "+m"(y));
    else
        assert(0);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    x = 1;
    pthread_join(t, 0);
    return 0;
}
