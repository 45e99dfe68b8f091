#!/usr/bin/env bash
# Sourced by scripts/serve and scripts/test: finds what is missing and installs it. Never asks anything.
#
# The ordinary way comes first: rustup fetches the wasm32 target, trunk's own release and what it fetches itself. Where that is
# impossible (a machine that reaches only package registries): Debian's rustc with the standard library built from
# source, the tools from crates.io, npm and PyPI. Everything can be interrupted and run again: what is half done does not count.
# docs/development.md lists what is installed where.

TARGET=wasm32-unknown-unknown
TRUNK_VERSION=0.21.14
GECKODRIVER_VERSION=0.37.1
# One version everywhere, so that the page has the same size everywhere.
WASM_OPT_VERSION=123
NEXTEST_VERSION=0.9.148
ZOOKEEPER_VERSION=3.8.0
CURATOR_VERSION=5.4.0
NODE_CLIENT_VERSION=1.1.3
KAZOO_VERSION=2.11.0
FLIT_VERSION=4.2.0
BINDGEN_VERSION=$(awk '/^name = "wasm-bindgen"$/ { getline; gsub(/"/, ""); print $3 }' "$ROOT/Cargo.lock")
DEBIAN_TOOLCHAIN=zabscope-debian
DEBIAN_PACKAGES=(rustc-web cargo-web rust-web-src rust-web-llvm rust-web-clippy rustfmt-web lld-22)
CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/zabscope

# cargo's folder is where tools land; a shell that never saw rustup's profile does not have it.
case ":$PATH:" in *":${CARGO_HOME:-$HOME/.cargo}/bin:"*) ;; *) PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH" ;; esac
# what comes from PyPI (setup_wheel) and npm (setup_wasm_opt)
PATH="$CACHE/bin:$CACHE/npm/bin:$PATH"
# The usual NO_COLOR=1 makes trunk 0.21 fail, which reads the variable as a boolean.
if [ -n "${NO_COLOR:-}" ]; then export NO_COLOR=true; fi

say() { printf '\033[1m==> %s\033[0m\n' "$*"; }
fail() { printf 'zabscope: %s\n' "$*" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

# timed WHAT ABOUT COMMAND...: says what is done and about how long that takes, shows a clock where somebody looks, and how long it took.
timed() {
  local start=$SECONDS clock='' status=0
  say "$1 ($2)"
  shift 2
  passed() { printf '    %d:%02d' $(((SECONDS - start) / 60)) $(((SECONDS - start) % 60)); }
  if [ -t 1 ]; then
    # another process's, so it ends with this one
    (while sleep 1 && kill -0 $$ 2>/dev/null; do printf '\r' && passed; done) &
    clock=$!
  fi
  "$@" || status=$?
  if [ -n "$clock" ]; then
    kill "$clock" 2>/dev/null
    wait "$clock" 2>/dev/null || true
    printf '\r'
  fi
  passed
  echo
  return $status
}

# Everything that the page needs to be built and served.
setup_page() {
  has cargo || fail "cargo is missing: install Rust from https://rustup.rs and run this again."
  if has_target && has_trunk && has_bindgen; then return; fi
  lock
  setup_target
  setup_trunk
  setup_bindgen
  rm -rf "$CACHE/tools" "$CACHE/std"
  unlock
}

# The browsers that the tests run in, and what drives them: `setup_browsers chromium firefox webkit`, or some of them.
setup_browsers() {
  local engine packages=() missing=()
  for engine; do has_browser "$engine" || missing+=("$engine"); done
  [ ${#missing[@]} -gt 0 ] || return 0
  lock
  for engine in "${missing[@]}"; do
    case $engine in
      chromium) packages+=(chromium chromium-driver poppler-utils) ;;
      firefox) has_firefox || packages+=(firefox-esr) ;;
      webkit) packages+=(webkit2gtk-driver xvfb) ;;
    esac
  done
  if [ ${#packages[@]} -gt 0 ]; then
    timed "browsers for the tests (${missing[*]}), from Debian's packages" "1 to 3 minutes" apt_install "${packages[@]}" fonts-noto-cjk \
      || fail "the tests need ${packages[*]}, and apt-get could not install them: install them, or name the stages that do without (scripts/test quick native page)."
  fi
  if [[ " ${missing[*]} " == *" firefox "* ]] && ! has geckodriver; then
    timed "geckodriver $GECKODRIVER_VERSION, which drives Firefox, from source" "1 to 2 minutes" cargo_tool geckodriver $GECKODRIVER_VERSION --locked \
      || fail "geckodriver could not be installed: 'cargo install geckodriver --version $GECKODRIVER_VERSION' tells why."
    rm -rf "$CACHE/tools"
  fi
  unlock
  hash -r
  for engine in "${missing[@]}"; do
    has_browser "$engine" || fail "what drives $engine was installed, but is not found in PATH."
  done
}

has_browser() {
  case $1 in
    # what it prints is looked at
    chromium) has chromedriver && has pdftoppm ;;
    firefox) has_firefox && has geckodriver ;;
    webkit) has WebKitWebDriver && has Xvfb && compgen -G "/usr/lib*/*/webkit2gtk-4.*/MiniBrowser" >/dev/null ;;
    *) fail "'$1' is no browser that the tests know: chromium, firefox, webkit." ;;
  esac
}
has_firefox() { has firefox-esr || has firefox; }

