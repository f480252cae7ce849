#include "number.h"
#include <math.h>

static const double INFINITE = __builtin_inf();

void numbers_init(Numbers *numbers, Arena *arena) {
    *numbers = (Numbers){.arena = arena, .slot_count = 256};
    numbers->slots = arena_new(arena, uint32_t, numbers->slot_count);
    vec_push(arena, &numbers->unknowns, (Unknown){0});
    vec_push(arena, &numbers->products, (Product){0});
}

/* ---- interned unknowns and products ---- */

enum { IS_PRODUCT = 1u << 31 };

static uint64_t mixed(uint64_t hash, uint64_t more) { return (hash ^ more) * 0x9E3779B97F4A7C15u; }

static uint64_t hash_number(uint64_t hash, Number number) {
    uint64_t bits;
    memcpy(&bits, &number.times, sizeof bits);
    hash = mixed(hash, bits);
    return mixed(hash ^ hash >> 29, number.of);
}

static uint64_t hash_unknown(const Unknown *one) { return hash_number(hash_number(one->op, one->a), one->b); }

static uint64_t hash_product(const Product *one) {
    uint64_t hash = 77;
    for (uint32_t i = 0; i < one->count; i++) hash = mixed(hash ^ hash >> 31, one->factors[i]);
    return hash;
}

static uint64_t hash_slot(const Numbers *numbers, uint32_t slot) {
    return slot & IS_PRODUCT ? hash_product(&numbers->products.items[slot & ~IS_PRODUCT])
                             : hash_unknown(&numbers->unknowns.items[slot]);
}

static void widen(Numbers *numbers) {
    uint32_t old_count = numbers->slot_count, *old = numbers->slots;
    numbers->slot_count *= 2;
    numbers->slots = arena_new(numbers->arena, uint32_t, numbers->slot_count);
    for (uint32_t i = 0; i < old_count; i++) {
        if (!old[i]) continue;
        uint64_t at = hash_slot(numbers, old[i]) >> 20;
        while (numbers->slots[at % numbers->slot_count]) at++;
        numbers->slots[at % numbers->slot_count] = old[i];
    }
}

static uint32_t *slot_free(Numbers *numbers) {
    if (numbers->used * 2 >= numbers->slot_count) widen(numbers);
    numbers->used++;
    return numbers->slots;
}

static ProductId product_of(Numbers *numbers, Product wanted) {
    if (!wanted.count) return 0;
    uint32_t *slots = slot_free(numbers);
    uint64_t at = hash_product(&wanted) >> 20;
    for (; slots[at % numbers->slot_count]; at++) {
        uint32_t slot = slots[at % numbers->slot_count];
        if (!(slot & IS_PRODUCT)) continue;
        const Product *one = &numbers->products.items[slot & ~IS_PRODUCT];
        bool same = one->count == wanted.count &&
                    !memcmp(one->factors, wanted.factors, sizeof *wanted.factors * wanted.count);
        if (!same) continue;
        numbers->used--;
        return slot & ~IS_PRODUCT;
    }
    vec_push(numbers->arena, &numbers->products, wanted);
    slots[at % numbers->slot_count] = (numbers->products.count - 1) | IS_PRODUCT;
    return numbers->products.count - 1;
}

static Number number_of_unknown(Numbers *numbers, uint32_t id) {
    return (Number){1, product_of(numbers, (Product){.factors = {id}, .count = 1})};
}

Number number_unknown(Numbers *numbers, double low, double high, Text name) {
    vec_push(numbers->arena, &numbers->unknowns, ((Unknown){.low = low, .high = high, .name = name}));
    return number_of_unknown(numbers, numbers->unknowns.count - 1);
}

static Number computed_unknown(Numbers *numbers, Unknown wanted) {
    if (isnan(wanted.low) || isnan(wanted.high)) wanted.low = -INFINITE, wanted.high = INFINITE;
    uint32_t *slots = slot_free(numbers);
    uint64_t at = hash_unknown(&wanted) >> 20;
    for (; slots[at % numbers->slot_count]; at++) {
        uint32_t slot = slots[at % numbers->slot_count];
        if (slot & IS_PRODUCT) continue;
        const Unknown *one = &numbers->unknowns.items[slot];
        bool same = one->op == wanted.op && number_same(one->a, wanted.a) && number_same(one->b, wanted.b);
        if (!same) continue;
        numbers->used--;
        return number_of_unknown(numbers, slot);
    }
    vec_push(numbers->arena, &numbers->unknowns, wanted);
    uint32_t id = numbers->unknowns.count - 1;
    slots[at % numbers->slot_count] = id;
    return number_of_unknown(numbers, id);
}

