#include "profile_saved.h"
#include <glob.h>
#include <stdlib.h>

const char *profile_folder(Arena *result) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && *data) return text_format(result, "%s/syncl/profiles", data).bytes;
    return home && *home ? text_format(result, "%s/.local/share/syncl/profiles", home).bytes : NULL;
}

/* The length of a GPU's name without the suffix of a slice, " MIG 1g.5gb". */
static uint32_t whole_length(Text device) {
    for (uint32_t i = 0; i < device.length; i++)
        if (text_starts(text_slice(device, i, device.length), TEXT(" MIG "))) return i;
    return device.length;
}

static bool is_slice(Text device) { return whole_length(device) < device.length; }

bool profile_fits(const Profile *profile, const Machine *machine) {
    bool same_cpu = profile->cpu.length && text_equal(profile->cpu, machine->cpu);
    for (uint32_t i = 0; i < machine->gpus.count; i++)
        if (text_equal(text_slice(profile->device, 0, whole_length(profile->device)), machine->gpus.items[i]))
            return same_cpu;
    return machine->has_gpu && !machine->gpus.count && same_cpu;
}

static int rank(const SavedProfile *saved) { return saved->here ? 2 * saved->stale + saved->unlike : 4; }

/* This machine's profiles first; else in order of paths. */
static void insert(Arena *arena, SavedProfiles *profiles, SavedProfile saved) {
    vec_push(arena, profiles, saved);
    for (uint32_t i = profiles->count - 1; i > 0 && rank(&profiles->items[i]) < rank(&profiles->items[i - 1]);
         i--) {
        SavedProfile other = profiles->items[i - 1];
        profiles->items[i - 1] = profiles->items[i];
        profiles->items[i] = other;
    }
}

SavedProfiles profile_saved(Arena *result, const char *folder, const Machine *machine) {
    SavedProfiles profiles = {0};
    glob_t found;
    if (!folder) return profiles;
    if (glob(text_format(result, "%s/*.json", folder).bytes, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++) {
            SavedProfile saved = {.path = text_format(result, "%s", found.gl_pathv[i]).bytes};
            saved.profile = profile_read(result, saved.path, &saved.error);
            saved.here = saved.profile && profile_fits(saved.profile, machine);
            saved.stale = saved.here && saved.profile->driver && machine->driver &&
                          saved.profile->driver != machine->driver;
            saved.unlike = saved.here && is_slice(saved.profile->device) != machine->sliced;
            insert(result, &profiles, saved);
        }
    globfree(&found);
    return profiles;
}

static bool saved_for(const SavedProfiles *saved, Text gpu) {
    for (uint32_t i = 0; i < saved->count && saved->items[i].here; i++) {
        const SavedProfile *one = &saved->items[i];
        Text device = one->profile->device;
        if (!one->stale && text_equal(text_slice(device, 0, whole_length(device)), gpu)) return true;
    }
    return false;
}

bool profile_saved_already(const SavedProfiles *saved, const Machine *machine, bool each_kind) {
    bool first = saved->count && saved->items->here && !saved->items->stale && !saved->items->unlike;
    for (uint32_t i = 0; i < machine->gpus.count && each_kind; i++)
        if (!saved_for(saved, machine->gpus.items[i])) return false;
    return first;
}

static const Profile *labelled(Arena *arena, const Profile *profile, const char *label) {
    Profile *copy = arena_new(arena, Profile, 1);
    *copy = *profile;
    copy->text = text_format(arena, "%.*s; %s", SHOWN(profile->text), label);
    return copy;
}

/* Their paths, of those that can be used; at most `most` of the first. */
static Text paths_of(Arena *arena, const SavedProfiles *saved, uint32_t most) {
    Text names = {0};
    for (uint32_t i = 0; i < most; i++)
        if (saved->items[i].profile)
            names =
                text_format(arena, "%.*s%s%s", SHOWN(names), names.length ? ", " : "", saved->items[i].path);
    return names;
}

static const Profile *only_saved(Arena *arena, const SavedProfiles *saved, Text *error) {
    const Profile *only = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < saved->count; i++)
        if (saved->items[i].profile) only = saved->items[i].profile, count++;
    if (count == 0) return profile_builtin();
    if (count == 1) return labelled(arena, only, "the only profile saved here, of another machine");
    Text names = paths_of(arena, saved, saved->count);
    *error =
        text_format(arena,
                    "%u profiles are saved and none is of this machine's GPU: choose one with --profile (%.*s; "
                    "--profiles lists them)",
                    count, SHOWN(names));
    return NULL;
}

/* How many of the first profiles are this machine's and fit as well as the first, but are of another GPU or
   slice. */
static uint32_t alike(const SavedProfiles *saved) {
    uint32_t count = 1;
    bool differ = false;
    for (; count < saved->count && rank(&saved->items[count]) == rank(saved->items); count++)
        differ |= !text_equal(saved->items[count].profile->device, saved->items->profile->device);
    return differ ? count : 1;
}

static const Profile *of_this_machine(Arena *arena, const SavedProfiles *saved) {
    const SavedProfile *first = saved->items;
    if (first->stale) return labelled(arena, first->profile, "measured under another driver");
    if (!first->unlike) return first->profile;
    return labelled(arena, first->profile,
                    is_slice(first->profile->device) ? "of a slice, and no GPU is seen sliced here"
                                                     : "of a whole GPU, and one is sliced here");
}

const Profile *profile_choose(Arena *result, const SavedProfiles *saved, const char *named,
                              const char *configured, Text *error) {
    if (named) return profile_named(result, named, error);
    bool here = saved->count && saved->items->here;
    uint32_t kinds = here ? alike(saved) : 0;
    if (kinds == 1) return of_this_machine(result, saved);
    if (configured) return profile_named(result, configured, error);
    if (!here) return only_saved(result, saved, error);
    Text names = paths_of(result, saved, kinds);
    *error =
        text_format(result,
                    "%u profiles are of this machine's GPUs, which differ: choose one with --profile (%.*s; "
                    "--profiles lists them)",
                    kinds, SHOWN(names));
    return NULL;
}

void profile_list(Output *output, const SavedProfiles *saved, const char *folder) {
    if (!saved->count)
        output_clean(output,
                     text_format(output->arena, "no profile is saved in %s; syncl --calibrate makes one",
                                 folder ? folder : "(no home folder)"));
    for (uint32_t i = 0; i < saved->count; i++) {
        const SavedProfile *one = &saved->items[i];
        const char *mark = !one->profile ? "unusable"
                           : one->stale  ? "this machine, another driver"
                           : one->here   ? "this machine"
                                         : "another machine";
        output_clean(output, text_of(one->path));
        output_format(output, "\n    %s: ", mark);
        output_clean(output, one->profile ? one->profile->text : one->error);
        output_text(output, i + 1 < saved->count ? "\n" : "");
    }
    profile_list_shipped(output);
    output_text(output, "\n");
}