# The real ZooKeeper that scripts/zkcli types into. jline is what its zkCli reads lines with, and prompts.
setup_zookeeper() {
  local packages=(libzookeeper-java libjline2-java default-jre-headless)
  if has_zookeeper; then return; fi
  lock
  timed "ZooKeeper $ZOOKEEPER_VERSION, from Debian's packages" "about 1 minute" apt_install "${packages[@]}" \
    || fail "zkCli $ZOOKEEPER_VERSION needs ${packages[*]}, and apt-get could not install them."
  unlock
  hash -r
  has_zookeeper || fail "Debian's packages ${packages[*]} were installed, but ZooKeeper $ZOOKEEPER_VERSION is not among them (it is in Debian 12)."
}

has_zookeeper() { has java && [ -f /usr/share/java/zookeeper-$ZOOKEEPER_VERSION.jar ] && [ -f /usr/share/java/jline2.jar ]; }

# fetch_wheel NAME VERSION: has a package of PyPI's as a wheel, which Python reads as it is: PYTHONPATH=$CACHE/NAME.whl. Whether it is there.
fetch_wheel() {
  local name=$1 version=$2 work=$CACHE/wheel
  has_package() { [ "$(PYTHONPATH=$CACHE/$name.whl python3 -c "import $name; print($name.__version__)" 2>/dev/null)" = "$version" ]; }
  if has_package; then return; fi
  lock
  has python3 || apt_install python3 || true
  if has python3 && ! has_package; then # another one that ran at the same time may have installed it
    say "$name $version, from PyPI (some seconds)"
    rm -rf "$work"
    mkdir -p "$work"
    # Debian's Python has no pip by itself, and where there is one it may know of a mirror
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$work" "$name==$version" >/dev/null 2>&1 </dev/null \
      || python3 - "$work" "$name" "$version" 2>/dev/null <<'END' || true
import re, sys, urllib.parse, urllib.request as web
work, name, version = sys.argv[1:]
index = f"https://pypi.org/simple/{name.replace('_', '-')}/"
page = web.urlopen(index, timeout=60).read().decode()
url = urllib.parse.urljoin(index, re.search(f'href="([^"#]*/{name}-{re.escape(version)}-[^"#]*\\.whl)', page)[1])
web.urlretrieve(url, f"{work}/{url.rsplit('/', 1)[1]}")
END
    mv -f "$work/$name"-*.whl "$CACHE/$name.whl" 2>/dev/null || true
    rm -rf "$work"
  fi
  unlock
  has_package
}

# kazoo, the client of the tests that connect to `zabscope live`.
setup_kazoo() { fetch_wheel kazoo $KAZOO_VERSION; }

