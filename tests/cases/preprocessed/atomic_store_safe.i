// What atomic_store_explicit becomes: a relaxed store.
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
typedef enum { memory_order_relaxed = 0 } memory_order;
_Atomic int x;
static void *thread(void *arg)
{
  __extension__ ({ __auto_type __atomic_store_ptr = (&x); __typeof__ ((void)0, *__atomic_store_ptr) __atomic_store_tmp = (1); __atomic_store (__atomic_store_ptr, &__atomic_store_tmp, (memory_order_relaxed)); });
  return arg;
}
int main(void)
{
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  x = 2;
  pthread_join(t, 0);
  return 0;
}
