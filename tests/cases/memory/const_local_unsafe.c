// Locals, parameters and compound literals that are defined `const` cannot be written to either.
struct s {
    int a, b;
};
int which(void);

static void change(const int *p) {
    *(int *)p = 2;
}

static void parameter(const int n) {
    change(&n);
}

static void literal(void) {
    change((const int[]){1, 2});
}

int main(void) {
    const int scalar = 1;
    const struct s record = {1, 2};
    const int array[3] = {1, 2, 3};
    switch (which()) {
    case 0: *(int *)&scalar = 2; break;
    case 1: ((struct s *)&record)->b = 3; break;
    case 2: change(array + 2); break;
    case 3: parameter(4); break;
    case 4: literal(); break;
    }
    return 0;
}
