// Two threads write elements whose indices are inputs, and differ.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int a[6], i, k;
static void *one(void *p) { a[i] = 1; return 0; }
static void *two(void *p) { a[k] = 2; return 0; }
int main(void) {
  pthread_t s, t;
  i = __VERIFIER_nondet_int();
  k = __VERIFIER_nondet_int();
  __VERIFIER_assume(0 <= i && i < 6 && 0 <= k && k < 6);
  __VERIFIER_assume(i != k);
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(a[i] == 1 && a[k] == 2);
}
