// Two children write elements of an array whose indices come from outside, and differ.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int arr[5], x, k;
static void *zero(void *p) { arr[x] = 0; return 0; }
static void *first(void *p) { arr[k] = 1; return 0; }
int main(void) {
  x = __VERIFIER_nondet_int();
  k = __VERIFIER_nondet_int();
  __VERIFIER_assume(0 <= x && x < 5);
  __VERIFIER_assume(0 <= k && k < 5);
  __VERIFIER_assume(x != k);
  pthread_t s, t;
  pthread_create(&s, 0, zero, 0);
  pthread_create(&t, 0, first, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(arr[x] == 0);
}