# The clients of scripts/clients, below FOLDER: Java's as Debian has them, with what compiles for them; zkCli.sh; npm's and PyPI's.
setup_clients() {
  local folder=$1 packages=(libzookeeper-java libjline2-java libcurator-recipes-java libslf4j-java default-jdk-headless)
  mkdir -p "$folder"
  if ! has javac || ! has_zookeeper || [ ! -f /usr/share/java/curator-recipes-$CURATOR_VERSION.jar ]; then
    lock
    timed "ZooKeeper $ZOOKEEPER_VERSION, Curator $CURATOR_VERSION and Java, from Debian's packages" "about 1 minute" apt_install "${packages[@]}" \
      || fail "the clients in Java need ${packages[*]}, and apt-get could not install them."
    unlock
    hash -r
    [ -f /usr/share/java/curator-recipes-$CURATOR_VERSION.jar ] && has_zookeeper \
      || fail "Debian's packages were installed, but ZooKeeper $ZOOKEEPER_VERSION and Curator $CURATOR_VERSION are not among them (they are in Debian 12)."
  fi
  setup_zkcli_script "$folder/zookeeper"
  fetch_npm node-zookeeper-client $NODE_CLIENT_VERSION "$folder/node" index.js "scripts/clients"
  setup_python "$folder/python" tests/live/clients/requirements.txt
}

# zkCli.sh itself is in a package that wants a whole desktop's Java, so it is unpacked, and told where the libraries are.
setup_zkcli_script() {
  local folder=$1 script=$1/usr/share/zookeeper/bin/zkCli.sh
  if [ -f "$folder/usr/share/zookeeper/libexec/zkEnv.sh" ]; then return; fi
  say "zkCli.sh $ZOOKEEPER_VERSION, from Debian's package (some seconds)"
  rm -rf "$folder"
  mkdir -p "$folder"
  (cd "$folder" && apt-get download --quiet zookeeper >/dev/null 2>&1 && dpkg-deb -x zookeeper_$ZOOKEEPER_VERSION-*.deb .) && [ -x "$script" ] \
    || fail "zkCli.sh $ZOOKEEPER_VERSION could not be had from Debian's package 'zookeeper'."
  mkdir -p "$folder/usr/share/zookeeper/libexec"
  sed "s|^CLASSPATH=.*|CLASSPATH=$(java_path zookeeper jline2 jansi1 slf4j-nop)|; s|^ZOO_LOG_DIR=.*|ZOO_LOG_DIR=$folder|" \
    "$folder/etc/zookeeper/conf_example/environment" >"$folder/usr/share/zookeeper/libexec/zkEnv.sh"
}

# java_path NAME...: these of Debian's jars as a class path.
java_path() {
  local jars
  printf -v jars ':/usr/share/java/%s.jar' "$@"
  echo "${jars#:}"
}

# setup_python FOLDER REQUIREMENTS: a Python of its own with just these packages.
setup_python() {
  local folder=$1 requirements=$2
  if cmp -s "$requirements" "$folder/installed"; then return; fi
  lock
  say "packages of PyPI for the clients in Python (half a minute)"
  rm -rf "$folder"
  has python3 && python3 -m venv "$folder" 2>/dev/null || { apt_install python3-venv && python3 -m venv --clear "$folder"; } \
    || fail "Python with its module 'venv' is missing, and apt-get could not install it."
  # what lies in PYTHONPATH would count as installed
  PYTHONPATH='' "$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary :all: --requirement "$requirements" </dev/null \
    || fail "pip could not install what $requirements names."
  cp "$requirements" "$folder/installed"
  unlock
}

# Two clones on one machine may be set up at the same time: one waits for the other.
lock() {
  mkdir -p "$CACHE"
  has flock || return 0
  exec 9>"$CACHE/lock"
  flock -n 9 || { say "waiting for another set-up to end"; flock 9; }
}
unlock() { exec 9>&-; }

