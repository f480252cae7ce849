"""Times single statements behind a held GPU: does the host wait?

On a GPU machine, from the repository root:  python3 tests/truth/run_statements.py tests/truth/statements.txt OUT.tsv
Made the rows of rules/measured-h200.tsv (H200, torch 2.11); `set-up ;; statement` a line."""
import sys, time, warnings, traceback, ast
warnings.simplefilter("always")
src = open("rules/prelude.py").read()
import torch
CY=None
def calibrate():
    global CY
    torch.cuda._sleep(1000); torch.cuda.synchronize()
    a=torch.cuda.Event(enable_timing=True);b=torch.cuda.Event(enable_timing=True)
    a.record();torch.cuda._sleep(20_000_000);b.record();torch.cuda.synchronize()
    CY=int(20_000_000/a.elapsed_time(b)*4)   # 4 ms
def fresh():
    ns={}
    exec(compile(src,"prelude","exec"),ns)
    return ns
ns0=None
def run(stmt):
    setup,_,st=stmt.rpartition(";;")
    torch.set_grad_enabled(True); torch.autograd.set_detect_anomaly(False); torch.distributions.Distribution.set_default_validate_args(True)
    try: ns=fresh()
    except Exception as e: return "error",0,0,0,"prelude "+repr(e)[:100]
    c=compile(st.strip(),"s","exec"); cs=compile(setup.strip() or "pass","s","exec")
    try:
        for _ in range(2): exec(cs,ns); exec(c,ns)
        torch.cuda.synchronize()
        exec(cs,ns); torch.cuda.synchronize()
        with warnings.catch_warnings(record=True) as w:
            warnings.simplefilter("always")
            torch.cuda.set_sync_debug_mode("warn")
            try: exec(c,ns)
            finally: torch.cuda.set_sync_debug_mode(0)
            n=sum("synchroniz" in str(m.message) for m in w)
        best=1e9; idle=[]
        for _ in range(3):
            exec(cs,ns); torch.cuda.synchronize()
            torch.cuda._sleep(CY); t=time.perf_counter(); exec(c,ns); best=min(best,time.perf_counter()-t)
            torch.cuda.synchronize()
        for _ in range(3):
            exec(cs,ns); torch.cuda.synchronize()
            t=time.perf_counter(); exec(c,ns); idle.append(time.perf_counter()-t)
        idle=sorted(idle)[1]
        waits="yes" if best>0.0024 and best>idle*1.2 else ("yes" if n else "no")
        if idle>0.0024 : waits+="?"
        return waits,n,round(best*1e6),round(idle*1e6,1),""
    except Exception as e:
        torch.cuda.set_sync_debug_mode(0)
        return "error",0,0,0,(type(e).__name__+": "+str(e)).replace("\n"," ")[:140]
calibrate()
out=open(sys.argv[2],"w")
for line in open(sys.argv[1]):
    line=line.rstrip("\n")
    if not line or line.startswith("#"): 
        print(line,file=out,flush=True); continue
    so=sys.stdout; se=sys.stderr
    sys.stdout=open("/dev/null","w")
    r=run(line)
    sys.stdout=so
    print(line,*r,sep="\t",file=out,flush=True)
