extern void reach_error(void);
int ULTIMATE$start_x$0 = 2;
static int next$value(int $) { return $ + 1; }
int main(void) {
    if (next$value(ULTIMATE$start_x$0) != 3)
        reach_error();
    return 0;
}
