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
        word = 0;
        b = c;
        c = t;
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
