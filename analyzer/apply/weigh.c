#include "weigh.h"
#include "belief.h"

/* `if self.initted:` on something a module registers: a convention says where it is, but not that it is a
   tensor. */
static bool asks_part(const Bound *bound) {
    const Value *value = bound->clause->param_count == 1 ? bound->values[0] : NULL;
    for (uint32_t i = 0; value && i < value->count; i++)
        if (value->alts[i].kind != KIND_TENSOR || !(value->alts[i].flags & ALT_LAZY)) return false;
    return value && value->count;
}

void weigh_effect(Eval *eval, EffectRecord *made, EffectRole role, const Bound *bound,
                  const ClauseMatch *matched) {
    bool unseen = eval->unseen || eval->apart || matched->open;
    made->evidence |= evidence_if(unseen, SEEN_UNSEEN);
    if (!made->hazard) return;
    made->doubted = eval->doubt;
    made->evidence |= evidence_if(eval->doubt, SEEN_OTHERS);
    made->evidence |= evidence_if(prints_unknown(eval, made->hazard, bound), SEEN_PRINTED);
    made->evidence |= evidence_if(asked_as_tensor(eval, made, role, bound), SEEN_ASKED);
    made->evidence |= evidence_if(trained_with(eval, made, role, bound), SEEN_TRAINED);
    bool number = believed_number(eval, made, role, bound);
    if (number) made->evidence |= evidence(SEEN_NUMBER) | evidence(SEEN_VALUE);
    bool plain = !number && reads_plainly(eval, made, role, bound);
    bool tensor = matched->belief == 0 || asks_part(bound);
    made->evidence |= evidence_if(plain && !tensor, SEEN_PLAIN) | evidence_if(plain && tensor, SEEN_READ) |
                      evidence_if(plain && reads_computed(eval, made, bound), SEEN_COMPUTED);
}
