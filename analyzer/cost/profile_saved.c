#include "profile_saved.h"
#include <glob.h>
#include <stdlib.h>

const char *profile_folder(Arena *result) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && *data) return text_format(result, "%s/syncl/profiles", data).bytes;
    return home && *home ? text_format(result, "%s/.local/share/syncl/profiles", home).bytes : NULL;
}

/* A slice of a GPU ("NVIDIA A100 MIG 1g.5gb") is named after the whole one. */
static bool same_gpu(Text one, Text other) {
    if (text_equal(one, other)) return true;
    Text longer = one.length > other.length ? one : other, shorter = one.length > other.length ? other : one;
    return shorter.length && text_starts(longer, shorter) &&
           text_starts(text_slice(longer, shorter.length, longer.length), TEXT(" MIG "));
}

bool profile_fits(const Profile *profile, const Machine *machine) {
    bool same_cpu = profile->cpu.length && text_equal(profile->cpu, machine->cpu);
    for (uint32_t i = 0; i < machine->gpus.count; i++)
        if (same_gpu(profile->device, machine->gpus.items[i])) return same_cpu;
    return machine->has_gpu && !machine->gpus.count && same_cpu;
}

static int rank(const SavedProfile *saved) { return saved->here ? saved->stale : 2; }

/* This machine's first; the folder's order, which is the paths', within. */
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
            insert(result, &profiles, saved);
        }
    globfree(&found);
    return profiles;
}

static const Profile *labelled(Arena *arena, const Profile *profile, const char *label) {
    Profile *copy = arena_new(arena, Profile, 1);
    *copy = *profile;
    copy->text = text_format(arena, "%.*s; %s", (int)profile->text.length, profile->text.bytes, label);
    return copy;
}

static const Profile *only_saved(Arena *arena, const SavedProfiles *saved, Text *error) {
    const Profile *only = NULL;
    Text names = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < saved->count; i++) {
        const SavedProfile *one = &saved->items[i];
        if (!one->profile) continue;
        only = one->profile, count++;
        names =
            text_format(arena, "%.*s%s%s", (int)names.length, names.bytes, names.length ? ", " : "", one->path);
    }
    if (count == 0) return profile_builtin();
    if (count == 1) return labelled(arena, only, "the only profile saved here, of another machine");
    *error =
        text_format(arena,
                    "%u profiles are saved and none is of this machine's GPU: choose one with --profile (%.*s; "
                    "--profiles lists them)",
                    count, (int)names.length, names.bytes);
    return NULL;
}

const Profile *profile_choose(Arena *result, const SavedProfiles *saved, const char *named,
                              const char *configured, Text *error) {
    if (named) return profile_read(result, named, error);
    const SavedProfile *first = saved->count ? saved->items : NULL;
    if (first && first->here)
        return first->stale ? labelled(result, first->profile, "measured under another driver")
                            : first->profile;
    return configured ? profile_read(result, configured, error) : only_saved(result, saved, error);
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
    output_text(output, "\n");
}
