int main(void) {
    char array[] = "abc";
    char *p = array;
    p[0] = 'x';
    return 0;
}
