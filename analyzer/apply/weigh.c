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
    Evidence seen = evidence_if(unseen, SEEN_UNSEEN) | evidence_if(matched->belief == BELIEVED, SEEN_BELIEVED) |
                    evidence_if(matched->belief == GUESSED, SEEN_GUESSED);
    if (made->hazard && eval->doubt) {
        made->belief = belief_weaker(made->belief);
        made->evidence |= evidence(SEEN_OTHERS);
    }
    if (unseen) made->belief |= BELIEVED;
    if (!made->hazard) return;
    bool printed = prints_unknown(eval, made->hazard, bound);
    if (printed) made->belief |= GUESSED;
    bool asked = asked_as_tensor(eval, made, role, bound);
    if (asked) made->belief = BELIEVED;
    bool trained = trained_with(eval, made, role, bound);
    if (trained) made->belief = BELIEVED;
    bool number = believed_number(eval, made, role, bound);
    if (number) made->belief = GUESSED, made->evidence |= evidence(SEEN_VALUE);
    bool plain = !number && reads_plainly(eval, made, role, bound);
    bool tensor = matched->belief == 0 || asks_part(bound);
    seen |= evidence_if(printed, SEEN_PRINTED) | evidence_if(asked, SEEN_ASKED) |
            evidence_if(trained, SEEN_TRAINED) | evidence_if(number, SEEN_NUMBER) |
            evidence_if(plain && !tensor, SEEN_PLAIN) | evidence_if(plain && tensor, SEEN_READ) |
            evidence_if(plain && reads_computed(eval, made, bound), SEEN_COMPUTED);
    made->evidence |= seen;
}
