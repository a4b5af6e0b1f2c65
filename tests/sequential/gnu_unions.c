void out(long long);
union cu { int i; float f; };
int takes(union cu u) { return u.i; }
int main(void) {
  union cu c = (union cu)5; out(c.i); out(takes((union cu)7)); out(((union cu)1.0f).i);
  int a = 1; void *p = &a; out(sizeof(void)); out(p + 1 > p); out(sizeof(*p)); out(sizeof(main));
  int arr[3] = {1,2,3}; int *q = arr; out(*q++); out(*q++); out(q - arr); 
  struct s { int a; int b[]; } st = { 1 }; out(sizeof st);
  typeof(int *) pp = &a; out(*pp); typeof(arr) a2 = {4,5,6}; out(a2[2]); __typeof__(a) aa = 4; out(aa); const __auto_type ca = 5; out(ca);
  int (*fp)(union cu) = takes; out(fp((union cu){.i = 3})); out((*fp)((union cu){.i = 3})); out((**fp)((union cu){.i = 4}));
  void vf(void); return 0;
lbl: ; }
