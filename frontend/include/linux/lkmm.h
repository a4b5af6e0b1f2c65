/* The Linux kernel's primitives for `--mm lkmm`: marked accesses, barriers, atomic_t, spin locks and RCU.
   Not a header of the kernel's: it has what its memory model speaks about, on top of functions that
   obmc knows (and Dartagnan, under the same names). */
#ifndef _OBMC_LINUX_LKMM_H
#define _OBMC_LINUX_LKMM_H 1

#include <stdint.h>

enum __LKMM_memory_order {
    __LKMM_once,
    __LKMM_acquire,
    __LKMM_release,
    __LKMM_mb,
    __LKMM_wmb,
    __LKMM_rmb,
    __LKMM_rcu_lock,
    __LKMM_rcu_unlock,
    __LKMM_rcu_sync,
    __LKMM_before_atomic,
    __LKMM_after_atomic,
    __LKMM_after_spinlock,
    __LKMM_barrier,
    __LKMM_after_unlock_lock,
};

enum __LKMM_operation { __LKMM_op_add, __LKMM_op_sub, __LKMM_op_and, __LKMM_op_or };

intmax_t __LKMM_load(const volatile void *, __typeof__(sizeof 0), enum __LKMM_memory_order);
void __LKMM_store(volatile void *, __typeof__(sizeof 0), intmax_t, enum __LKMM_memory_order);
intmax_t __LKMM_xchg(volatile void *, __typeof__(sizeof 0), intmax_t, enum __LKMM_memory_order);
intmax_t __LKMM_cmpxchg(volatile void *, __typeof__(sizeof 0), intmax_t, intmax_t, enum __LKMM_memory_order,
                        enum __LKMM_memory_order);
void __LKMM_atomic_op(volatile void *, __typeof__(sizeof 0), intmax_t, enum __LKMM_operation);
intmax_t __LKMM_atomic_op_return(volatile void *, __typeof__(sizeof 0), intmax_t, enum __LKMM_memory_order,
                                 enum __LKMM_operation);
intmax_t __LKMM_atomic_fetch_op(volatile void *, __typeof__(sizeof 0), intmax_t, enum __LKMM_memory_order,
                                enum __LKMM_operation);
void __LKMM_fence(enum __LKMM_memory_order);

