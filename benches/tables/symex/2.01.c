// Two children write through two pointers that come from outside, and differ.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
struct shared { int val; } one, other;
struct shared *x, *y;
static void *zero(void *p) { x->val = 0; return 0; }
static void *first(void *p) { y->val = 1; return 0; }
int main(void) {
  x = __VERIFIER_nondet_int() ? &one : &other;
  y = __VERIFIER_nondet_int() ? &one : &other;
  __VERIFIER_assume(x != y);
  pthread_t s, t;
  pthread_create(&s, 0, zero, 0);
  pthread_create(&t, 0, first, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(x->val == 0);
}
