// Merge sort of an array of N inputs: a thread for the left half, an own call for the right one.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 4
#endif
extern int __VERIFIER_nondet_int(void);
int a[N], b[N];
struct range { int l, r; };
static void merge(int l, int m, int r) {
  int i = l, j = m, k = l;
  while (k < r) {
    if (j >= r || (i < m && a[i] <= a[j]))
      b[k++] = a[i++];
    else
      b[k++] = a[j++];
  }
  for (k = l; k < r; k++)
    a[k] = b[k];
}
#define SORT(name, inner) \
  static void *name(void *p) { \
    struct range *s = p; \
    if (s->r - s->l > 1) { \
      int m = (s->l + s->r) / 2; \
      struct range left = {s->l, m}, right = {m, s->r}; \
      pthread_t t; \
      pthread_create(&t, 0, inner, &left); \
      inner(&right); \
      pthread_join(t, 0); \
      merge(s->l, m, s->r); \
    } \
    return 0; \
  }
static void *sort1(void *p) { return 0; }
SORT(sort2, sort1)
SORT(sort4, sort2)
SORT(sort8, sort4)
int main(void) {
  for (int i = 0; i < N; i++)
    a[i] = __VERIFIER_nondet_int();
  struct range all = {0, N};
  sort8(&all);
  for (int i = 0; i + 1 < N; i++)
    assert(a[i] <= a[i + 1]);
}
