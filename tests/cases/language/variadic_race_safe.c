/* What an argument leads to is shared; the arguments themselves are not. */
#include <pthread.h>
#include <stdarg.h>
static int x;
static void put(int n, ...)
{
    va_list list;
    va_start(list, n);
    *va_arg(list, int *) = n;
    va_end(list);
}
static void *one(void *arg)
{
    int own;
    put(1, &own);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, one, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
