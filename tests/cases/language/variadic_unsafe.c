/* Functions with `...`: numbers, pointers and structs, lists that are copied and handed on. */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
struct pair {
    int a;
    long b;
};
static int sum_of(int n, va_list list)
{
    int sum = 0;
    while (n--)
        sum += va_arg(list, int);
    return sum;
}
static int sum(int n, ...)
{
    va_list list, again;
    va_start(list, n);
    va_copy(again, list);
    int first = sum_of(n, list);
    int second = sum_of(n, again);
    va_end(again);
    va_end(list);
    return first == second ? first : -1;
}
static long mixed(const char *kinds, ...)
{
    long result = 0;
    va_list list;
    va_start(list, kinds);
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 'i': result += va_arg(list, int); break;
        case 'l': result += va_arg(list, long); break;
        case 'd': result += (long)va_arg(list, double); break;
        case 'p': result += *va_arg(list, int *); break;
        case 's': {
            struct pair p = va_arg(list, struct pair);
            result += p.a + p.b;
            break;
        }
        }
    }
    va_end(list);
    return result;
}
static void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}
static int shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *arg)
{
    int (*indirect)(int, ...) = sum;
    int n = indirect(3, 1, 2, 3);
    pthread_mutex_lock(&lock);
    shared += n;
    pthread_mutex_unlock(&lock);
    say("added %d\n", n);
    return 0;
}
int main(void)
{
    pthread_t t;
    struct pair p = { 3, 4 };
    int x = 10;
    char c = 5;
    pthread_create(&t, 0, worker, 0);
    assert(sum(0) == 0);
    assert(mixed("ilps", c, 100L, &x, p) == 122);
    pthread_mutex_lock(&lock);
    shared += sum(2, 1, 1);
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    assert(shared == 7);
    return 0;
}
