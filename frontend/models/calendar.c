/* The calendar, where no time zone is asked for: gmtime and timegm.
 *
 * Idea: days are counted from 1 March of the year 0, so that the leap day is the last of a year,
 * in eras of 400 years (146,097 days). All formulas are exact and without loops. Years that are no
 * int are EOVERFLOW. gmtime has one result for all threads, which races.
 */
int *__errno_location(void);
_Noreturn void __obmc_unsupported(const char *what);

enum { E_OVERFLOW = 75, DAY = 86400, ERA = 146097, TO_1970 = 719468 };

struct tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};

static long long floor_div(long long a, long long b)
{
    return a / b - (a % b < 0);
}

static int is_leap(long long year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

struct tm *gmtime_r(const long *t, struct tm *result)
{
    long long time = *t;
    long long all = floor_div(time, DAY);
    int second = time - all * DAY;
    long long days = all + TO_1970;
    long long era = floor_div(days, ERA);
    int of_era = days - era * ERA;
    int year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int month = (5 * of_year + 2) / 153;
    long long year = era * 400 + year_of_era + (month >= 10);
    if (year - 1900 > 2147483647LL || year - 1900 < -2147483647LL - 1) {
        *__errno_location() = E_OVERFLOW;
        return 0;
    }
    result->tm_sec = second % 60;
    result->tm_min = second / 60 % 60;
    result->tm_hour = second / 3600;
    result->tm_mday = of_year - (153 * month + 2) / 5 + 1;
    result->tm_mon = month < 10 ? month + 2 : month - 10;
    result->tm_year = year - 1900;
    result->tm_wday = (all % 7 + 11) % 7;
    result->tm_yday = month < 10 ? of_year + 59 + is_leap(year) : of_year - 306;
    result->tm_isdst = 0;
    result->tm_gmtoff = 0;
    result->tm_zone = "GMT";
    return result;
}

struct tm *gmtime(const long *t)
{
    static struct tm shared;
    return gmtime_r(t, &shared);
}

/* What is out of range is carried over, and the result brought in line, as mktime does. */
long timegm(struct tm *tm)
{
    long long month = tm->tm_mon;
    long long year = 1900LL + tm->tm_year + floor_div(month, 12);
    month -= floor_div(month, 12) * 12;
    long long from_march = month >= 2 ? month - 2 : month + 10;
    year -= month < 2;
    long long era = floor_div(year, 400);
    long long year_of_era = year - era * 400;
    long long of_year = (153 * from_march + 2) / 5 + tm->tm_mday - 1;
    long long days = era * ERA + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year;
    long long time = (days - TO_1970) * DAY + tm->tm_hour * 3600LL + tm->tm_min * 60LL + tm->tm_sec;
    long result = time;
    if (result != time)
        __obmc_unsupported("timegm of a time that no time_t holds");
    gmtime_r(&result, tm);
    return result;
}
