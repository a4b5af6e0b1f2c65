// Two children add 1 and 2 to every element of an array of any length, under a lock.
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int a[10], length;
static void *one(void *p) {
  pthread_mutex_lock(&m);
  for (int i = 0; i < length; i++)
    a[i] = a[i] + 1;
  pthread_mutex_unlock(&m);
  return 0;
}
static void *two(void *p) {
  pthread_mutex_lock(&m);
  for (int i = 0; i < length; i++)
    a[i] = a[i] + 2;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  int k = __VERIFIER_nondet_int();
  length = __VERIFIER_nondet_int();
  __VERIFIER_assume(1 < length && length < 10);
  __VERIFIER_assume(0 <= k && k < length);
  a[k] = 10;
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(a[k] == 13);
}
