// Preprocessed programs know the standard streams as pointers.
typedef struct _IO_FILE FILE;
extern FILE *stdout;
extern FILE *stderr;
extern int fprintf(FILE *, const char *, ...);
extern int fputs(const char *, FILE *);
extern FILE *fopen(const char *, const char *);
extern int fclose(FILE *);
extern void __assert_fail(const char *, const char *, unsigned, const char *);
int main(void)
{
    FILE *f = fopen("a", "w");
    if (f == stdout || stdout == stderr || !stderr)
        __assert_fail("no", "a.c", 1, "main");
    fprintf(stderr, "%d\n", 1);
    fputs("x", f ? f : stdout);
    if (f)
        fclose(f);
    return 0;
}
