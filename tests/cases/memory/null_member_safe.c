struct s { int a[4]; int b; };
static struct s g;
static int *field(struct s *p) { return &p->b; }
int main(void) {
    return *field(&g);
}
