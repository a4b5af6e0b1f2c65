/* All bit-fields that nothing separates are one memory location, however long. */
#include <pthread.h>
static struct {
    char before;
    unsigned a : 20;
    unsigned b : 30;
    unsigned c : 30;
    char behind;
} s;
static void *one(void *arg) { s.a = 1; return 0; }
static void *two(void *arg) { s.c = 1; return 0; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    s.before = s.behind = 1;
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
