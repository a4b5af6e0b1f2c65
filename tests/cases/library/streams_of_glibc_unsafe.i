typedef struct _IO_FILE FILE;
extern FILE *stderr;
extern int fprintf(FILE *, const char *, ...);
extern FILE *fopen(const char *, const char *);
extern int fclose(FILE *);
int main(void)
{
    FILE *f = fopen("a", "w");
    if (!f)
        f = stderr;
    fclose(f);
    fprintf(f, "%d\n", 1);
    return 0;
}