# fetch_npm PACKAGE VERSION FOLDER FILE WHY: has one file of a package of npm's below FOLDER/node_modules, for a test.
fetch_npm() {
  local name=$1 version=$2 folder=$3 package=$3/node_modules/$1 file=$4 why=$5
  fetched() { grep -qs "\"version\": \"$version\"" "$package/package.json" && [ -f "$package/$file" ]; }
  if fetched; then return; fi
  has npm || fail "npm is missing, which fetches $name for $why: install Node.js (https://nodejs.org) and run this again."
  lock
  if fetched; then return; fi # another one that ran at the same time has fetched it
  say "$name $version, from npm (some seconds)"
  rm -rf "$folder"
  mkdir -p "$folder"
  # a package.json of its own: npm would look for one further up
  printf '{ "private": true }\n' >"$folder/package.json"
  npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund --no-package-lock --silent "$name@$version" \
    >/dev/null </dev/null || fail "npm could not fetch $name $version for $why: 'npm view $name' tells whether the registry is reached."
  fetched || fail "npm fetched $name, but $package is not what was expected."
}

# ---- the Rust target

# Whether the compiler that this checkout uses can build for the browser.
has_target() {
  local lib
  lib=$(rustc --print sysroot)/lib/rustlib/$TARGET/lib || return 1
  compgen -G "$lib/libstd[-.]*rlib" >/dev/null || return 1
  # a library that we built belongs to one compiler; an upgrade of that compiler makes it useless
  [ ! -f "$lib/zabscope-built-with" ] || [ "$(cat "$lib/zabscope-built-with")" = "$(rustc -vV)" ]
}

setup_target() {
  if has_target; then return; fi
  if has rustup; then
    say "Rust's target $TARGET, by rustup (some seconds)"
    if rustup target add $TARGET >/dev/null 2>&1 && has_target; then return; fi
    echo "    rustup cannot provide it here; Debian's packages may"
  fi
  setup_debian_target
}

setup_debian_target() {
  local lib=/usr/lib/rustlib/$TARGET/lib
  has apt-get || fail "Rust's target $TARGET is missing, and neither rustup nor apt-get can provide it here."
  if [ ! -x /usr/bin/rustc ] || [ ! -x /usr/bin/cargo-clippy ] \
    || [ "$(/usr/bin/rustc -vV)" != "$(cat $lib/zabscope-built-with 2>/dev/null)" ]; then
    timed "Debian's Rust compiler for web pages" "about 1 minute" apt_install "${DEBIAN_PACKAGES[@]}" \
      || fail "Rust's target $TARGET is missing, and Debian's packages ${DEBIAN_PACKAGES[*]} could not be installed (root and a Debian of 2026 are needed)."
    timed "the standard library for $TARGET, from its source" "1 to 3 minutes" build_debian_std $lib \
      || fail "the standard library for $TARGET could not be built from Debian's source."
  fi
  if has rustup; then
    rustup toolchain link $DEBIAN_TOOLCHAIN /usr
    rustup override set $DEBIAN_TOOLCHAIN --path "$ROOT" >/dev/null 2>&1
    echo "    this checkout now uses the toolchain '$DEBIAN_TOOLCHAIN' ('rustup override unset' undoes it)"
  fi
  hash -r
  has_target || fail "the standard library for $TARGET was built, but '$(command -v rustc)' does not find it."
}

