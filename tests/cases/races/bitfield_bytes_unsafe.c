/* Adjacent bit-fields are one memory location even if each has bytes of its own. */
#include <pthread.h>
static struct {
    unsigned a : 8;
    unsigned b : 8;
} s;
static void *one(void *arg) { s.a = 1; return 0; }
static void *two(void *arg) { unsigned seen = s.b; return 0; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
