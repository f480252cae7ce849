# syncl: `make help` lists the targets. Objects live under build/; nothing is registered by hand: every
# analyzer/<room>/*.c goes into libsyncl, every tests/unit/test_*.c is a test program, every rules/ page is compiled in.
CC       ?= cc
PREFIX   ?= $(HOME)/.local
BUILD    ?= build
SANITIZE ?=
OPTIMIZE ?= -O2
# The program's own sources: 6 % of a run.
HARDER   := $(if $(filter -O2,$(OPTIMIZE)),-O3)
ROOMS    := $(patsubst %/,%,$(wildcard analyzer/*/))
WARNINGS := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror
# No fused multiply-add: prices are the same to the last digit on every machine.
CFLAGS   := -std=c17 -ffp-contract=off -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -D_DARWIN_C_SOURCE $(WARNINGS) $(OPTIMIZE) -g -MMD -MP $(if $(SANITIZE),$(SANITIZE) -Wno-error) -Ianalyzer $(ROOMS:%=-I%)
# Sanitizers make gcc warn of things that cannot happen, so there warnings are only shown.
# One file that runs on another Linux: static where the toolchain can, and never under a sanitizer.
STATIC   := $(if $(SANITIZE),,$(shell printf 'int main(void){return 0;}' | $(CC) -static -x c - -o /dev/null 2>/dev/null && echo -static))
VERSION  := $(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
LDLIBS   := -lm -lpthread
JOBS     ?= $(shell nproc 2>/dev/null || echo 2)
SUBMAKE  := $(MAKE) --no-print-directory -j$(JOBS)

.DEFAULT_GOAL := build
include grammars/deps.mk

PROGRAMS   := analyzer/cli/main.c analyzer/rulebook/rulec.c
SOURCES    := $(filter-out $(PROGRAMS),$(wildcard analyzer/*.c analyzer/*/*.c))
OBJECTS    := $(SOURCES:analyzer/%.c=$(BUILD)/analyzer/%.o)
PAGES      := $(wildcard rules/*.md rules/*.pyi rules/api/*.pyi rules/sizes.py)
RULES_PAGES := $(filter-out rules/FORMAT.md rules/README.md,$(PAGES))
TESTS      := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/test_*.c))
BENCHES    := $(patsubst tests/bench/%.c,$(BUILD)/%,$(wildcard tests/bench/bench_*.c))
RULE_DATA  := $(BUILD)/rulebook_data.o

help:
	@echo "make            build build/syncl (fetches what is missing)"
	@echo "make test       build and run every test"
	@echo "make test-packages  the wheel, the source archive and the pre-commit hook, as users get them"
	@echo "make demo       install what is missing, build, and run on corpus/"
	@echo "make lint       format, layers, lengths, mutable state, warnings"
	@echo "make format     rewrite the sources with clang-format"
	@echo "make manual     write the lists of options and of keys into packaging/manual/syncl.md, the finding into README.md"
	@echo "make index      write rules/README.md from the pages"
	@echo "make metamorphic  rewrite every program of the tests in ways that mean nothing, take its worklist up in other orders, and compare (make test: a share)"
	@echo "make truth      run every example of the rule pages on this machine's GPU and compare (needs PyTorch)"
	@echo "make sanitize   every test under the address, undefined and leak sanitizers"
	@echo "make sanitize-thread  many threads under the thread sanitizer"
	@echo "make fuzz       feed prefixes and suffixes of the test inputs, and changed ones (SEED=1 SECONDS=60), to the analyser"
	@echo "make fuzz-programs  programs made by the grammar: threads, cache and builds must agree (SEED=1 SECONDS=60)"
	@echo "make fuzz-coverage  libFuzzer on each kind of input, guided by coverage (SECONDS=60 each, ONLY=trace, KEEP=1; needs clang)"
	@echo "make fuzz-pack  what all of these need on another machine, for tests/fuzz/many.py there (needs clang)"
	@echo "make growth     every construct of Python, 1, 4 and 16 times as much of it: what the program does for each (GROWTH=--pairs)"
	@echo "make bench      time parse, lower and the whole run (BENCH_PATHS=...)"
	@echo "make bench-others  beside a bare parse, ruff, ast-grep, semgrep, hotpath-ai and torch-preflight; writes README.md's table"
	@echo "make calib      the calibrator, where CUDA is installed"
	@echo "make corpus     run on the public packages of corpus/manifest and compare the totals"
	@echo "make confidence  fit the table of confidence to what was judged and measured (PACKAGES=folder; KEEP=1 keeps the weights)"
	@echo "make corpus-threads  the same packages with 1, 2, 8 and 16 threads, cold and from the cache: the same bytes (KEEP=1 keeps the table)"
	@echo "make wheel      a wheel of this build in build/wheels; make wheels: one for every platform, cross-compiled"
	@echo "make dist       the source archive, which builds offline, in build/wheels"
	@echo "make install    copy build/syncl to PREFIX/bin (PREFIX=$(PREFIX))"
	@echo "make clean      remove build/ but not the fetched sources"

deps:
	@sh grammars/deps.sh build

deps-test:
	@sh grammars/deps.sh test

deps-lint:
	@sh grammars/deps.sh lint

deps-confidence:
	@sh grammars/deps.sh confidence

build: deps
	@$(SUBMAKE) $(BUILD)/syncl $(RECORDER) calib

$(BUILD)/analyzer/%.o: analyzer/%.c | $(PINS)/unpacked
	@mkdir -p $(@D)
	@echo "cc $<"
	@$(CC) $(CFLAGS) $(HARDER) $(PIN_INCLUDES) -c $< -o $@

$(BUILD)/analyzer/cli/main.o: CFLAGS += -DSYNCL_VERSION='"$(VERSION)"'
$(BUILD)/analyzer/cli/main.o: pyproject.toml

# Files that the program carries and prints; \? so that no trigraph begins.
TEXTS := json_schema=packaging/manual/report.schema.json manual_markdown=packaging/manual/syncl.md \
    page_style=analyzer/report/page.css page_script=analyzer/report/page.js
$(BUILD)/texts.c: $(foreach text,$(TEXTS),$(lastword $(subst =, ,$(text))))
	@mkdir -p $(@D)
	@{ echo '#include "texts.h"'; for text in $(TEXTS); do echo "const char $${text%%=*}[] ="; \
	    sed 's/[\\"?]/\\&/g; s/.*/"&\\n"/' "$${text#*=}"; echo ';'; done; } > $@.new && mv $@.new $@

$(BUILD)/texts.o: $(BUILD)/texts.c analyzer/base/texts.h
	@$(CC) $(CFLAGS) -c $< -o $@

$(BUILD)/libsyncl.a: $(OBJECTS) $(BUILD)/texts.o
	@rm -f $@
	@$(AR) rcs $@ $^

# The rule compiler needs the front of the house only: pages can be checked while the rest does not build.
RULEC_NEEDS := $(filter analyzer/base/supply.c analyzer/base/arena.c analyzer/base/text.c analyzer/source/model.c analyzer/source/syntax.c \
    analyzer/source/lower% $(addprefix analyzer/rulebook/,page.c draft% rulepage% rulebook.c size_rules.c conventions.c dump_rulebook.c),$(SOURCES))
$(BUILD)/rulec: $(BUILD)/analyzer/rulebook/rulec.o $(RULEC_NEEDS:analyzer/%.c=$(BUILD)/analyzer/%.o) $(BUILD)/libpins.a
	@$(CC) $(CFLAGS) $^ $(LDLIBS) -o $@

# A build for another machine takes the rule compiler of this one: RULEC=build/rulec.
RULEC ?= $(BUILD)/rulec
$(BUILD)/rulebook_data.c: $(RULEC) $(RULES_PAGES)
	@$(RULEC) $(RULES_PAGES) > $@.new && mv $@.new $@ || { rm -f $@.new; exit 1; }

$(BUILD)/rulebook_data.o: $(BUILD)/rulebook_data.c
	@$(CC) $(CFLAGS) -c $< -o $@

# What the cache tells builds apart by.
LINKED := $(BUILD)/analyzer/cli/main.o $(RULE_DATA) $(BUILD)/libsyncl.a $(BUILD)/libpins.a
$(BUILD)/build_id.c: $(LINKED)
	@sum=$$(cat $^ | sha256sum 2>/dev/null || cat $^ | shasum -a 256) && \
	printf '#include "build_id.h"\nconst char build_id[] = "%s";\n' "$${sum%% *}" > $@

$(BUILD)/build_id.o: $(BUILD)/build_id.c
	@$(CC) $(CFLAGS) -c $< -o $@

$(BUILD)/syncl: $(BUILD)/build_id.o $(LINKED)
	@echo "ld $@"
	@$(CC) $(CFLAGS) $(STATIC) $^ $(LDLIBS) -o $@

# The program among system calls that fail (tests/faults/faults.c); GNU ld and lld can do so, macOS' cannot.
FAULTY := open read write close fchown fsync rename opendir readdir poll waitpid malloc calloc realloc posix_memalign
$(BUILD)/syncl-faulty: tests/faults/faults.c $(BUILD)/build_id.o $(LINKED)
	@echo "ld $@"
	@$(CC) $(CFLAGS) $(STATIC) $(FAULTY:%=-Wl,--wrap=%) $^ $(LDLIBS) -o $@

$(BUILD)/tests/%: tests/unit/%.c $(RULE_DATA) $(BUILD)/libsyncl.a $(BUILD)/libpins.a
	@mkdir -p $(@D)
	@echo "cc $<"
	@$(CC) $(CFLAGS) $(PIN_INCLUDES) -Itests/unit $< $(RULE_DATA) $(BUILD)/libsyncl.a $(BUILD)/libpins.a -lcmocka $(LDLIBS) -o $@

$(BUILD)/%: tests/bench/%.c $(RULE_DATA) $(BUILD)/libsyncl.a $(BUILD)/libpins.a
	@$(CC) $(CFLAGS) $(PIN_INCLUDES) $< $(RULE_DATA) $(BUILD)/libsyncl.a $(BUILD)/libpins.a $(LDLIBS) -o $@

test: deps-test
	@sh grammars/fetch_tests.sh $(PINS)
	@$(SUBMAKE) $(BUILD)/syncl $(BUILD)/bench_nodes $(if $(filter Linux,$(shell uname)),$(BUILD)/syncl-faulty $(RECORDER) $(BUILD)/record/libcuda.so.1) calib $(TESTS)
	@BUILD=$(BUILD) sh tests/run.sh $(TESTS) tests/scopes.py tests/metamorphic.py tests/truth/check_statements.py tests/truth/check_pages.py tests/truth/check_launches.py tests/truth/check_traces.py $(filter-out %/test_schema.py,$(wildcard tests/user/test_*.py)) tests/user/test_schema.py

metamorphic: deps
	@$(SUBMAKE) $(BUILD)/syncl $(BUILD)/tests/test_shuffled
	@$(BUILD)/tests/test_shuffled all
	@BUILD=$(BUILD) python3 tests/metamorphic.py --all
	@python3 corpus/agree.py $(BUILD)/syncl tests/truth/projects/* tests/truth/projects2/* --files 1000000

index:
	@python3 tests/lint/rules_index.py

manual: build
	@python3 tests/lint/manual.py

# The rows that `make test` compares with, on a machine with a GPU.
truth: build
	@python3 tests/truth/run_pages.py tests/truth/pages.tsv
	@python3 tests/truth/prove_pages.py tests/truth/proofs.tsv
	@BUILD=$(BUILD) python3 tests/truth/check_pages.py

test-packages: deps-test
	@BUILD=$(BUILD) python3 tests/packages/test_packages.py

demo: build
	@echo "build/syncl corpus/"; $(BUILD)/syncl corpus/ || [ $$? = 1 ]

lint: deps-lint
	@$(SUBMAKE) $(BUILD)/syncl
	@sh tests/lint/lint.sh $(BUILD)

format:
	clang-format -i analyzer/*.c analyzer/*/*.c calib/*.c calib/recorder/*.c tests/unit/*.c tests/bench/*.c tests/fuzz/*.[ch] tests/faults/*.c tests/record/*.c

SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
SANITIZED  := $(SUBMAKE) BUILD=build/sanitize OPTIMIZE=-O1 SANITIZE="$(SANITIZERS)"
sanitize:
	@LIMIT=400 $(SANITIZED) test

# What runs on threads: reading, lowering, flows of contexts, pricing.
sanitize-thread: deps
	@$(SUBMAKE) BUILD=build/thread OPTIMIZE=-O1 SANITIZE="-fsanitize=thread -fno-omit-frame-pointer" build/thread/syncl
	@TSAN_OPTIONS=exitcode=66 build/thread/syncl --threads=16 --no-cache --isolated --exit-zero --min-confidence=possible \
	    --output-format=json corpus tests/cases >build/thread/all.json
	@echo "no races in $$(wc -c <build/thread/all.json) bytes of JSON"

fuzz: deps
	@$(SANITIZED) build/sanitize/chop build/sanitize/syncl
	@build/sanitize/chop corpus tests/cases tests/fuzz/corpus
	@FILES=100000 BUILD=build/sanitize python3 tests/user/test_hostile.py many_thousand
	@python3 tests/fuzz/mutate.py --program=build/sanitize/syncl --seconds=$(or $(SECONDS),60) --seed=$(or $(SEED),1) corpus tests/cases

fuzz-programs: deps
	@$(SUBMAKE) $(BUILD)/syncl
	@$(SANITIZED) build/sanitize/syncl
	@python3 tests/fuzz/programs.py --program=$(BUILD)/syncl --seconds=$(or $(SECONDS),60) --seed=$(or $(SEED),1)

# Not position-independent: with the 32 random bits of newer kernels such a program can lie where older sanitizers keep
# their heap, and ends at its start.
COVERED := $(SUBMAKE) BUILD=build/fuzz CC=clang OPTIMIZE=-O1 SANITIZE="-fsanitize=fuzzer-no-link $(SANITIZERS) -fno-pie" LDLIBS="-no-pie -static-libgcc -nostdlib++ -Wl,-Bstatic -lstdc++ -Wl,-Bdynamic $(LDLIBS)"
fuzz-coverage: deps build
	@$(COVERED) build/fuzz/coverage
	@python3 tests/fuzz/coverage.py --seconds=$(or $(SECONDS),60) $(if $(KEEP),--keep) $(ONLY)

# For another machine, of many cores: tests/fuzz/many.py. A C++ library of its own, as one may not be there.
fuzz-pack: deps build
	@$(COVERED) build/fuzz/coverage build/fuzz/syncl
	@python3 tests/fuzz/many.py --pack=build/many/fuzz.tar.gz

$(BUILD)/coverage: tests/fuzz/coverage.c $(wildcard tests/fuzz/*.h) $(RULE_DATA) $(BUILD)/libsyncl.a $(BUILD)/libpins.a
	@$(CC) $(CFLAGS) $(PIN_INCLUDES) -fsanitize=fuzzer $(filter %.c %.o %.a,$^) $(LDLIBS) -o $@

$(BUILD)/chop: tests/chop.c $(RULE_DATA) $(BUILD)/libsyncl.a $(BUILD)/libpins.a
	@$(CC) $(CFLAGS) $(PIN_INCLUDES) -Itests $(filter %.c %.o %.a,$^) $(LDLIBS) -o $@

# The program, counting what it does (tests/bench/count.c).
COUNTED  := memcpy memmove memset memcmp
$(BUILD)/syncl-counted: tests/bench/count.c $(BUILD)/build_id.o $(LINKED)
	@echo "ld $@"
	@$(CC) -O2 -fno-sanitize=all $(filter %.c %.o %.a,$^) $(LDLIBS) $(COUNTED:%=-Wl,--wrap=%) -o $@

growth: deps
	@$(SUBMAKE) BUILD=build/count SANITIZE="-fsanitize-coverage=trace-pc" build/count/syncl-counted RULEC=build/rulec
	@python3 tests/bench/growth.py $(GROWTH)

bench: deps
	@$(SUBMAKE) $(BUILD)/syncl $(BENCHES)
	@BUILD=$(BUILD) sh tests/bench/bench.sh $(BENCH_PATHS)

bench-others: deps
	@$(SUBMAKE) $(BUILD)/syncl $(BENCHES)
	@BUILD=$(BUILD) python3 tests/bench/bench_others.py $(BENCH_PATHS)

# calib/Makefile builds the calibrator; it is only entered where the CUDA headers are.
CUDA ?= $(firstword $(patsubst %/include/cuda_runtime.h,%,$(wildcard $(CUDA_HOME)/include/cuda_runtime.h /usr/local/cuda/include/cuda_runtime.h /opt/cuda/include/cuda_runtime.h)))
calib: $(PINS)/unpacked $(if $(CUDA),$(BUILD)/libsyncl.a $(BUILD)/libpins.a)
ifeq ($(wildcard calib/Makefile),)
	@true
else ifeq ($(CUDA),)
	@echo "calib: skipped, no CUDA toolkit found"
else
	@$(MAKE) --no-print-directory -C calib CUDA=$(CUDA) BUILD=../$(BUILD)
endif

# What `syncl record` puts into a user's process; it needs no CUDA to be built, and no sanitizer can come along.
RECORDER := $(if $(filter Linux,$(shell uname)),$(BUILD)/libsyncl-record.so)
$(BUILD)/libsyncl-record.so: $(wildcard calib/recorder/*.[ch] calib/recorder/*.def) analyzer/trace/record_format.h
	@mkdir -p $(@D)
	@echo "ld $@"
	@$(CC) -std=c17 -D_POSIX_C_SOURCE=200809L $(WARNINGS) -O2 -g -fPIC -fvisibility=hidden -shared -Ianalyzer/trace \
	    $(filter %.c,$^) -ldl -lpthread -o $@

# Its tests' GPU: one library that stands for the driver, the runtime and CUPTI.
$(BUILD)/record/libcuda.so.1: tests/record/fake_gpu.c calib/recorder/cupti.h calib/recorder/cupti.def
	@mkdir -p $(@D)
	@$(CC) -std=gnu17 -shared -fPIC -O1 -Wl,-soname,libcuda.so.1 $< -ldl -lpthread -o $@
	@ln -sf libcuda.so.1 $(@D)/libcudart.so.13
	@ln -sf libcuda.so.1 $(@D)/libcupti.so.13

corpus: build
	@if [ -f corpus/scan.py ]; then python3 corpus/scan.py $(BUILD)/syncl; else $(BUILD)/syncl corpus/ || [ $$? = 1 ]; fi

confidence: build deps-confidence
	@python3 corpus/confidence.py $(BUILD)/syncl $(or $(PACKAGES),~/.cache/syncl-corpus) $(if $(KEEP),--write)

corpus-threads: build
	@python3 corpus/threads.py $(BUILD)/syncl $(if $(KEEP),--write)

install: build
	@mkdir -p "$(DESTDIR)$(PREFIX)/bin"
	@install -m 755 $(BUILD)/syncl $(wildcard $(BUILD)/syncl-calibrate $(BUILD)/libsyncl-record.so) "$(DESTDIR)$(PREFIX)/bin"
	@sh packaging/pages.sh $(BUILD)/syncl "$(DESTDIR)$(PREFIX)/share"
	@echo "installed $(DESTDIR)$(PREFIX)/bin/syncl"

pins: $(PINS)/unpacked

wheel dist: build
	@mkdir -p $(BUILD)/wheels
	@cd packaging && python3 -c "import backend; print(backend.build_$(if $(filter dist,$@),sdist,wheel)('$(abspath $(BUILD))/wheels'))"

wheels: build
	@python3 packaging/release.py $(BUILD)

clean:
	@find build -mindepth 1 -maxdepth 1 ! -name pins -exec rm -rf {} + 2>/dev/null || true

.PHONY: help deps deps-test deps-lint deps-confidence build test metamorphic test-packages demo lint format sanitize sanitize-thread fuzz fuzz-programs fuzz-coverage fuzz-pack bench bench-others calib corpus corpus-threads index manual growth confidence \
    truth install pins wheel wheels dist clean
.SECONDARY:
-include $(wildcard $(BUILD)/analyzer/*.d $(BUILD)/analyzer/*/*.d $(BUILD)/tests/*.d $(BUILD)/*.d)
