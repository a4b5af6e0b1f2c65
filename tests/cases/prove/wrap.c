// Tickets of 8 bits that are never large: no number wraps around.
#include <assert.h>
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
unsigned char n1, n2;
_Bool c1, c2;
static void *first(void *p) {
  for (;;) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(n2 < 4);
    n1 = n2 + 1;
    __VERIFIER_atomic_end();
    for (;;) {
      __VERIFIER_atomic_begin();
      _Bool go = n2 == 0 || n1 < n2;
      __VERIFIER_atomic_end();
      if (go) break;
    }
    c1 = 1;
    assert(!c2);
    c1 = 0;
    n1 = 0;
  }
}
static void *second(void *p) {
  for (;;) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(n1 < 4);
    n2 = n1 + 1;
    __VERIFIER_atomic_end();
    for (;;) {
      __VERIFIER_atomic_begin();
      _Bool go = n1 == 0 || !(n1 < n2);
      __VERIFIER_atomic_end();
      if (go) break;
    }
    c2 = 1;
    assert(!c1);
    c2 = 0;
    n2 = 0;
  }
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
}
