extern void reach_error(void);
int main(void) {
    unsigned char c, d;
    d = c;
    if (c != d)
        reach_error();
    return 0;
}
