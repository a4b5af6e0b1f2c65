// unsigned short is promoted to int, so the product is signed.
int main(void) {
    unsigned short x = 46340;
    return (unsigned)(x * x) == 5;
}
