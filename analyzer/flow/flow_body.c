/* Matches each class statement with the class body that the context runs for it. */
#include "flow_walk.h"
#include "search.h"
#include <stdlib.h>

void flow_find_bodies(Walk *walk) {
    for (uint32_t e = 0; e < walk->context->edges.count; e++) {
        const CallEdge *edge = &walk->context->edges.items[e];
        if (edge->expr) continue;
        FuncId func = walk->inference->contexts.items[edge->callee]->func;
        vec_push(walk->arena, &walk->bodies, ((ClassBody){func, e}));
    }
    if (walk->bodies.count)
        qsort(walk->bodies.items, walk->bodies.count, sizeof *walk->bodies.items, pair_order);
}

uint32_t flow_first_body(const Walk *walk, FuncId func) {
    return FIRST_FROM(walk->bodies.items, walk->bodies.count, func, func);
}