/* ---- ranges ---- */

static double times_bound(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

static Amount range_times(Amount a, Amount b) {
    double ends[] = {times_bound(a.low, b.low), times_bound(a.low, b.high), times_bound(a.high, b.low),
                     times_bound(a.high, b.high)};
    Amount range = {ends[0], ends[0]};
    for (size_t i = 1; i < 4; i++) range.low = fmin(range.low, ends[i]), range.high = fmax(range.high, ends[i]);
    return range;
}

Amount number_range(const Numbers *numbers, Number number) {
    Amount range = {number.times, number.times};
    const Product *product = &numbers->products.items[number.of];
    for (uint32_t i = 0; i < product->count; i++) {
        const Unknown *one = &numbers->unknowns.items[product->factors[i]];
        range = range_times(range, (Amount){one->low, one->high});
    }
    return range;
}

Amount number_amount(const Numbers *numbers, Number number) {
    Amount range = number_range(numbers, number);
    return (Amount){range.low > 0 ? range.low : 0, range.high > 0 ? range.high : 0};
}

Text number_name(const Numbers *numbers, Number number) {
    for (uint32_t depth = 0; depth < 8 && number.of; depth++) {
        const Product *product = &numbers->products.items[number.of];
        const Unknown *last = NULL;
        for (uint32_t i = 0; i < product->count; i++) {
            last = &numbers->unknowns.items[product->factors[i]];
            if (last->name.length) return last->name;
        }
        if (!last) break;
        number = last->a.of ? last->a : last->b;
    }
    return (Text){0};
}

/* ---- arithmetic ---- */

static Number or_unknown(Numbers *numbers, Number number) {
    if (isfinite(number.times)) return number.times == 0 ? number_of(0) : number;
    return number_unknown(numbers, -INFINITE, INFINITE, (Text){0});
}

enum { ANYTHING = UINT32_MAX };

static const Unknown *sum_of(const Numbers *numbers, Number number) {
    const Product *product = &numbers->products.items[number.of];
    if (product->count != 1) return NULL;
    const Unknown *one = &numbers->unknowns.items[product->factors[0]];
    return one->op == NUMBER_ADD ? one : NULL;
}

/* Cancels terms: times * (x + y) + taken, where taken is -times * x, gives times * y. */
static Number cancelled(const Unknown *sum, Number taken, double times) {
    if (taken.of == sum->a.of && taken.times == -times * sum->a.times)
        return (Number){times * sum->b.times, sum->b.of};
    if (taken.of == sum->b.of && taken.times == -times * sum->b.times)
        return (Number){times * sum->a.times, sum->a.of};
    return (Number){0, ANYTHING};
}

/* Adds a constant, or a sum with one, to a sum with one: (i + 256) + 1, (i + 257) - (i + 1). */
static Number constants_added(Numbers *numbers, Number a, const Unknown *other, Number b, const Unknown *sum) {
    bool alike = other && !other->a.of && other->b.of == sum->b.of;
    if (sum->a.of || (a.of && !alike)) return (Number){0, ANYTHING};
    double constant = b.times * sum->a.times + (a.of ? a.times * other->a.times : a.times);
    double times = b.times * sum->b.times + (a.of ? a.times * other->b.times : 0);
    Number rest = or_unknown(numbers, (Number){times, sum->b.of});
    return number_add(numbers, or_unknown(numbers, number_of(constant)), rest);
}

Number number_add(Numbers *numbers, Number a, Number b) {
    if (a.of == b.of) return or_unknown(numbers, (Number){a.times + b.times, a.of});
    if (a.times == 0 && !a.of) return b;
    if (b.times == 0 && !b.of) return a;
    if (a.of > b.of) return number_add(numbers, b, a);
    const Unknown *sum = sum_of(numbers, b), *other = sum_of(numbers, a); /* as in (a + 64) - a */
    Number rest = sum ? cancelled(sum, a, b.times) : (Number){0, ANYTHING};
    if (rest.of == ANYTHING && other) rest = cancelled(other, b, a.times);
    if (rest.of == ANYTHING && sum) rest = constants_added(numbers, a, other, b, sum);
    if (rest.of != ANYTHING) return rest;
    Amount x = number_range(numbers, a), y = number_range(numbers, b);
    return computed_unknown(
        numbers, (Unknown){.op = NUMBER_ADD, .a = a, .b = b, .low = x.low + y.low, .high = x.high + y.high});
}

Number number_subtract(Numbers *numbers, Number a, Number b) {
    return number_add(numbers, a, (Number){-b.times, b.of});
}

Number number_multiply(Numbers *numbers, Number a, Number b) {
    const Product *x = &numbers->products.items[a.of], *y = &numbers->products.items[b.of];
    if (x->count + y->count > FACTORS_MOST) {
        Amount range = range_times(number_range(numbers, a), number_range(numbers, b));
        return number_unknown(numbers, range.low, range.high, number_name(numbers, a));
    }
    Product both = {0};
    uint32_t i = 0, k = 0;
    while (i < x->count || k < y->count) {
        bool first = k == y->count || (i < x->count && x->factors[i] <= y->factors[k]);
        both.factors[both.count++] = first ? x->factors[i++] : y->factors[k++];
    }
    Number made = {a.times * b.times, 0};
    if (made.times != 0) made.of = product_of(numbers, both);
    return or_unknown(numbers, made);
}

/* Cancels common factors, as in `n * 4 / n`. False: the divisor has factors of its own. */
static bool product_without(const Product *whole, const Product *part, Product *rest) {
    uint32_t k = 0;
    *rest = (Product){0};
    for (uint32_t i = 0; i < whole->count; i++)
        if (k < part->count && whole->factors[i] == part->factors[k])
            k++;
        else
            rest->factors[rest->count++] = whole->factors[i];
    return k == part->count;
}

Number number_divide(Numbers *numbers, Number a, Number b) {
    Product rest;
    if (b.times == 0) return number_unknown(numbers, -INFINITE, INFINITE, (Text){0});
    if (product_without(&numbers->products.items[a.of], &numbers->products.items[b.of], &rest)) {
        Number made = {a.times / b.times, 0};
        made.of = product_of(numbers, rest);
        return or_unknown(numbers, made);
    }
    return number_computed(numbers, NUMBER_DIVIDE, a, b);
}

static double known_result(NumberOp op, double a, double b) {
    switch (op) {
    case NUMBER_FLOOR: return b != 0 ? floor(a / b) : NAN;
    case NUMBER_MODULO: return b != 0 ? a - b * floor(a / b) : NAN;
    case NUMBER_POWER: return pow(a, b);
    case NUMBER_LEAST: return fmin(a, b);
    case NUMBER_MOST: return fmax(a, b);
    case NUMBER_WHOLE: return trunc(a);
    case NUMBER_DIVIDE: return b != 0 ? a / b : NAN;
    default: return NAN;
    }
}

static Amount computed_range(NumberOp op, Amount a, Amount b) {
    bool positive = a.low >= 0 && b.low > 0;
    switch (op) {
    case NUMBER_DIVIDE:
        return positive ? (Amount){a.low / b.high, a.high / b.low} : (Amount){-INFINITE, INFINITE};
    case NUMBER_FLOOR:
        return positive ? (Amount){floor(a.low / b.high), floor(a.high / b.low)}
                        : (Amount){-INFINITE, INFINITE};
    case NUMBER_MODULO: return b.low > 0 ? (Amount){0, b.high} : (Amount){-INFINITE, INFINITE};
    case NUMBER_LEAST: return (Amount){fmin(a.low, b.low), fmin(a.high, b.high)};
    case NUMBER_MOST: return (Amount){fmax(a.low, b.low), fmax(a.high, b.high)};
    case NUMBER_WHOLE: return (Amount){trunc(a.low), trunc(a.high)};
    default: return positive ? (Amount){0, INFINITE} : (Amount){-INFINITE, INFINITE};
    }
}

Number number_computed(Numbers *numbers, NumberOp op, Number a, Number b) {
    if (!a.of && !b.of) return or_unknown(numbers, number_of(known_result(op, a.times, b.times)));
    if (op == NUMBER_FLOOR || op == NUMBER_MODULO) { /* as in n * 4 // n, n * 4 % 2 */
        Product rest;
        bool divides = b.times != 0 &&
                       product_without(&numbers->products.items[a.of], &numbers->products.items[b.of], &rest);
        double share = divides ? a.times / b.times : 0.5;
        if (divides && share == floor(share))
            return op == NUMBER_MODULO ? number_of(0) : number_divide(numbers, a, b);
    }
    if ((op == NUMBER_LEAST || op == NUMBER_MOST) && number_same(a, b)) return a;
    Amount range = computed_range(op, number_range(numbers, a), number_range(numbers, b));
    return computed_unknown(numbers,
                            (Unknown){.op = (uint8_t)op, .a = a, .b = b, .low = range.low, .high = range.high});
}

int number_compare(Numbers *numbers, Number a, Number b) {
    if (number_same(a, b)) return 0;
    Number difference = number_subtract(numbers, a, b);
    Amount range = number_range(numbers, difference);
    if (range.low > 0) return 1;
    if (range.high < 0) return -1;
    return range.low == 0 && range.high == 0 ? 0 : 2;
}
