int main(void) {
    char array[] = "abc";
    char *p = "abc";
    p[0] = 'x';
    return 0;
}