#define __LKMM_GET(p, o) ((__typeof__(*(p)))__LKMM_load((p), sizeof *(p), __LKMM_##o))
#define __LKMM_PUT(p, v, o) __LKMM_store((p), sizeof *(p), (intmax_t)(v), __LKMM_##o)
#define __LKMM_SWAP(p, v, o) ((__typeof__(*(p)))__LKMM_xchg((p), sizeof *(p), (intmax_t)(v), __LKMM_##o))
#define __LKMM_CAS(p, c, v, o) \
    ((__typeof__(*(p)))__LKMM_cmpxchg((p), sizeof *(p), (intmax_t)(c), (intmax_t)(v), __LKMM_##o, __LKMM_##o))
#define __LKMM_DO(p, i, op) __LKMM_atomic_op((p), sizeof *(p), (intmax_t)(i), __LKMM_op_##op)
#define __LKMM_NEW(p, i, o, op) \
    ((__typeof__(*(p)))__LKMM_atomic_op_return((p), sizeof *(p), (intmax_t)(i), __LKMM_##o, __LKMM_op_##op))
#define __LKMM_OLD(p, i, o, op) \
    ((__typeof__(*(p)))__LKMM_atomic_fetch_op((p), sizeof *(p), (intmax_t)(i), __LKMM_##o, __LKMM_op_##op))

#define READ_ONCE(x) __LKMM_GET(&(x), once)
#define WRITE_ONCE(x, v) __LKMM_PUT(&(x), v, once)
#define smp_load_acquire(p) __LKMM_GET(p, acquire)
#define smp_store_release(p, v) __LKMM_PUT(p, v, release)
#define smp_store_mb(x, v) (WRITE_ONCE(x, v), smp_mb())
#define rcu_dereference(p) READ_ONCE(p)
#define rcu_assign_pointer(p, v) smp_store_release(&(p), v)

#define barrier() __LKMM_fence(__LKMM_barrier)
#define smp_mb() __LKMM_fence(__LKMM_mb)
#define smp_rmb() __LKMM_fence(__LKMM_rmb)
#define smp_wmb() __LKMM_fence(__LKMM_wmb)
#define smp_mb__before_atomic() __LKMM_fence(__LKMM_before_atomic)
#define smp_mb__after_atomic() __LKMM_fence(__LKMM_after_atomic)
#define smp_mb__after_spinlock() __LKMM_fence(__LKMM_after_spinlock)
#define smp_mb__after_unlock_lock() __LKMM_fence(__LKMM_after_unlock_lock)

#define rcu_read_lock() __LKMM_fence(__LKMM_rcu_lock)
#define rcu_read_unlock() __LKMM_fence(__LKMM_rcu_unlock)
#define synchronize_rcu() __LKMM_fence(__LKMM_rcu_sync)
#define synchronize_rcu_expedited() __LKMM_fence(__LKMM_rcu_sync)

#define xchg(p, v) __LKMM_SWAP(p, v, mb)
#define xchg_relaxed(p, v) __LKMM_SWAP(p, v, once)
#define xchg_acquire(p, v) __LKMM_SWAP(p, v, acquire)
#define xchg_release(p, v) __LKMM_SWAP(p, v, release)
#define cmpxchg(p, o, n) __LKMM_CAS(p, o, n, mb)
#define cmpxchg_relaxed(p, o, n) __LKMM_CAS(p, o, n, once)
#define cmpxchg_acquire(p, o, n) __LKMM_CAS(p, o, n, acquire)
#define cmpxchg_release(p, o, n) __LKMM_CAS(p, o, n, release)

typedef struct {
    int counter;
} atomic_t;

#define ATOMIC_INIT(i) { (i) }
#define atomic_read(v) READ_ONCE((v)->counter)
#define atomic_set(v, i) WRITE_ONCE((v)->counter, i)
#define atomic_read_acquire(v) smp_load_acquire(&(v)->counter)
#define atomic_set_release(v, i) smp_store_release(&(v)->counter, i)

#define atomic_add(i, v) __LKMM_DO(&(v)->counter, i, add)
#define atomic_sub(i, v) __LKMM_DO(&(v)->counter, i, sub)
#define atomic_and(i, v) __LKMM_DO(&(v)->counter, i, and)
#define atomic_or(i, v) __LKMM_DO(&(v)->counter, i, or)
#define atomic_inc(v) atomic_add(1, v)
#define atomic_dec(v) atomic_sub(1, v)

#define atomic_add_return(i, v) __LKMM_NEW(&(v)->counter, i, mb, add)
#define atomic_add_return_relaxed(i, v) __LKMM_NEW(&(v)->counter, i, once, add)
#define atomic_add_return_acquire(i, v) __LKMM_NEW(&(v)->counter, i, acquire, add)
#define atomic_add_return_release(i, v) __LKMM_NEW(&(v)->counter, i, release, add)
#define atomic_sub_return(i, v) __LKMM_NEW(&(v)->counter, i, mb, sub)
#define atomic_sub_return_relaxed(i, v) __LKMM_NEW(&(v)->counter, i, once, sub)
#define atomic_sub_return_acquire(i, v) __LKMM_NEW(&(v)->counter, i, acquire, sub)
#define atomic_sub_return_release(i, v) __LKMM_NEW(&(v)->counter, i, release, sub)
#define atomic_inc_return(v) atomic_add_return(1, v)
#define atomic_inc_return_relaxed(v) atomic_add_return_relaxed(1, v)
#define atomic_inc_return_acquire(v) atomic_add_return_acquire(1, v)
#define atomic_inc_return_release(v) atomic_add_return_release(1, v)
#define atomic_dec_return(v) atomic_sub_return(1, v)
#define atomic_dec_return_relaxed(v) atomic_sub_return_relaxed(1, v)
#define atomic_dec_return_acquire(v) atomic_sub_return_acquire(1, v)
#define atomic_dec_return_release(v) atomic_sub_return_release(1, v)

#define atomic_fetch_add(i, v) __LKMM_OLD(&(v)->counter, i, mb, add)
#define atomic_fetch_add_relaxed(i, v) __LKMM_OLD(&(v)->counter, i, once, add)
#define atomic_fetch_add_acquire(i, v) __LKMM_OLD(&(v)->counter, i, acquire, add)
#define atomic_fetch_add_release(i, v) __LKMM_OLD(&(v)->counter, i, release, add)
#define atomic_fetch_sub(i, v) __LKMM_OLD(&(v)->counter, i, mb, sub)
#define atomic_fetch_and(i, v) __LKMM_OLD(&(v)->counter, i, mb, and)
#define atomic_fetch_or(i, v) __LKMM_OLD(&(v)->counter, i, mb, or)
#define atomic_fetch_inc(v) atomic_fetch_add(1, v)
#define atomic_fetch_dec(v) atomic_fetch_sub(1, v)

#define atomic_xchg(v, i) xchg(&(v)->counter, i)
#define atomic_xchg_relaxed(v, i) xchg_relaxed(&(v)->counter, i)
#define atomic_xchg_acquire(v, i) xchg_acquire(&(v)->counter, i)
#define atomic_xchg_release(v, i) xchg_release(&(v)->counter, i)
#define atomic_cmpxchg(v, o, n) cmpxchg(&(v)->counter, o, n)
#define atomic_cmpxchg_relaxed(v, o, n) cmpxchg_relaxed(&(v)->counter, o, n)
#define atomic_cmpxchg_acquire(v, o, n) cmpxchg_acquire(&(v)->counter, o, n)
#define atomic_cmpxchg_release(v, o, n) cmpxchg_release(&(v)->counter, o, n)

#define atomic_dec_and_test(v) (atomic_dec_return(v) == 0)
#define atomic_inc_and_test(v) (atomic_inc_return(v) == 0)
#define atomic_sub_and_test(i, v) (atomic_sub_return(i, v) == 0)
#define atomic_add_negative(i, v) (atomic_add_return(i, v) < 0)

typedef struct spinlock {
    int held;
} spinlock_t;

int __LKMM_SPIN_LOCK(spinlock_t *);
int __LKMM_SPIN_UNLOCK(spinlock_t *);

#define DEFINE_SPINLOCK(l) spinlock_t l
#define spin_lock_init(l) ((void)((l)->held = 0))
#define spin_lock(l) ((void)__LKMM_SPIN_LOCK(l))
#define spin_unlock(l) ((void)__LKMM_SPIN_UNLOCK(l))

#endif
