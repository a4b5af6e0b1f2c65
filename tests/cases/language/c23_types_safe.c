// C23: enums that say what they are made of, constants with constexpr, types of their values.
#include <assert.h>
#include <stdbit.h>
#include <stdckdint.h>
enum small : unsigned char { A, B = 200 };
enum later : long long;
enum later : long long { C = 1LL << 40 };
constexpr int n = 3;
static int array[n + 1];
struct [[gnu::packed]] dense { char a; int b; };
int main(void) {
    constexpr unsigned k = n * 2;
    static int more[k];
    assert(sizeof(enum small) == 1 && sizeof(enum later) == 8 && B == 200 && C >> 40 == 1);
    assert(sizeof array == 16 && sizeof more == 24 && *&k == 6 && sizeof(struct dense) == 5);
    switch (6) {
    case k: break;
    default: assert(0);
    }
    auto x = 3L;
    assert(sizeof x == 8 && nullptr == (void *)0);
    int sum;
    assert(!ckd_add(&sum, 40, 2) && sum == 42 && ckd_mul(&sum, 1 << 20, 1 << 20));
    assert(stdc_leading_zeros((unsigned char)1) == 7 && stdc_bit_ceil(9u) == 16);
    return 0;
}
