#include "samples.h"
#include <stdlib.h>

void samples_add(Samples *samples, double value) { vec_push(samples->arena, &samples->values, value); }

static int ascending(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Interpolates between the two nearest samples. */
static double quantile(const Samples *samples, double part) {
    double place = part * (samples->values.count - 1);
    uint32_t below = (uint32_t)place, above = below + 1 < samples->values.count ? below + 1 : below;
    double low = samples->values.items[below], high = samples->values.items[above];
    return low + (high - low) * (place - below);
}

Quantity samples_quantity(Samples *samples) {
    if (!samples->values.count) return (Quantity){0};
    qsort(samples->values.items, samples->values.count, sizeof(double), ascending);
    return (Quantity){quantile(samples, 0.5), quantile(samples, 0.1), quantile(samples, 0.9),
                      samples->values.count};
}
