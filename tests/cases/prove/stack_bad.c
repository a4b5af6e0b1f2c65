#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
/* A stack of five under a lock: what is popped was pushed. */
pthread_mutex_t m;
int top, full[5];
void *one(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        if (top < 5) {
            full[top] = 1;
            top++;
        }
        pthread_mutex_unlock(&m);
    }
}
void *two(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        if (top > 0) {
            if (top < 4)
                top--;
            assert(full[top] == 1);
            full[top] = 0;
        }
        pthread_mutex_unlock(&m);
    }
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
