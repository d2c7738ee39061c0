# make        builds build/release/ilcuda
# make demo   the tutorial, end to end, on the best engine there is
# make test   everything that can be tested on this machine
# make check  the inner loop: under a minute, installs nothing, says what it skips
# make dotnet builds the .NET binding and the native library for it (needs the .NET SDK 10)
# make vbs    builds build/release/vbs, which runs VB scripts (needs the .NET SDK 10)
# make diff   random programs against CoreCLR for SECONDS=60 from SEED=1 (needs the .NET SDK); what differs is reduced
# make deps   prints what is missing and installs it (Debian-like systems, root or sudo)

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
RELEASE = build/release

.PHONY: all demo test check dotnet vbs diff deps asan fuzz format layers fixtures clean

all: $(RELEASE)/CMakeCache.txt
	@cmake --build $(RELEASE) --target ilcuda -j$(JOBS) $(QUIET)

$(RELEASE)/CMakeCache.txt: CMakeLists.txt CMakePresets.json
	@tools/deps build
	@cmake --preset release -DILCUDA_TESTS=OFF >/dev/null

demo: QUIET = >/dev/null
demo: all
	@$(RELEASE)/ilcuda demo

deps:
	@tools/deps build test

test:
	@tools/deps build test
	@tools/test

check:
	@tools/test --quick

dotnet: $(RELEASE)/CMakeCache.txt
	@cmake --build $(RELEASE) --target ilcuda_shared -j$(JOBS) >/dev/null
	@dotnet build bindings/dotnet/Ilcuda -nologo -v:q
	@echo "build/dotnet/Ilcuda/net8.0/Ilcuda.dll; export ILCUDA_LIBRARY=$(CURDIR)/$(RELEASE)/libilcuda.so"

vbs: $(RELEASE)/CMakeCache.txt
	@cmake --build $(RELEASE) --target ilcuda_shared -j$(JOBS) >/dev/null
	@bindings/dotnet/publish-vbs $(RELEASE)/libilcuda.so $(RELEASE)/vbs

asan:
	@tools/test --asan

SECONDS ?= 60
SEED ?= 1
WITH ?= all
diff: all
	@tools/differential --with $(WITH) --methods 1000 --seconds $(SECONDS) --seed $(SEED) --cpu-first 100

fuzz:
	@tools/fuzz

layers:
	@tools/layers

fixtures:
	@tools/fixtures

format:
	@clang-format -i $$(git ls-files '*.c' '*.h')

clean:
	rm -rf build