# build_debian_std LIB: builds in a folder of its own and moves the result into place, whole, as the last thing.
build_debian_std() {
  local lib=$1 work=$CACHE/std
  rm -rf "$work"
  mkdir -p "$work/done"
  cp -rL /usr/lib/rustlib/src/rust/library "$work/library"
  (
    cd "$work/library"
    # /usr/bin first: rustup's cargo would take another compiler
    env -u RUSTUP_TOOLCHAIN PATH="/usr/bin:$PATH" CARGO_TARGET_DIR="$work/target" RUSTC_BOOTSTRAP=1 \
      RUSTFLAGS="-Zforce-unstable-if-unmarked -Cembed-bitcode=yes" \
      /usr/bin/cargo build --quiet --release --target $TARGET -p sysroot --no-default-features --locked
  ) || return 1
  cp "$work/target/$TARGET/release/deps"/*.rlib "$work/done/" || return 1
  /usr/bin/rustc -vV >"$work/done/zabscope-built-with" || return 1
  as_root mkdir -p "$(dirname "$lib")" && as_root rm -rf "$lib.new" && as_root cp -r "$work/done" "$lib.new" \
    && as_root rm -rf "$lib" && as_root mv "$lib.new" "$lib"
}

# as_root COMMAND...: only where that needs no question.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif has sudo && sudo -n true 2>/dev/null; then sudo -n "$@"; else return 1; fi
}

apt_install() {
  has apt-get || return 1
  # a broken list of some other vendor must not stop us, so only the installation decides
  as_root env DEBIAN_FRONTEND=noninteractive apt-get update >"$CACHE/apt.log" 2>&1 </dev/null || true
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" \
    >>"$CACHE/apt.log" 2>&1 </dev/null && return
  tail -n 5 "$CACHE/apt.log" >&2
  return 1
}

# ---- trunk and what it calls

has_trunk() { case "$(trunk --version 2>/dev/null)" in "trunk 0.2"[1-9].*) ;; *) return 1 ;; esac; }

setup_trunk() {
  if has_trunk; then return; fi
  local features=()
  if reaches_github; then
    timed "trunk $TRUNK_VERSION, its own release" "some seconds" fetch_trunk && has_trunk && return
    features=(--features rustls)
  fi
  # where it can download nothing anyway, it needs no cryptography, which takes a third of the time
  timed "trunk $TRUNK_VERSION, from source" "2 to 4 minutes" cargo_tool trunk $TRUNK_VERSION --locked --no-default-features ${features[@]+"${features[@]}"} \
    || fail "trunk could not be installed: 'cargo install trunk --version $TRUNK_VERSION --locked' tells why."
}

reaches_github() { curl --silent --head --fail --max-time 5 https://github.com >/dev/null 2>&1; }

# As its authors built it, for this machine, if they did.
fetch_trunk() {
  local system archive
  case "$(uname -s)" in Linux) system=unknown-linux-gnu ;; Darwin) system=apple-darwin ;; *) return 1 ;; esac
  archive=trunk-$(uname -m | sed 's/^arm64$/aarch64/')-$system.tar.gz
  mkdir -p "$CACHE/bin" "$CACHE/fetched"
  curl --silent --show-error --location --fail --max-time 120 --output "$CACHE/fetched/$archive" \
    "https://github.com/trunk-rs/trunk/releases/download/v$TRUNK_VERSION/$archive" \
    && tar -xzf "$CACHE/fetched/$archive" -C "$CACHE/fetched" trunk && "$CACHE/fetched/trunk" --version >/dev/null \
    && mv -f "$CACHE/fetched/trunk" "$CACHE/bin/trunk" && rm -rf "$CACHE/fetched" && hash -r
}

# trunk takes a tool from PATH if its version fits, and otherwise from its own cache, where it downloads to.
has_bindgen() { case "$(wasm-bindgen --version 2>/dev/null)" in "wasm-bindgen $BINDGEN_VERSION"*) ;; *) in_trunk_cache "wasm-bindgen-$BINDGEN_VERSION/wasm-bindgen" ;; esac; }
has_wasm_opt() { case "$(wasm-opt --version 2>/dev/null)" in "wasm-opt version $WASM_OPT_VERSION"*) ;; *) return 1 ;; esac; }
in_trunk_cache() { [ -x "${XDG_CACHE_HOME:-$HOME/.cache}/trunk/$1" ] || [ -x "$HOME/Library/Caches/dev.trunkrs.trunk/$1" ]; }

setup_bindgen() {
  if has_bindgen; then return; fi
  if reaches_github; then
    echo "    trunk will download wasm-bindgen in the first build"
    return
  fi
  timed "wasm-bindgen $BINDGEN_VERSION, from source" "about 1 minute" cargo_tool wasm-bindgen-cli "$BINDGEN_VERSION" --no-default-features \
    || fail "wasm-bindgen-cli could not be installed: 'cargo install wasm-bindgen-cli --version $BINDGEN_VERSION' tells why."
}

# What is needed for the page that travels, which is made small; scripts/serve does without.
setup_small_page() {
  setup_page
  setup_wasm_opt
}

setup_wasm_opt() {
  if has_wasm_opt; then return; fi
  has npm || fail "wasm-opt $WASM_OPT_VERSION is missing, and npm, which has it in its package 'binaryen', is missing too."
  say "wasm-opt $WASM_OPT_VERSION, from npm (some seconds)"
  # a folder of ours, so that no root is needed; bin/ of it is in PATH (above)
  npm install --global --prefix "$CACHE/npm" --silent "binaryen@$WASM_OPT_VERSION" >/dev/null </dev/null \
    || fail "npm could not install the package 'binaryen', which has wasm-opt."
  hash -r
  has_wasm_opt || fail "npm installed wasm-opt, but it does not run."
}

# ---- cargo's own commands

# Any that is not too old will do.
has_nextest() { case "$(cargo nextest --version 2>/dev/null)" in "cargo-nextest 0.9."[1-9][0-9][0-9]*) ;; *) return 1 ;; esac; }

setup_nextest() {
  if has_nextest; then return; fi
  setup_command nextest $NEXTEST_VERSION setup_wheel
  has_nextest || fail "cargo-nextest was installed, but 'cargo nextest' does not run."
}

# setup_command NAME VERSION HOW...: has `cargo NAME` in just this version, by setup_wheel, or by cargo_tool and its ARGS.
setup_command() {
  local command=$1 name=cargo-$1 version=$2 how=$3
  shift 3
  right() { case "$(cargo "$command" --version 2>/dev/null)" in "$name $version" | "$name $version"[[:space:]]*) ;; *) return 1 ;; esac; }
  if right; then return; fi
  lock
  if ! right; then # another one that ran at the same time may have installed it
    [ "$how" = setup_wheel ] || say "$name $version, from source (1 to 5 minutes)"
    "$how" "$name" "$version" "$@" || fail "$name could not be installed: 'cargo install $name --version $version $*' tells why."
    rm -rf "$CACHE/tools"
    hash -r
  fi
  unlock
}

# setup_wheel NAME VERSION: one of cargo's tools as PyPI has it compiled, which takes seconds. Astral makes these packages of the tools' own
# releases, and each names its tag and commit. Where pip is missing, or has none for this machine, the tool is compiled here.
setup_wheel() {
  local name=$1 version=$2 work=$CACHE/wheel
  say "$name $version, from PyPI (some seconds)"
  rm -rf "$work"
  mkdir -p "$work" "$CACHE/bin"
  # moved into place as the last thing, and only if it runs: a wheel may have been made for another C library
  if python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --dest "$work" \
    "astral-dev-toolchain-$name==$version" >/dev/null 2>&1 </dev/null \
    && python3 -m zipfile -e "$work"/*.whl "$work" && mv "$work"/*.data/scripts/"$name" "$work/$name" && chmod +x "$work/$name" \
    && "$work/$name" --version >/dev/null 2>&1 && mv -f "$work/$name" "$CACHE/bin/$name"; then
    rm -rf "$work"
    return
  fi
  rm -rf "$work"
  # an older one would be found first
  rm -f "$CACHE/bin/$name"
  echo "    PyPI cannot provide it here; from source (3 to 10 minutes)"
  cargo_tool "$name" "$version" --locked
}

# cargo_tool NAME VERSION ARGS...: most run for seconds, so none is worth a minute of the optimiser; TOOL_LEVEL says otherwise.
cargo_tool() {
  local name=$1 version=$2
  shift 2
  CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_OPT_LEVEL="${TOOL_LEVEL:-0}" CARGO_PROFILE_RELEASE_CODEGEN_UNITS=256 CARGO_PROFILE_RELEASE_STRIP=debuginfo \
    CARGO_TARGET_DIR="$CACHE/tools" cargo install --quiet --force "$name" --version "=$version" "$@"
}
