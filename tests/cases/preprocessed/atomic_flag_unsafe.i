// The flag is set from the beginning.
typedef unsigned long pthread_t;
typedef _Atomic struct
{
  unsigned char __val;
} atomic_flag;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern _Bool atomic_flag_test_and_set_explicit (volatile atomic_flag *, int);
extern void reach_error(void);
atomic_flag taken = { 1 };
int count;
static void *thread(void *arg)
{
  if (!__atomic_test_and_set ((&taken), 5)) { count++; }
  return arg;
}
int main(void)
{
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  thread(0);
  pthread_join(t, 0);
  if (count != 1) reach_error();
  return 0;
}
