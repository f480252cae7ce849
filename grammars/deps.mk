# Fetches the pinned sources and compiles them, with their own warnings off, into build/libpins.a.
PINS     := build/pins
CORE     := $(PINS)/tree-sitter/tree_sitter/core/lib
PYGRAM   := $(PINS)/tree-sitter-python/src
TOMLGRAM := $(PINS)/tree-sitter-toml/src
YYJSON   := $(PINS)/yyjson/yyjson
XXHASH   := $(PINS)/xxhash/deps/xxhash
ZLIBNG   := $(PINS)/zlib-ng/src/zlib_ng/zlib-ng
PIN_CFLAGS := -std=c11 -O2 -g0 -w -D_DEFAULT_SOURCE -D_POSIX_C_SOURCE=200809L $(SANITIZE)
# The grammars were generated for ABI 14; the core's header calls three of its things by newer names.
ABI14    := -Dversion=abi_version -DTSFieldMapSlice=TSMapSlice -Wno-incompatible-pointer-types
# What inflate needs of zlib-ng, in plain C for every target.
INFLATE  := inflate inftrees zutil adler32 crc32 \
    $(addprefix arch/generic/,adler32_c adler32_fold_c chunkset_c crc32_braid_c crc32_chorba_c crc32_fold_c)
# The core's own headers come last, and as the system's: their warnings are not ours.
PIN_INCLUDES := -Igrammars -I$(CORE)/include -I$(YYJSON) -I$(XXHASH) -I$(PINS)/include -isystem $(CORE)/src

$(PINS)/unpacked: grammars/requirements.txt grammars/fetch.sh
	@sh grammars/fetch.sh $(PINS)

$(BUILD)/pins/core.o: $(PINS)/unpacked
	@mkdir -p $(@D)
	$(CC) $(PIN_CFLAGS) -I$(CORE)/include -I$(CORE)/src -c $(CORE)/src/lib.c -o $@

$(BUILD)/pins/python.o: $(PINS)/unpacked
	@mkdir -p $(@D)
	$(CC) $(PIN_CFLAGS) $(ABI14) -I$(PINS)/include -c $(PYGRAM)/parser.c -o $@

$(BUILD)/pins/scanner.o: grammars/scanner_memory.h $(PINS)/unpacked
	@mkdir -p $(@D)
	$(CC) $(PIN_CFLAGS) -I$(PINS)/include -include grammars/scanner_memory.h -c $(PYGRAM)/scanner.c -o $@

$(BUILD)/pins/tree_memory.o: grammars/tree_memory.c grammars/tree_memory.h $(PINS)/unpacked
	@mkdir -p $(@D)
	$(CC) $(PIN_CFLAGS) -I$(CORE)/include -c $< -o $@

$(BUILD)/pins/toml.o: $(PINS)/unpacked
	@mkdir -p $(@D)
	$(CC) $(PIN_CFLAGS) $(ABI14) -I$(PINS)/include -c $(TOMLGRAM)/parser.c -o $@

$(BUILD)/pins/toml_scanner.o: $(PINS)/unpacked
	@mkdir -p $(@D)
	$(CC) $(PIN_CFLAGS) -I$(PINS)/include -c $(TOMLGRAM)/scanner.c -o $@

$(BUILD)/pins/yyjson.o: $(PINS)/unpacked
	@mkdir -p $(@D)
	$(CC) $(PIN_CFLAGS) -I$(YYJSON) -c $(YYJSON)/yyjson.c -o $@

$(INFLATE:%=$(BUILD)/pins/zlib-ng/%.o): $(BUILD)/pins/zlib-ng/%.o: $(PINS)/unpacked
	@mkdir -p $(@D)
	$(CC) $(PIN_CFLAGS) -DDISABLE_RUNTIME_CPU_DETECTION -I$(PINS)/include -I$(ZLIBNG) -c $(ZLIBNG)/$*.c -o $@

$(BUILD)/pins/xxhash.o: $(PINS)/unpacked
	@mkdir -p $(@D)
	$(CC) $(PIN_CFLAGS) -I$(XXHASH) -c $(XXHASH)/xxhash.c -o $@

$(BUILD)/libpins.a: $(BUILD)/pins/xxhash.o $(INFLATE:%=$(BUILD)/pins/zlib-ng/%.o) $(BUILD)/pins/core.o $(BUILD)/pins/tree_memory.o $(BUILD)/pins/python.o $(BUILD)/pins/scanner.o \
    $(BUILD)/pins/toml.o $(BUILD)/pins/toml_scanner.o $(BUILD)/pins/yyjson.o
	@rm -f $@
	@$(AR) rcs $@ $^
