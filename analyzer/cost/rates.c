/* What a profile says of one side. */
#include "turn.h"

Rates turn_rates(const Profile *profile, Side side) {
    return (Rates){
        .side = side,
        .forward_us = turn_value(&profile->launch_us, side),
        .backward_us = turn_value(&profile->backward_launch_us, side),
        .optimizer_us = turn_value(&profile->optimizer_launch_us, side),
        .backward_start_us = turn_value(&profile->backward_start_us, side),
        .backward_first_us = turn_value(&profile->backward_first_us, side),
        .optimizer_each_us = turn_value(&profile->optimizer_each_us, side),
        .optimizer_tensor_us = turn_value(&profile->optimizer_tensor_us, side),
        .backward_end_us = turn_value(&profile->backward_end_us, side),
        .optimizer_start_us = turn_value(&profile->optimizer_start_us, side),
        .turn_start_us = turn_value(&profile->turn_start_us, side),
        .loader_us = turn_value(&profile->loader_us, side),
        .known_scale = 1,
        .operations_scale = 1,
        .start_scale = 1,
    };
}
