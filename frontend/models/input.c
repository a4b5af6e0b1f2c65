/* Input: any bytes, or none. */
int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);
unsigned char __VERIFIER_nondet_uchar(void);

enum { END_OF_FILE = -1 };

int getchar(void)
{
    return __VERIFIER_nondet_bool() ? __VERIFIER_nondet_uchar() : END_OF_FILE;
}

int getc(void *stream)
{
    return getchar();
}

int fgetc(void *stream)
{
    return getchar();
}

char *fgets(char *line, int size, void *stream)
{
    int length = 0;
    int byte = 0;
    while (length < size - 1 && byte != '\n') {
        byte = getchar();
        if (byte == END_OF_FILE)
            break;
        line[length++] = byte;
    }
    if (size < 1 || (length == 0 && byte == END_OF_FILE))
        return 0;
    line[length] = 0;
    return line;
}
