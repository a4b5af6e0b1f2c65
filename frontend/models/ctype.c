/* Character classes of the "C" locale. A class test gives any number but 0; the `__obmc_truth_` twins
 * give 1 and are for callers who only ask whether it is 0 (lower/sign.rs). Of a number that is no
 * character and not EOF glibc looks beyond its table, and so do we (from -128 on it has an answer).
 */
int __obmc_any_truth(int truth);

static void look_up(int c)
{
    if (c < -128 || c > 255)
        (void)*(const volatile char *)("" + 1);
}

int __obmc_truth_isdigit(int c)
{
    look_up(c);
    return c >= '0' && c <= '9';
}

int __obmc_truth_islower(int c)
{
    look_up(c);
    return c >= 'a' && c <= 'z';
}

int __obmc_truth_isupper(int c)
{
    look_up(c);
    return c >= 'A' && c <= 'Z';
}

int __obmc_truth_isalpha(int c)
{
    look_up(c);
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

int __obmc_truth_isalnum(int c)
{
    look_up(c);
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

int __obmc_truth_isxdigit(int c)
{
    look_up(c);
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

int __obmc_truth_isspace(int c)
{
    look_up(c);
    return c == ' ' || (c >= '\t' && c <= '\r');
}

int __obmc_truth_isblank(int c)
{
    look_up(c);
    return c == ' ' || c == '\t';
}

int __obmc_truth_iscntrl(int c)
{
    look_up(c);
    return (c >= 0 && c < 32) || c == 127;
}

int __obmc_truth_isprint(int c)
{
    look_up(c);
    return c >= 32 && c < 127;
}

int __obmc_truth_isgraph(int c)
{
    look_up(c);
    return c > 32 && c < 127;
}

int __obmc_truth_ispunct(int c)
{
    look_up(c);
    return c > 32 && c < 127 && !__obmc_truth_isalnum(c);
}

int isdigit(int c)
{
    return __obmc_any_truth(__obmc_truth_isdigit(c));
}

int islower(int c)
{
    return __obmc_any_truth(__obmc_truth_islower(c));
}

int isupper(int c)
{
    return __obmc_any_truth(__obmc_truth_isupper(c));
}

int isalpha(int c)
{
    return __obmc_any_truth(__obmc_truth_isalpha(c));
}

int isalnum(int c)
{
    return __obmc_any_truth(__obmc_truth_isalnum(c));
}

int isxdigit(int c)
{
    return __obmc_any_truth(__obmc_truth_isxdigit(c));
}

int isspace(int c)
{
    return __obmc_any_truth(__obmc_truth_isspace(c));
}

int isblank(int c)
{
    return __obmc_any_truth(__obmc_truth_isblank(c));
}

int iscntrl(int c)
{
    return __obmc_any_truth(__obmc_truth_iscntrl(c));
}

int isprint(int c)
{
    return __obmc_any_truth(__obmc_truth_isprint(c));
}

int isgraph(int c)
{
    return __obmc_any_truth(__obmc_truth_isgraph(c));
}

int ispunct(int c)
{
    return __obmc_any_truth(__obmc_truth_ispunct(c));
}

int isascii(int c)
{
    return c >= 0 && c < 128;
}

int tolower(int c)
{
    return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

int toupper(int c)
{
    return c >= 'a' && c <= 'z' ? c - 32 : c;
}

int toascii(int c)
{
    return c & 127;
}
