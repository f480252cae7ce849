#ifndef SYNCL_PROFILE_SAVED_H
#define SYNCL_PROFILE_SAVED_H
/* The profiles that `--calibrate` saved, one for each (GPU, driver, CPU model), because home folders of
   clusters are shared; and the choice of the one that prices a run: the one named; else this machine's; else
   the configuration's; else the only one saved; else the built-in one. A MIG slice has its own profile, and so
   has each kind of GPU in a machine with several: the user must then name one. */
#include "machine.h"
#include "output.h"
#include "profile.h"

typedef struct SavedProfile {
    const char *path;
    const Profile *profile; /* NULL: it cannot be used; `error` says why */
    Text error;
    bool here;              /* measured on this kind of machine */
    bool stale;             /* ... but with another driver */
    bool unlike;            /* ... but of a MIG slice where no GPU is sliced, or of a whole GPU where one is */
} SavedProfile;

typedef VEC(SavedProfile) SavedProfiles; /* this machine's first, then by path */

/* $XDG_DATA_HOME/syncl/profiles or ~/.local/share/syncl/profiles; NULL when there is no home. */
const char *profile_folder(Arena *result);
bool profile_fits(const Profile *profile, const Machine *machine);
SavedProfiles profile_saved(Arena *result, const char *folder, const Machine *machine);
/* Nothing needs to be measured: there is a current profile of this machine's GPU or, with each_kind, of every
   kind in it. */
bool profile_saved_already(const SavedProfiles *saved, const Machine *machine, bool each_kind);
/* named, configured: paths, or NULL. NULL, with one line in *error, when one of them cannot be read, or when
   several profiles are saved and none of them is this machine's. */
const Profile *profile_choose(Arena *result, const SavedProfiles *saved, const char *named, const char *configured,
                              Text *error);
/* Prints the list of `syncl --profiles`. */
void profile_list(Output *output, const SavedProfiles *saved, const char *folder);

#endif
