#ifndef _STDBIT_H
#define _STDBIT_H 1

/* C23's bit utilities, generic in the type of their argument. */

#define __STDC_VERSION_STDBIT_H__ 202311L
#define __STDC_ENDIAN_LITTLE__ 1234
#define __STDC_ENDIAN_BIG__ 4321
#define __STDC_ENDIAN_NATIVE__ __STDC_ENDIAN_LITTLE__

static inline unsigned __stdbit_zeros_before(unsigned long long __x, unsigned __width)
{
    return __x ? (unsigned)__builtin_clzll(__x) - (64 - __width) : __width;
}

static inline unsigned __stdbit_zeros_behind(unsigned long long __x, unsigned __width)
{
    return __x ? (unsigned)__builtin_ctzll(__x) : __width;
}

static inline unsigned __stdbit_ones(unsigned long long __x)
{
    return (unsigned)__builtin_popcountll(__x);
}

static inline unsigned long long __stdbit_floor(unsigned long long __x)
{
    return __x ? 1ull << (63 - __builtin_clzll(__x)) : 0;
}

static inline unsigned long long __stdbit_ceil(unsigned long long __x)
{
    return __x <= 1 ? 1 : __stdbit_floor(__x - 1) << 1;
}

#define __stdbit_width(x) (8u * (unsigned)sizeof(x))
#define __stdbit_not(x) ((unsigned long long)(__typeof__(x))~(x))

#define stdc_leading_zeros(x) __stdbit_zeros_before((x), __stdbit_width(x))
#define stdc_leading_ones(x) __stdbit_zeros_before(__stdbit_not(x), __stdbit_width(x))
#define stdc_trailing_zeros(x) __stdbit_zeros_behind((x), __stdbit_width(x))
#define stdc_trailing_ones(x) __stdbit_zeros_behind(__stdbit_not(x), __stdbit_width(x))
#define stdc_first_leading_zero(x) ((stdc_leading_ones(x) + 1) % (__stdbit_width(x) + 1))
#define stdc_first_leading_one(x) ((stdc_leading_zeros(x) + 1) % (__stdbit_width(x) + 1))
#define stdc_first_trailing_zero(x) ((stdc_trailing_ones(x) + 1) % (__stdbit_width(x) + 1))
#define stdc_first_trailing_one(x) ((stdc_trailing_zeros(x) + 1) % (__stdbit_width(x) + 1))
#define stdc_count_zeros(x) __stdbit_ones(__stdbit_not(x))
#define stdc_count_ones(x) __stdbit_ones(x)
#define stdc_has_single_bit(x) ((_Bool)(__stdbit_ones(x) == 1))
#define stdc_bit_width(x) (__stdbit_width(x) - __stdbit_zeros_before((x), __stdbit_width(x)))
#define stdc_bit_floor(x) ((__typeof__(x))__stdbit_floor(x))
#define stdc_bit_ceil(x) ((__typeof__(x))__stdbit_ceil(x))

