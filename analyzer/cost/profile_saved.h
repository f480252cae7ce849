#ifndef SYNCL_PROFILE_SAVED_H
#define SYNCL_PROFILE_SAVED_H
/* The profiles that `--calibrate` saved, one a (GPU, driver, CPU model), because cluster homes are shared; and which of
   them prices a run: the one named; else this machine's; else the configuration's; else the only one saved; else the
   built-in one. */
#include "machine.h"
#include "output.h"
#include "profile.h"

typedef struct SavedProfile {
    const char *path;
    const Profile *profile; /* NULL: it cannot be used, error says why */
    Text error;
    bool here;              /* measured on a machine like this one */
    bool stale;             /* ... but under another driver */
} SavedProfile;

typedef VEC(SavedProfile) SavedProfiles; /* this machine's first, then by path */

/* $XDG_DATA_HOME/syncl/profiles or ~/.local/share/syncl/profiles; NULL when there is no home. */
const char *profile_folder(Arena *result);
bool profile_fits(const Profile *profile, const Machine *machine);
SavedProfiles profile_saved(Arena *result, const char *folder, const Machine *machine);
/* named, configured: files, or NULL. NULL with one line in *error when one cannot be read, or several are saved and none
   of them is meant. */
const Profile *profile_choose(Arena *result, const SavedProfiles *saved, const char *named, const char *configured,
                              Text *error);
/* The list that `syncl --profiles` prints. */
void profile_list(Output *output, const SavedProfiles *saved, const char *folder);

#endif
