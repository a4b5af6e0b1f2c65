#include <pthread.h>
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
/* Money goes from one account to another and back, for ever; none is lost. */
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned checking = 100, savings = 100;
void *there(void *arg)
{
    while (1) {
        unsigned sum = __VERIFIER_nondet_uint();
        pthread_mutex_lock(&m);
        if (sum <= checking) {
            checking -= sum;
            savings += sum;
        }
        pthread_mutex_unlock(&m);
    }
}
void *back(void *arg)
{
    while (1) {
        unsigned sum = __VERIFIER_nondet_uint();
        pthread_mutex_lock(&m);
        if (sum <= savings) {
            savings -= sum;
            checking += sum;
        }
        pthread_mutex_unlock(&m);
    }
}
void *audit(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m);
        assert(checking + savings == 200);
        pthread_mutex_unlock(&m);
    }
}
int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, there, 0);
    pthread_create(&b, 0, back, 0);
    pthread_create(&c, 0, audit, 0);
    pthread_join(a, 0);
    return 0;
}
