// Computed goto may be unsupported, never wrong.
extern void reach_error(void);
int main(void) {
    void *target = &&second;
    goto *target;

second:

    reach_error();
}
