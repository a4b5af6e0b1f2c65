/* 128 bits in two words; only machines with 64 have them. */
void out(long long);
#ifdef __SIZEOF_INT128__
#include <stdint.h>
typedef unsigned __int128 u128; typedef __int128 i128;
static void o(i128 x) { out((long long)x); out((long long)(x >> 64)); }
static void u(u128 x) { out((long long)x); out((long long)(x >> 64)); }
u128 g = 5;
_Alignas(16) u128 at; 
int main(void) {
  i128 a = -5, b = 7; o(a + b); o(a - b); o(-a); o(~a); o(a & b); o(a | b); o(a ^ b);
  u128 x = ((u128)1 << 100) | 3; u(x); u(x + x); u(x >> 3); u(x << 20); u(x >> 100); u(x << 64); u(x >> 64); 
  out(x == x); out(x > 5); out(a < b); out(a < 0); out(b >= a); out(a != b); out((u128)a > b); out(!x); out(x && 1);
  int n = 70; u(x << n); u(x >> n); o(a >> n); n = 0; u(x << n); o(a >> n);
  o(a * b); u((u128)UINT64_MAX * UINT64_MAX); u(x * 3); 
  i128 c = 100; c += 5; c -= 3; c <<= 70; o(c); c++; o(c); ++c; c--; o(c);
  unsigned long long hi = (u128)UINT64_MAX * 12345 >> 64; out(hi);
  u(g); g += (u128)1 << 64; u(g); if (g) out(1);
  out((int)a); out((unsigned char)x); a = 3; a = x; o(a); a = -1; u((u128)a); out(sizeof a); out(_Alignof(u128));
  o((i128)INT64_MIN); u((u128)(unsigned)-1); o(x ? a : b);
  u(at = 7); struct { char c; i128 v; } s = {1, -2}; o(s.v); i128 arr[2] = {1, -9}; o(arr[1]);
  return 0;
}
#else
int main(void) { return 0; }
#endif