#define stdc_leading_zeros_uc(x) stdc_leading_zeros((unsigned char)(x))
#define stdc_leading_zeros_us(x) stdc_leading_zeros((unsigned short)(x))
#define stdc_leading_zeros_ui(x) stdc_leading_zeros((unsigned int)(x))
#define stdc_leading_zeros_ul(x) stdc_leading_zeros((unsigned long)(x))
#define stdc_leading_zeros_ull(x) stdc_leading_zeros((unsigned long long)(x))
#define stdc_leading_ones_uc(x) stdc_leading_ones((unsigned char)(x))
#define stdc_leading_ones_us(x) stdc_leading_ones((unsigned short)(x))
#define stdc_leading_ones_ui(x) stdc_leading_ones((unsigned int)(x))
#define stdc_leading_ones_ul(x) stdc_leading_ones((unsigned long)(x))
#define stdc_leading_ones_ull(x) stdc_leading_ones((unsigned long long)(x))
#define stdc_trailing_zeros_uc(x) stdc_trailing_zeros((unsigned char)(x))
#define stdc_trailing_zeros_us(x) stdc_trailing_zeros((unsigned short)(x))
#define stdc_trailing_zeros_ui(x) stdc_trailing_zeros((unsigned int)(x))
#define stdc_trailing_zeros_ul(x) stdc_trailing_zeros((unsigned long)(x))
#define stdc_trailing_zeros_ull(x) stdc_trailing_zeros((unsigned long long)(x))
#define stdc_trailing_ones_uc(x) stdc_trailing_ones((unsigned char)(x))
#define stdc_trailing_ones_us(x) stdc_trailing_ones((unsigned short)(x))
#define stdc_trailing_ones_ui(x) stdc_trailing_ones((unsigned int)(x))
#define stdc_trailing_ones_ul(x) stdc_trailing_ones((unsigned long)(x))
#define stdc_trailing_ones_ull(x) stdc_trailing_ones((unsigned long long)(x))
#define stdc_first_leading_zero_uc(x) stdc_first_leading_zero((unsigned char)(x))
#define stdc_first_leading_zero_us(x) stdc_first_leading_zero((unsigned short)(x))
#define stdc_first_leading_zero_ui(x) stdc_first_leading_zero((unsigned int)(x))
#define stdc_first_leading_zero_ul(x) stdc_first_leading_zero((unsigned long)(x))
#define stdc_first_leading_zero_ull(x) stdc_first_leading_zero((unsigned long long)(x))
#define stdc_first_leading_one_uc(x) stdc_first_leading_one((unsigned char)(x))
#define stdc_first_leading_one_us(x) stdc_first_leading_one((unsigned short)(x))
#define stdc_first_leading_one_ui(x) stdc_first_leading_one((unsigned int)(x))
#define stdc_first_leading_one_ul(x) stdc_first_leading_one((unsigned long)(x))
#define stdc_first_leading_one_ull(x) stdc_first_leading_one((unsigned long long)(x))
#define stdc_first_trailing_zero_uc(x) stdc_first_trailing_zero((unsigned char)(x))
#define stdc_first_trailing_zero_us(x) stdc_first_trailing_zero((unsigned short)(x))
#define stdc_first_trailing_zero_ui(x) stdc_first_trailing_zero((unsigned int)(x))
#define stdc_first_trailing_zero_ul(x) stdc_first_trailing_zero((unsigned long)(x))
#define stdc_first_trailing_zero_ull(x) stdc_first_trailing_zero((unsigned long long)(x))
#define stdc_first_trailing_one_uc(x) stdc_first_trailing_one((unsigned char)(x))
#define stdc_first_trailing_one_us(x) stdc_first_trailing_one((unsigned short)(x))
#define stdc_first_trailing_one_ui(x) stdc_first_trailing_one((unsigned int)(x))
#define stdc_first_trailing_one_ul(x) stdc_first_trailing_one((unsigned long)(x))
#define stdc_first_trailing_one_ull(x) stdc_first_trailing_one((unsigned long long)(x))
#define stdc_count_zeros_uc(x) stdc_count_zeros((unsigned char)(x))
#define stdc_count_zeros_us(x) stdc_count_zeros((unsigned short)(x))
#define stdc_count_zeros_ui(x) stdc_count_zeros((unsigned int)(x))
#define stdc_count_zeros_ul(x) stdc_count_zeros((unsigned long)(x))
#define stdc_count_zeros_ull(x) stdc_count_zeros((unsigned long long)(x))
#define stdc_count_ones_uc(x) stdc_count_ones((unsigned char)(x))
#define stdc_count_ones_us(x) stdc_count_ones((unsigned short)(x))
#define stdc_count_ones_ui(x) stdc_count_ones((unsigned int)(x))
#define stdc_count_ones_ul(x) stdc_count_ones((unsigned long)(x))
#define stdc_count_ones_ull(x) stdc_count_ones((unsigned long long)(x))
#define stdc_has_single_bit_uc(x) stdc_has_single_bit((unsigned char)(x))
#define stdc_has_single_bit_us(x) stdc_has_single_bit((unsigned short)(x))
#define stdc_has_single_bit_ui(x) stdc_has_single_bit((unsigned int)(x))
#define stdc_has_single_bit_ul(x) stdc_has_single_bit((unsigned long)(x))
#define stdc_has_single_bit_ull(x) stdc_has_single_bit((unsigned long long)(x))
#define stdc_bit_width_uc(x) stdc_bit_width((unsigned char)(x))
#define stdc_bit_width_us(x) stdc_bit_width((unsigned short)(x))
#define stdc_bit_width_ui(x) stdc_bit_width((unsigned int)(x))
#define stdc_bit_width_ul(x) stdc_bit_width((unsigned long)(x))
#define stdc_bit_width_ull(x) stdc_bit_width((unsigned long long)(x))
#define stdc_bit_floor_uc(x) stdc_bit_floor((unsigned char)(x))
#define stdc_bit_floor_us(x) stdc_bit_floor((unsigned short)(x))
#define stdc_bit_floor_ui(x) stdc_bit_floor((unsigned int)(x))
#define stdc_bit_floor_ul(x) stdc_bit_floor((unsigned long)(x))
#define stdc_bit_floor_ull(x) stdc_bit_floor((unsigned long long)(x))
#define stdc_bit_ceil_uc(x) stdc_bit_ceil((unsigned char)(x))
#define stdc_bit_ceil_us(x) stdc_bit_ceil((unsigned short)(x))
#define stdc_bit_ceil_ui(x) stdc_bit_ceil((unsigned int)(x))
#define stdc_bit_ceil_ul(x) stdc_bit_ceil((unsigned long)(x))
#define stdc_bit_ceil_ull(x) stdc_bit_ceil((unsigned long long)(x))

#endif
