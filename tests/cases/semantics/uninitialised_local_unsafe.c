extern void reach_error(void);
int main(void) {
    unsigned char c ;
    if (c == 200)
        reach_error();
    return 0;
}
