// Which bits the address of a variable has is not for a proof to say.
void reach_error(void);
int main(void) {
    int l = 0;
    int number = (int)(long)&l;
    if ((number & 0xff0) == 0x7b0)
        reach_error();
    return 0;
}
