#ifndef SYNCL_KERNELS_H
#define SYNCL_KERNELS_H
/* The kernels, as PTX for an old target: any driver since 525 compiles them for the GPU at hand.
   hold(ns, out): keeps the stream busy for that time; writes the GPU's clock (ns) at its start and end to out, if given.
   flag(out, value): writes value to host memory as soon as it runs, and the GPU's clock after it.
   add_one(x): one float a thread, the smallest elementwise operation. */
static const char kernels_ptx[] =
    ".version 6.5\n.target sm_52\n.address_size 64\n"
    ".visible .entry hold(.param .u64 ns, .param .u64 out) {\n"
    "  .reg .pred %p; .reg .b64 %t<6>;\n"
    "  ld.param.u64 %t0, [ns]; ld.param.u64 %t1, [out];\n"
    "  mov.u64 %t2, %globaltimer;\n"
    "again:\n"
    "  mov.u64 %t3, %globaltimer; sub.u64 %t4, %t3, %t2;\n"
    "  setp.lt.u64 %p, %t4, %t0; @%p bra again;\n"
    "  setp.eq.u64 %p, %t1, 0; @%p bra done;\n"
    "  st.volatile.global.u64 [%t1], %t2; st.volatile.global.u64 [%t1+8], %t3; membar.sys;\n"
    "done:\n"
    "  ret;\n}\n"
    ".visible .entry flag(.param .u64 out, .param .u64 value) {\n"
    "  .reg .b64 %t<4>;\n"
    "  ld.param.u64 %t0, [out]; ld.param.u64 %t1, [value]; mov.u64 %t2, %globaltimer;\n"
    "  st.volatile.global.u64 [%t0+8], %t2; membar.sys; st.volatile.global.u64 [%t0], %t1; membar.sys;\n"
    "  ret;\n}\n"
    ".visible .entry add_one(.param .u64 x) {\n"
    "  .reg .b32 %r<4>; .reg .b64 %t<4>; .reg .f32 %f;\n"
    "  ld.param.u64 %t0, [x];\n"
    "  mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x; mad.lo.u32 %r3, %r0, %r1, %r2;\n"
    "  mul.wide.u32 %t1, %r3, 4; add.u64 %t2, %t0, %t1;\n"
    "  ld.global.f32 %f, [%t2]; add.f32 %f, %f, 0f3F800000; st.global.f32 [%t2], %f;\n"
    "  ret;\n}\n";
#endif
