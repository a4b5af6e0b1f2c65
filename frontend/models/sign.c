/* Results of which only the sign is defined, or only whether they are 0: any such number. An
 * uninitialised local and not an input, so an engine has to choose only if the program looks.
 */
void __VERIFIER_assume(int condition);

int __obmc_any_of_sign(int sign)
{
    int result;
    if (!sign)
        return 0;
    __VERIFIER_assume(sign < 0 ? result < 0 : result > 0);
    return result;
}

int __obmc_any_truth(int truth)
{
    int result;
    if (!truth)
        return 0;
    __VERIFIER_assume(result != 0);
    return result;
}
