typedef __SIZE_TYPE__ size_t;
void out(long long);
size_t strlen(const char *);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *);
char *strchr(const char *, int);
char *strrchr(const char *, int);
char *strstr(const char *, const char *);
static int sign(int x) { return (x > 0) - (x < 0); }
int main(void) {
    char buf[32] = "one";
    out(strlen(buf));
    out(strlen(""));
    out(sign(strcmp(buf, "one")));
    out(sign(strcmp(buf, "onf")));
    out(sign(strcmp("\xff", "a")));
    out(sign(strcmp("", "a")));
    out(sign(strncmp("abcd", "abxx", 2)));
    out(sign(strncmp("abcd", "abxx", 3)));
    out(strcat(buf, "two") == buf);
    out(strlen(buf));
    strcpy(buf + 4, "xyz");
    for (char *p = buf; *p; p++) out(*p);
    strncpy(buf, "ab", 5);
    for (int i = 0; i < 8; i++) out(buf[i]);
    char *h = "hello";
    out(strchr(h, 'l') - h);
    out(strrchr(h, 'l') - h);
    out(strchr(h, 0) - h);
    out(strchr(h, 'z') == 0);
    out(strstr(h, "llo") - h);
    out(strstr(h, "lx") == 0);
    return 0;
}
