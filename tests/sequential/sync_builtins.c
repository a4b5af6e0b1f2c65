void out(long long);
int x; unsigned char b; long l; short s; char *p; _Bool f;
int main(void) {
  out(__sync_fetch_and_add(&x, 3)); out(__sync_fetch_and_sub(&x, 1)); out(__sync_fetch_and_or(&x, 8)); out(__sync_fetch_and_and(&x, 12)); out(__sync_fetch_and_xor(&x, 5)); out(__sync_fetch_and_nand(&x, 4)); out(x);
  out(__sync_add_and_fetch(&b, 255)); out(__sync_sub_and_fetch(&b, 1)); out(__sync_or_and_fetch(&l, 5)); out(__sync_and_and_fetch(&l, 4)); out(__sync_xor_and_fetch(&l, 1)); out(__sync_nand_and_fetch(&s, 1));
  out(__sync_bool_compare_and_swap(&x, x, 7)); out(__sync_val_compare_and_swap(&x, 7, 8)); __sync_synchronize(); out(__sync_lock_test_and_set(&x, 1)); __sync_lock_release(&x); out(x);
  out(__sync_fetch_and_add(&p, 4) == 0); out((long)p); out(__sync_bool_compare_and_swap(&p, p, &x, &l)); 
  out(__atomic_test_and_set(&f, 5)); out(__atomic_test_and_set(&f, 5)); __atomic_clear(&f, 5); out(f); out(__atomic_always_lock_free(4, 0)); out(__atomic_always_lock_free(3, 0));
  out(__atomic_fetch_add(&x, 1, 5)); out(__atomic_add_fetch(&x, 1, 5)); out(__atomic_fetch_nand(&x, 1, 5)); out(__atomic_xor_fetch(&x, 1, 0)); __atomic_signal_fence(5); __atomic_thread_fence(2);
  out(__sync_fetch_and_add_4(&x, 3)); out(x);
  return 0;
}
