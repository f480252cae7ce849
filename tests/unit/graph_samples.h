/* Graphs that were drawn by hand: a program, and what --dump=graph says of its last function. */
#ifndef SYNCL_GRAPH_SAMPLES_H
#define SYNCL_GRAPH_SAMPLES_H

typedef struct GraphSample {
    const char *title, *source, *graph;
} GraphSample;

static const GraphSample graph_samples[] = {
    {"statements one behind the other",
     "a = 1\n"
     "b = a\n",
     "F1 \n"
     "  B1 pdom B2 | 1 a= | 2 a b= -> B2\n"
     "  B2 exit dom B1\n"
     "    a of 2 is of 1\n"},
    {"if, elif, else",
     "if a:\n"
     "    x = 1\n"
     "elif b:\n"
     "    x = 2\n"
     "else:\n"
     "    x = 3\n"
     "y = x\n",
     "F1 \n"
     "  B1 pdom B7 | test 1 -> true B2, false B3\n"
     "  B2 dom B1 pdom B7 if a | 2 x= -> B7\n"
     "  B3 dom B1 pdom B6 if not a | test 3 -> true B4, false B5\n"
     "  B4 dom B3 pdom B6 if b, not a | 4 x= -> B6\n"
     "  B5 dom B3 pdom B6 if not b, not a | 6 x= -> B6\n"
     "  B6 dom B3 pdom B7 if not a -> B7\n"
     "  B7 dom B1 pdom B8 | 7 x y= -> B8\n"
     "  B8 exit dom B7\n"
     "    x of 7 is of 2 4 6\n"},
    {"if without else",
     "x = 1\n"
     "if a:\n"
     "    x = 2\n"
     "y = x\n",
     "F1 \n"
     "  B1 pdom B3 | 1 x= | test 2 -> true B2, false B3\n"
     "  B2 dom B1 pdom B3 if a | 3 x= -> B3\n"
     "  B3 dom B1 pdom B4 | 4 x y= -> B4\n"
     "  B4 exit dom B3\n"
     "    x of 4 is of 1 3\n"},
    {"while with else",
     "while a:\n"
     "    a = b\n"
     "else:\n"
     "    b = 1\n"
     "c = a\n",
     "F1 \n"
     "  B1 pdom B2 -> B2\n"
     "  B2 dom B1 pdom B4 in L1 | test 1 a -> true B3, false B4\n"
     "  B3 dom B2 pdom B2 in L1 if a | 2 b a= -> B2\n"
     "  B4 dom B2 pdom B5 if (not a) | 4 b= -> B5\n"
     "  B5 dom B4 pdom B6 if (not a) | 5 a c= -> B6\n"
     "  B6 exit dom B5 if (not a)\n"
     "    a of 1 is of 2 start\n"
     "    b of 2 is of start\n"
     "    a of 5 is of 2 start\n"},
    {"a loop that only break leaves",
     "while True:\n"
     "    if a:\n"
     "        break\n"
     "    a = 1\n"
     "b = a\n",
     "F1 \n"
     "  B1 pdom B2 -> B2\n"
     "  B2 dom B1 pdom B3 in L1 | test 1 -> true B3\n"
     "  B3 dom B2 pdom B4 in L1 if (True) | test 2 a -> true B4, false B7\n"
     "  B4 dom B3 pdom B5 in L1 if (a), (True) | 3 -> B5\n"
     "  B5 dom B4 pdom B6 if (a), (True) | 5 a b= -> B6\n"
     "  B6 exit dom B5 if (a), (True)\n"
     "  B7 dom B3 pdom B2 in L1 if not a, (True) | 4 a= -> B2\n"
     "    a of 2 is of 4 start\n"
     "    a of 5 is of 4 start\n"},
    {"a loop that nothing leaves",
     "while True:\n"
     "    a = 1\n"
     "b = a\n",
     "F1 \n"
     "  B1 pdom B2 -> B2\n"
     "  B2 dom B1 pdom B3 in L1 | test 1 -> true B3\n"
     "  B3 dom B2 pdom B4 in L1 if (True) | 2 a= -> B2\n"
     "  B4 exit unreached\n"
     "  B5 unreached pdom B4 | 3 a b= -> B4\n"
     "    a of 3 is of\n"},
    {"for with continue, break and else",
     "for i, x in a:\n"
     "    if x:\n"
     "        continue\n"
     "    if i:\n"
     "        break\n"
     "else:\n"
     "    i = 0\n"
     "b = i\n",
     "F1 \n"
     "  B1 pdom B2 | iter 1 -> B2\n"
     "  B2 dom B1 pdom B9 in L1 -> true B3, false B8\n"
     "  B3 dom B2 pdom B9 in L1 if turn of 1 | bind 1 i= x= | test 2 x -> true B4, false B5\n"
     "  B4 dom B3 pdom B2 in L1 if x, turn of 1 | 3 -> B2\n"
     "  B5 dom B3 pdom B9 in L1 if not x, turn of 1 | test 4 i -> true B6, false B7\n"
     "  B6 dom B5 pdom B9 in L1 if i, not x, turn of 1 | 5 -> B9\n"
     "  B7 dom B5 pdom B2 in L1 if not i, not x, turn of 1 -> B2\n"
     "  B8 dom B2 pdom B9 if not turn of 1 | 7 i= -> B9\n"
     "  B9 dom B2 pdom B10 | 8 i b= -> B10\n"
     "  B10 exit dom B9\n"
     "    x of 2 is of 1\n"
     "    i of 4 is of 1\n"
     "    i of 8 is of 7 1\n"},
    {"try with handlers and else",
     "try:\n"
     "    a = f()\n"
     "    b = a\n"
     "except ValueError as e:\n"
     "    c = e\n"
     "except:\n"
     "    c = 2\n"
     "else:\n"
     "    c = 3\n"
     "d = c\n",
     "F1 \n"
     "  B1 pdom B2 | 1 -> B2\n"
     "  B2 dom B1 pdom B3 | 2 a= -> raises B4, B3\n"
     "  B3 dom B2 pdom B8 | 3 a b= -> raises B4, B8\n"
     "  B4 dom B2 pdom B9 | test 4 -> true B5, false B6\n"
     "  B5 dom B4 pdom B9 if exception of 4 | bind 4 e= | 5 e c= -> B9\n"
     "  B6 dom B4 pdom B7 if not exception of 4 -> true B7\n"
     "  B7 dom B6 pdom B9 if (exception of 6), not exception of 4 | bind 6 | 7 c= -> B9\n"
     "  B8 dom B3 pdom B9 | 9 c= -> B9\n"
     "  B9 dom B2 pdom B10 | 10 c d= -> B10\n"
     "  B10 exit dom B9\n"
     "    a of 3 is of 2\n"
     "    e of 5 is of 4\n"
     "    c of 10 is of 5 7 9\n"},
    {"try with finally alone",
     "try:\n"
     "    a = 1\n"
     "finally:\n"
     "    b = 2\n"
     "c = a\n",
     "F1 \n"
     "  B1 pdom B2 | 1 -> B2\n"
     "  B2 dom B1 pdom B3 | 2 a= -> raises B4, B3\n"
     "  B3 dom B2 pdom B4 -> B4\n"
     "  B4 dom B2 pdom B6 | 4 b= -> B5, B6\n"
     "  B5 dom B4 pdom B6 | 5 a c= -> B6\n"
     "  B6 exit dom B4\n"
     "    a of 5 is of 2 start\n"},
    {"an exception that is raised within try",
     "try:\n"
     "    raise a\n"
     "except KeyError:\n"
     "    b = 1\n"
     "c = 1\n",
     "F1 \n"
     "  B1 pdom B2 | 1 -> B2\n"
     "  B2 dom B1 pdom B3 | 2 -> raises B3, B3\n"
     "  B3 dom B2 pdom B6 | test 3 -> true B4, false B6\n"
     "  B4 dom B3 pdom B5 if exception of 3 | bind 3 | 4 b= -> B5\n"
     "  B5 dom B4 pdom B6 if exception of 3 | 5 c= -> B6\n"
     "  B6 exit dom B3\n"},
    {"with two managers",
     "with a as b, c as (d, e):\n"
     "    f = b\n"
     "g = f\n",
     "F1 \n"
     "  B1 pdom B2 | enter 1 b= | enter 1 d= e= | 2 b f= | 3 f g= -> B2\n"
     "  B2 exit dom B1\n"
     "    b of 2 is of 1\n"
     "    f of 3 is of 2\n"},
    {"match with a guard and a last case for all",
     "match a:\n"
     "    case 1:\n"
     "        x = 1\n"
     "    case [y, C(z)] if y:\n"
     "        x = y\n"
     "    case _:\n"
     "        x = 3\n"
     "b = x\n",
     "F1 \n"
     "  B1 pdom B2 | 1 -> B2\n"
     "  B2 dom B1 pdom B9 | test 2 -> false B3, true B8\n"
     "  B3 dom B2 pdom B9 if not case of 2 | test 4 -> false B5, true B4\n"
     "  B4 dom B3 pdom B9 if case of 4, not case of 2 | bind 4 y= z= | guard 4 y -> false B5, true B7\n"
     "  B5 dom B3 pdom B6 if not case of 2 | test 6 -> true B6\n"
     "  B6 dom B5 pdom B9 if (case of 6), not case of 2 | bind 6 | 7 x= -> B9\n"
     "  B7 dom B4 pdom B9 if y, case of 4, not case of 2 | 5 y x= -> B9\n"
     "  B8 dom B2 pdom B9 if case of 2 | bind 2 | 3 x= -> B9\n"
     "  B9 dom B2 pdom B10 | 8 x b= -> B10\n"
     "  B10 exit dom B9\n"
     "    y of 4 is of 4\n"
     "    y of 5 is of 4\n"
     "    x of 8 is of 7 5 3\n"},
    {"assert, and one that always fails",
     "assert a, b\n"
     "assert False\n"
     "c = 1\n",
     "F1 \n"
     "  B1 pdom B2 | 1 | 2 -> B2\n"
     "  B2 exit dom B1\n"
     "  B3 unreached pdom B2 | 3 c= -> B2\n"},
    {"a call that ends the program",
     "import sys\n"
     "if a:\n"
     "    sys.exit(1)\n"
     "b = 1\n",
     "F1 \n"
     "  B1 pdom B4 | 1 sys= | test 2 -> true B2, false B3\n"
     "  B2 dom B1 pdom B4 if a | 3 sys -> B4\n"
     "  B3 dom B1 pdom B4 if not a | 4 b= -> B4\n"
     "  B4 exit dom B1\n"
     "    sys of 3 is of 1\n"},
    {"definitions, imports and del",
     "@a\n"
     "def f(x=b): return x\n"
     "class C(d): pass\n"
     "import m as n\n"
     "del n\n",
     "F1 \n"
     "  B1 pdom B2 | 1 f= | 3 C= | 4 n= | 5 n del -> B2\n"
     "  B2 exit dom B1\n"
     "F2 f\n"
     "  B1 pdom B2 | 2 x -> B2\n"
     "  B2 exit dom B1\n"
     "    x of 2 is of start\n"
     "F3 C\n"
     "  B1 pdom B2 | 3 -> B2\n"
     "  B2 exit dom B1\n"},
    {"a comprehension and a walrus",
     "a = [x for x in b if x]\n"
     "while (y := a): y += 1\n",
     "F1 \n"
     "  B1 pdom B2 | 1 x= x x a= -> B2\n"
     "  B2 dom B1 pdom B4 in L2 | test 2 a y:= -> true B3, false B4\n"
     "  B3 dom B2 pdom B2 in L2 if y := a | 2 y y+= -> B2\n"
     "  B4 dom B2 pdom B5 if (not y := a) -> B5\n"
     "  B5 exit dom B4 if (not y := a)\n"
     "    x of 1 is of 1\n"
     "    x of 1 is of 1\n"
     "    a of 2 is of 1\n"
     "    y of 2 is of 2\n"},
    {"paths, which binding their variable forgets",
     "a.b = 1\n"
     "c = a.b\n"
     "a = d\n"
     "c = a.b\n",
     "F1 \n"
     "  B1 pdom B2 | 1 a a.b= | 2 a a.b c= | 3 a= | 4 a a.b c= -> B2\n"
     "  B2 exit dom B1\n"
     "    a of 1 is of start\n"
     "    a of 2 is of start\n"
     "    a.b of 2 is of 1\n"
     "    a of 4 is of 3\n"
     "    a.b of 4 is of 3\n"},
    {"return and raise in both branches",
     "def f(a):\n"
     "    if a:\n"
     "        return 1\n"
     "    else:\n"
     "        raise a\n"
     "    b = 1\n",
     "F2 f\n"
     "  B1 pdom B4 | test 2 a -> true B2, false B3\n"
     "  B2 dom B1 pdom B4 if a | 3 -> B4\n"
     "  B3 dom B1 pdom B4 if not a | 5 a -> B4\n"
     "  B4 exit dom B1\n"
     "  B5 unreached pdom B4 | 6 b= -> B4\n"
     "    a of 2 is of start\n"
     "    a of 5 is of start\n"},
    {"return and break through finally",
     "def f(a):\n"
     "    for x in a:\n"
     "        try:\n"
     "            if x:\n"
     "                return x\n"
     "            if a:\n"
     "                break\n"
     "        finally:\n"
     "            x = 0\n"
     "    return a\n",
     "F2 f\n"
     "  B1 pdom B2 | iter 2 a -> B2\n"
     "  B2 dom B1 pdom B13 in L1 -> true B3, false B12\n"
     "  B3 dom B2 pdom B4 in L1 if turn of 2 | bind 2 x= | 3 -> B4\n"
     "  B4 dom B3 pdom B10 in L1 if turn of 2 | test 4 x -> raises B10, true B5, false B6\n"
     "  B5 dom B4 pdom B10 in L1 if x, turn of 2 | 5 x -> raises B10, B10\n"
     "  B6 dom B4 pdom B10 in L1 if not x, turn of 2 | test 6 a -> raises B10, true B7, false B8\n"
     "  B7 dom B6 pdom B10 in L1 if a, not x, turn of 2 | 7 -> B10\n"
     "  B8 dom B6 pdom B9 in L1 if not a, not x, turn of 2 -> B9\n"
     "  B9 dom B8 pdom B10 in L1 if not a, not x, turn of 2 -> B10\n"
     "  B10 dom B4 pdom B13 in L1 if turn of 2 | 9 x= -> B11, B13, B13, B12\n"
     "  B11 dom B10 pdom B2 in L1 if turn of 2 -> B2\n"
     "  B12 dom B2 pdom B13 | 10 a -> B13\n"
     "  B13 exit dom B2\n"
     "    a of 2 is of start\n"
     "    x of 4 is of 2\n"
     "    x of 5 is of 2\n"
     "    a of 6 is of start\n"
     "    a of 10 is of start\n"},
    {"async with and async for",
     "async def f(a):\n"
     "    async with a as b:\n"
     "        async for c in b:\n"
     "            await c\n",
     "F2 f\n"
     "  B1 pdom B2 | enter 2 a b= | iter 3 b -> B2\n"
     "  B2 dom B1 pdom B4 in L1 -> true B3, false B4\n"
     "  B3 dom B2 pdom B2 in L1 if turn of 3 | bind 3 c= | 4 c -> B2\n"
     "  B4 dom B2 pdom B5 if (not turn of 3) -> B5\n"
     "  B5 exit dom B4 if (not turn of 3)\n"
     "    a of 2 is of start\n"
     "    b of 3 is of 2\n"
     "    c of 4 is of 3\n"},
    {"try within try",
     "def f(a):\n"
     "    try:\n"
     "        try:\n"
     "            b = a()\n"
     "        except KeyError:\n"
     "            b = 1\n"
     "    except ValueError:\n"
     "        b = 2\n"
     "    return b\n",
     "F2 f\n"
     "  B1 pdom B2 | 2 -> B2\n"
     "  B2 dom B1 pdom B3 | 3 -> B3\n"
     "  B3 dom B2 pdom B9 | 4 a b= -> raises B4, B9\n"
     "  B4 dom B3 pdom B11 | test 5 -> raises B7, true B5, false B7\n"
     "  B5 dom B4 pdom B6 if exception of 5 | bind 5 -> raises B7, B6\n"
     "  B6 dom B5 pdom B9 if exception of 5 | 6 b= -> raises B7, B9\n"
     "  B7 dom B4 pdom B11 | test 7 -> true B8, false B11\n"
     "  B8 dom B7 pdom B10 if exception of 7 | bind 7 | 8 b= -> B10\n"
     "  B9 dom B3 pdom B10 -> B10\n"
     "  B10 dom B3 pdom B11 | 9 b -> B11\n"
     "  B11 exit dom B3\n"
     "    a of 4 is of start\n"
     "    b of 9 is of 8 4 6\n"},
    {"lambda",
     "f = lambda x: x\n",
     "F2 \n"
     "  B1 pdom B2 | 1 x -> B2\n"
     "  B2 exit dom B1\n"
     "    x of 1 is of start\n"},
};

#endif
