// Comments stay in many .i files, although the standard says that they are gone.
/* over
   several lines */ extern void reach_error(void);
int main(void) {
  int a = 6, /* inline */ b = 2; // tail "quote
  char *s = "/* no comment */ // none";
  int q = a / *&b; /* a division by what b's address points to */
  if (q != 3 || s[0] != '/')
    reach_error();
  return 0;
}
