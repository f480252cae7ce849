#ifndef SYNCL_PROFILE_SAVED_H
#define SYNCL_PROFILE_SAVED_H
/* The profiles that `--calibrate` saved, one a (GPU, driver, CPU model), because cluster homes are shared; and which of
   them prices a run: the one named; else this machine's; else the configuration's; else the only one saved; else the
   built-in one. A slice of a GPU (MIG) has a profile of its own, as has each kind of GPU of a machine with several:
   which of those is meant must be said. */
#include "machine.h"
#include "output.h"
#include "profile.h"

typedef struct SavedProfile {
    const char *path;
    const Profile *profile; /* NULL: it cannot be used, error says why */
    Text error;
    bool here;              /* measured on a machine like this one */
    bool stale;             /* ... but under another driver */
    bool unlike;            /* ... but of a slice where no GPU is seen sliced, or of a whole one where one is */
} SavedProfile;

typedef VEC(SavedProfile) SavedProfiles; /* this machine's first, then by path */

/* $XDG_DATA_HOME/syncl/profiles or ~/.local/share/syncl/profiles; NULL when there is no home. */
const char *profile_folder(Arena *result);
bool profile_fits(const Profile *profile, const Machine *machine);
SavedProfiles profile_saved(Arena *result, const char *folder, const Machine *machine);
/* Nothing need be measured again: there is a profile of this machine's GPU, or of each kind of them, as it is now. */
bool profile_saved_already(const SavedProfiles *saved, const Machine *machine, bool each_kind);
/* named, configured: files, or NULL. NULL with one line in *error when one cannot be read, or several are saved and none
   of them is meant. */
const Profile *profile_choose(Arena *result, const SavedProfiles *saved, const char *named, const char *configured,
                              Text *error);
/* The list that `syncl --profiles` prints. */
void profile_list(Output *output, const SavedProfiles *saved, const char *folder);

#endif
