# Sourced by scripts/serve and scripts/test: finds what is missing and installs it.
#
# The ordinary way comes first: rustup fetches the wasm32 target, trunk fetches wasm-bindgen and wasm-opt. Where that is
# impossible (a machine that reaches only package registries): Debian's rustc with the standard library built from
# source, the tools from crates.io and npm. Everything can be interrupted and run again: what is half done does not count.

TARGET=wasm32-unknown-unknown
TRUNK_VERSION=0.21.14
DEBIAN_TOOLCHAIN=zabscope-debian
DEBIAN_PACKAGES=(rustc-web cargo-web rust-web-src rust-web-llvm rust-web-clippy rustfmt-web lld-22)

say() { printf '\033[1m==> %s\033[0m\n' "$*"; }
fail() { printf 'zabscope: %s\n' "$*" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

# as_root COMMAND...: only without a question.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif has sudo && sudo -n true 2>/dev/null; then sudo -n "$@"; else return 1; fi
}

apt_install() {
  has apt-get || return 1
  local log
  log=$(mktemp)
  if ! { as_root env DEBIAN_FRONTEND=noninteractive apt-get update \
    && as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; } >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
}

# Whether the cargo that this checkout uses can build for the browser.
has_target() {
  local sysroot
  sysroot=$(rustc --print sysroot) || return 1
  ls "$sysroot"/lib/rustlib/$TARGET/lib/libstd-*.rlib >/dev/null 2>&1 || return 1
  # a library built from source belongs to one compiler; an upgrade of that compiler makes it useless
  local stamp="$sysroot/lib/rustlib/$TARGET/zabscope-built-with"
  [ ! -f "$stamp" ] || [ "$(cat "$stamp")" = "$(rustc -V)" ]
}

setup_target() {
  has cargo || fail "cargo is missing: install Rust from https://rustup.rs and run this again."
  has_target && return
  if has rustup; then
    say "Rust's $TARGET target, by rustup (some seconds)"
    if rustup target add $TARGET 2>/dev/null && has_target; then return; fi
    echo "    not to be had by rustup here"
  fi
  setup_debian_target
}

setup_debian_target() {
  has apt-get || fail "the Rust target $TARGET is missing, and neither rustup nor apt-get can provide it here."
  say "Debian's Rust compiler for the web (about 1 minute)"
  apt_install "${DEBIAN_PACKAGES[@]}" || fail "the packages ${DEBIAN_PACKAGES[*]} could not be installed (are you root?)."
  local lib=/usr/lib/rustlib/$TARGET stamp
  stamp=$lib/zabscope-built-with
  if [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$(/usr/bin/rustc -V)" ]; then
    say "the standard library for $TARGET, from source (about 2 minutes)"
    build_debian_std "$lib" || fail "the standard library for $TARGET could not be built."
  fi
  if has rustup; then
    rustup toolchain link $DEBIAN_TOOLCHAIN /usr
    rustup override set $DEBIAN_TOOLCHAIN --path "$ROOT" 2>/dev/null
  fi
  hash -r
  has_target || fail "the Rust target $TARGET was built, but $(rustc -V) does not find it."
}

# build_debian_std DIR: builds in a folder of its own and moves the result into place as the last thing.
build_debian_std() {
  local lib=$1 work
  work=$(mktemp -d)
  cp -rL /usr/lib/rustlib/src/rust/library "$work/library"
  (
    cd "$work/library"
    env -u RUSTUP_TOOLCHAIN PATH="/usr/bin:$PATH" CARGO_TARGET_DIR="$work/target" RUSTC_BOOTSTRAP=1 \
      RUSTFLAGS="-Zforce-unstable-if-unmarked -Cembed-bitcode=yes" \
      /usr/bin/cargo build --release --target $TARGET -p sysroot --no-default-features --locked --quiet
  ) || return 1
  as_root mkdir -p "$lib"
  as_root rm -rf "$lib/lib.new"
  as_root cp -r "$work/target/$TARGET/release/deps" "$lib/lib.new"
  as_root find "$lib/lib.new" -type f ! -name '*.rlib' -delete
  as_root rm -rf "$lib/lib"
  as_root mv "$lib/lib.new" "$lib/lib"
  /usr/bin/rustc -V | as_root tee "$lib/zabscope-built-with" >/dev/null
  rm -rf "$work"
}

# cargo_tool NAME VERSION ARGS...: quick to compile matters more here than a quick tool.
cargo_tool() {
  local name=$1 version=$2
  shift 2
  CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
    CARGO_TARGET_DIR="${TMPDIR:-/tmp}/zabscope-tools" cargo install --quiet "$name" --version "=$version" "$@"
}

# Whether trunk can fetch wasm-bindgen and wasm-opt itself, from the pages where they are released.
trunk_downloads() { has curl && curl --silent --head --fail --max-time 5 https://github.com >/dev/null 2>&1; }

setup_trunk() {
  if ! has trunk; then
    say "trunk $TRUNK_VERSION, from source (4 to 10 minutes)"
    cargo_tool trunk $TRUNK_VERSION --locked --no-default-features --features rustls \
      || fail "trunk $TRUNK_VERSION could not be installed: 'cargo install trunk' tells why."
  fi
  local bindgen found
  bindgen=$(sed -n '/^name = "wasm-bindgen"$/{n;s/version = "\(.*\)"/\1/p}' "$ROOT/Cargo.lock")
  found=$(wasm-bindgen --version 2>/dev/null || true)
  if [ "$found" = "wasm-bindgen $bindgen" ] && has wasm-opt; then return; fi
  if trunk_downloads; then return; fi
  if [ "$found" != "wasm-bindgen $bindgen" ]; then
    say "wasm-bindgen $bindgen, from source (2 to 3 minutes)"
    cargo_tool wasm-bindgen-cli "$bindgen" --no-default-features --force \
      || fail "wasm-bindgen-cli $bindgen could not be installed."
  fi
  if ! has wasm-opt; then
    has npm || fail "wasm-opt is missing, and npm, which has it in its package 'binaryen', is missing too."
    say "wasm-opt, from npm (some seconds)"
    as_root npm install --global --silent binaryen@132 >/dev/null || fail "npm could not install binaryen."
  fi
}

setup_browser() {
  if has chromedriver && { has chromium || has google-chrome; }; then return; fi
  say "Chromium and its driver (about 1 minute)"
  apt_install chromium chromium-driver fonts-noto-cjk \
    || fail "chromedriver is missing: install Chrome or Chromium and its driver for the browser tests."
}

# This checkout uses Debian's compiler where that is the one with the target: another clone may have set it up.
select_toolchain() {
  if has rustup && ! has_target && rustup toolchain list | grep -q "^$DEBIAN_TOOLCHAIN"; then
    rustup override set $DEBIAN_TOOLCHAIN --path "$ROOT" 2>/dev/null
  fi
}

setup_page() {
  # ~/.cargo/bin is where the tools land; a shell that never saw rustup's profile does not have it
  case ":$PATH:" in *":$HOME/.cargo/bin:"*) ;; *) PATH="$HOME/.cargo/bin:$PATH" ;; esac
  select_toolchain
  setup_target
  setup_trunk
}
