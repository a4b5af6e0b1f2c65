/* A nested struct and a zero width separate bit-fields. */
#include <pthread.h>
static struct {
    char before;
    unsigned a : 20;
    unsigned : 0;
    struct { unsigned c : 30; } n;
    char behind;
} s;
static void *one(void *arg) { s.a = 1; return 0; }
static void *two(void *arg) { s.n.c = 1; return 0; }
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
