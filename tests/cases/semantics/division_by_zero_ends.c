// Division by zero ends the execution; it does not violate this property.
extern void reach_error(void);
int zero;
int main(void) {
    int x = 7 / zero;
    if (x == x)
        reach_error();
    return 0;
}
