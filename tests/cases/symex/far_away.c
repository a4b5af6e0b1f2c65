// One value of an input would reach the error; it is left out.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int a, b;
static void *copies(void *p) { b = a ^ 0x55555555; return 0; }
int main(void) {
  pthread_t t;
  a = __VERIFIER_nondet_int();
  __VERIFIER_assume(a != 0x1234567);
  pthread_create(&t, 0, copies, 0);
  pthread_join(t, 0);
  assert(b != (0x1234567 ^ 0x55555555));
}
