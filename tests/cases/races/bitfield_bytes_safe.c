/* A member that is no bit-field has a memory location of its own. */
#include <pthread.h>
static struct {
    unsigned a : 8;
    unsigned char b;
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
