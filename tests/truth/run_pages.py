"""Runs every Reported, Quiet and Instead block of the rule pages behind a held GPU and compares with its marks.

On a GPU machine, from the repository root:  python3 tests/truth/run_pages.py OUT.tsv
Made rules/executed-h200.tsv (H200, torch 2.11)."""
import ast,glob,re,sys,time,warnings,io,traceback
import torch
warnings.simplefilter("always")
src=open("rules/prelude.py").read()
torch.cuda._sleep(1000); torch.cuda.synchronize()
a=torch.cuda.Event(enable_timing=True);b=torch.cuda.Event(enable_timing=True)
a.record();torch.cuda._sleep(20_000_000);b.record();torch.cuda.synchronize()
CY=int(20_000_000/a.elapsed_time(b)*4)
real=sys.stdout
torch.cuda.set_sync_debug_mode("warn"); torch.zeros(1,device="cuda").item(); torch.cuda.set_sync_debug_mode(0)
out=open(sys.argv[1],"w")
def blocks(page):
    sec=None;inb=False;cur=[];start=0
    for n,l in enumerate(open(page).read().split("\n"),1):
        if l.startswith("## ") and not inb: sec=l[3:].strip()
        if l.startswith("```"):
            if inb:
                if py and sec in("Reported","Quiet","Instead"): yield sec,start,cur
                inb=False
            else: inb=True;py=l.strip()=="```python";cur=[];start=n+1
            continue
        if inb: cur.append(l)
def fresh():
    import logging
    logging.getLogger("train").handlers.clear()
    ns={}; exec(compile(src,"prelude","exec"),ns)
    F=ns["F"]; ns["scaler"].scale(F.cross_entropy(ns["model"](ns["x"]),ns["labels"])); ns["step"]=0
    return ns
for page in sorted(glob.glob("rules/*.md")):
    if page.endswith(("FORMAT.md","README.md")): continue
    for sec,start,lines in blocks(page):
        code="\n".join(lines)
        try: tree=ast.parse(code)
        except SyntaxError as e: print(page,start,"SYNTAX",e,file=out); continue
        if sec=="Instead":
            try:
                ns=fresh(); sys.stdout=io.StringIO()
                exec(compile(code,page,"exec"),ns)
                ns=fresh(); torch.cuda.synchronize()
                with warnings.catch_warnings(record=True) as w:
                    warnings.simplefilter("always"); torch.cuda.set_sync_debug_mode("warn")
                    exec(compile("\n"*(start-1)+code,page,"exec"),ns)
                    torch.cuda.set_sync_debug_mode(0)
                sys.stdout=real
                waits=[m.lineno for m in w if "synchroniz" in str(m.message)]
                print(page,start,"INSTEAD ok, warned lines",sorted(set((m.filename.split('/')[-1],m.lineno) for m in w if "synchroniz" in str(m.message))),file=out)
            except Exception as e:
                sys.stdout=real; torch.cuda.set_sync_debug_mode(0); print(page,start,"INSTEAD RAISES",repr(e)[:200],file=out)
            continue
        groups=[]
        for node in tree.body:
            ln=node.lineno
            if groups and groups[-1][0]==ln: groups[-1][1].append(node)
            else: groups.append((ln,[node]))
        ns=fresh()
        try:
            for rnd in range(3):
                for ln,nodes in groups:
                    c=compile(ast.Module(nodes,[]),page,"exec")
                    torch.cuda.synchronize()
                    if rnd<2:
                        sys.stdout=io.StringIO()
                        exec(c,ns); sys.stdout=real; continue
                    with warnings.catch_warnings(record=True) as w:
                        warnings.simplefilter("always"); torch.cuda.set_sync_debug_mode("warn")
                        torch.cuda._sleep(CY); t=time.perf_counter(); exec(c,ns); dt=time.perf_counter()-t
                        torch.cuda.set_sync_debug_mode(0)
                    n=sum("synchroniz" in str(m.message) for m in w)
                    waited=dt>0.0028 or n>0
                    text=lines[ln-1]; mark=re.search(r"# (sync|missed|backward): (.*)",text)
                    ok=waited==bool(mark)
                    print(page.split("/")[-1],start+ln-1,"ok" if ok else "DISAGREE",n,round(dt*1e6),text.strip(),sep="\t",file=out,flush=True)
        except Exception as e:
            sys.stdout=real; torch.cuda.set_sync_debug_mode(0)
            print(page,start+ln-1,"RAISES",repr(e)[:200],lines[ln-1],file=out,flush=True)
