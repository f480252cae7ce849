/* Where defaults come from: options of the command line, variables of the environment, what is empty until somebody fills it,
   and settings that only a user knows. Texts of literals belong to the program, and nothing fails. */
#ifndef FLOW_SETTINGS_H
#define FLOW_SETTINGS_H

#include "flow_walk.h"

/* ---- flow_options.c ---- */
void option_find_all(Arena *arena, Options *options, const Inference *inference, FileId id); /* of a file */
/* The default that an expression states which is a parameter's or field's: a literal, `field(default=False)`,
   `typer.Option(False, "--amp")`. */
Literal option_in_call(const Rulebook *book, const FileModel *model, ExprId id);

/* ---- flow_environment.c ---- */
void flow_find_environment(Arena *arena, const Inference *inference, AroundCalls *around);
/* The call asks for a variable, the first argument, and falls back to the second: `os.environ.get("DUMP", "0")`. */
bool environment_gives(const FileModel *model, const Expr *call, ExprId callee);
/* `os.environ["MODE"]`, which only a user sets: the program needs it. */
bool environment_needs(const Walk *walk, const Expr *expr);
/* Neither the program nor a launcher sets the variable. */
bool environment_lacks(const Walk *walk, Text name);
/* `"DUMP" in os.environ`, for the name that is asked. */
Tri usual_is_set(const Walk *walk, const Literal *asked, ExprId in);

/* ---- flow_empty.c ---- */
void flow_find_filled(Arena *arena, const Inference *inference, AroundCalls *around);
/* The value of a literal expression, `[]` and `{}` included, for a place where nothing has put elements in yet. */
Literal usual_display(const FileModel *model, ExprId id);
/* Unknown instead of empty, where code of the program puts elements into what has that name. */
Literal usual_unfilled(const Walk *walk, const Expr *expr, Literal literal);

/* ---- flow_setting.c ---- */
/* By its name it holds what a user chooses: args, self.config. */
bool usual_holds_choices(const Walk *walk, ExprId id);
/* Or it comes from a file or the command line; in a search of that depth. */
bool usual_holds_settings(const Walk *walk, ExprId id, int depth);
/* LITERAL_OPEN for a setting that no visible code decides: `cfg["check"]`, `hparams.mode`, `yaml.safe_load(file)`. */
Literal usual_open(const Walk *walk, ExprId id, int depth);

#endif
