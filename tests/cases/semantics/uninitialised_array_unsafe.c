extern void reach_error(void);
int main(void) {
    char a[2] ;
    if (a[1] == 7)
        reach_error();
    return 0;
}
