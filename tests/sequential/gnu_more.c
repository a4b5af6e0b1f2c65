void out(long long);
struct empty {}; struct z { int n; int a[0]; }; struct un { int k; union { int a; float b; }; struct { int x, y; }; };
int renamed(void) __asm__("other_name"); int renamed(void) { return 3; }
int var __asm__("other_var") = 4; extern int alias_x __asm__("var2"); 
int t1 = 5, t2 = 6; static int t3 = 7;
int arr[] = { [1 ... 3] = 4, [5] = 6, 7 }; int m[3][3] = { [0 ... 1] = { [1 ... 2] = 9 } };
_Static_assert(1, "x"); struct sa { _Static_assert(sizeof(int) == 4, "m"); int q; };
int sw(int x) { switch (x) { case 1 ... 5: return 1; case -3 ... -1: return 2; case 'a' ... 'z': return 3; default: return 4; } }
int big(unsigned x) { switch (x) { case 0 ... 0x7fffffff: return 1; case 0x80000000 ... 0xffffffff: return 2; } return 3; }
int pairs[] = { [0] 1, [1] 2 }; struct un old = { k: 3, x: 4 };
#define lab() ({ __label__ L; int i = 0; L: i++; if (i < 3) goto L; i; })
union cu { int i; float f; };
int takes(union cu u) { return u.i; }
int main(void) {
  out(sizeof(struct empty)); out(sizeof(struct z)); struct empty e; struct empty e2 = e; struct un u = { 1, .a = 2, .x = 3 }; out(u.a); out(u.x); out(renamed()); out(var); out(t1 + t2 + t3);
  for (int i = 0; i < 7; i++) out(arr[i]); out(m[1][2]); out(m[2][2]); out(sw(3)); out(sw(-2)); out(sw('q')); out(sw(99)); out(big(5)); out(big(3000000000u));
  out(pairs[1]); out(old.x); out(lab()); out(lab()); int x = 5; out(x ?: 7); out(0 ?: 7); out(__extension__ 3); __extension__ int ee = 4; out(ee);
  out(({ int y = 3; y * 2; })); { _Static_assert(1, ""); }
  return 0;
}
