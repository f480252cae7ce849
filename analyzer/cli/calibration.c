#include "calibration.h"
#include "sibling.h"
#include <stdlib.h>

enum { NO_GPU = 3 }; /* exit status of the calibrator under --if-present */

static char **arguments_of(Arena *arena, const Options *options, bool if_present) {
    const char *pairs[][2] = {{"--device", options->device},
                              {"--with-torch", options->with_torch},
                              {"--samples", options->samples},
                              {"-o", options->saved_to}};
    char **arguments = arena_new(arena, char *, 11);
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        for (int half = 0; half < 2 && pairs[i][1]; half++)
            arguments[count++] = arena_copy(arena, pairs[i][half], strlen(pairs[i][half]) + 1);
    if (options->even_if_busy)
        arguments[count++] = arena_copy(arena, "--even-if-busy", sizeof "--even-if-busy");
    if (if_present) arguments[count++] = arena_copy(arena, "--if-present", sizeof "--if-present");
    return arguments;
}

void calibration_become(Arena *arena, const Options *options, const char *invoked, Text *error) {
    *error = sibling_run(arena, invoked, "syncl-calibrate", arguments_of(arena, options, false));
}

/* Whether a current profile exists, so that nothing need be measured. */
static bool measured_already(Arena *arena, const Options *options, const Machine *machine) {
    Text error;
    if (!options->saved_to) {
        SavedProfiles saved = profile_saved(arena, profile_folder(arena), machine);
        return profile_saved_already(&saved, machine, options->device != NULL);
    }
    const Profile *profile = profile_read(arena, options->saved_to, &error);
    bool fits = profile && profile_fits(profile, machine);
    return fits && (!profile->driver || !machine->driver || profile->driver == machine->driver);
}

bool calibration_ready(Arena *arena, const Options *options, const char *invoked, const char **file,
                       Text *error) {
    Machine machine = machine_read(arena, "");
    bool measured = measured_already(arena, options, &machine);
    if (!measured) {
        char **arguments = arguments_of(arena, options, true);
        int status = sibling_wait(arena, invoked, "syncl-calibrate", arguments, error);
        if (status != 0 && status != NO_GPU && (status > 0 || machine.has_gpu)) return false;
        measured = status == 0;
    }
    *file = measured ? options->saved_to : NULL;
    return true;
}

/* Records everything that the choice of the profile depends on. */
static void write_down(Arena *arena, Inputs *inputs, const char *configured) {
    const char *folder = profile_folder(arena);
    SavedProfiles saved = profile_saved(arena, folder, &(Machine){0});
    if (folder) inputs_glob(inputs, text_format(arena, "%s/*.json", folder).bytes);
    for (uint32_t i = 0; i < saved.count; i++) inputs_file(inputs, text_of(saved.items[i].path));
    if (saved.count) inputs_machine(inputs);
    if (configured) inputs_file(inputs, text_of(configured));
}

const Profile *calibration_profile(Arena *arena, Inputs *inputs, const char *named, const char *configured,
                                   Strings *notes, Text *error) {
    if (named) inputs_file(inputs, text_of(named));
    if (named) return profile_named(arena, named, error);
    if (inputs) write_down(arena, inputs, configured);
    Machine machine = machine_read(arena, "");
    SavedProfiles saved = profile_saved(arena, profile_folder(arena), &machine);
    for (uint32_t i = 0; i < saved.count; i++)
        if (!saved.items[i].profile) vec_push(arena, notes, saved.items[i].error.bytes);
    return profile_choose(arena, &saved, NULL, configured, error);
}

void calibration_list(Output *output) {
    Machine machine = machine_read(output->arena, "");
    SavedProfiles saved = profile_saved(output->arena, profile_folder(output->arena), &machine);
    profile_list(output, &saved, profile_folder(output->arena));
}
