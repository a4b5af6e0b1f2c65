// Threads of two kinds share one flag, and a relation that holds when it is free.
#include <pthread.h>
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int word, a = 1, b = 2, c = 3, t;
void *turn(void *arg) {
    while (1) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(word == 0);
        word = 1;
        __VERIFIER_atomic_end();
        t = a;
        a = b;
        b = c;
        c = t;
        word = 0;
    }
}
void *look(void *arg) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(word == 0);
    word = 1;
    __VERIFIER_atomic_end();
    if (a == b)
        reach_error();
    word = 0;
    return 0;
}
int main(void) {
    pthread_t id;
    pthread_create(&id, 0, look, 0);
    while (1)
        pthread_create(&id, 0, turn, 0);
}
