#!/usr/bin/env bash
# Builds the WebAssembly modules of this folder into the packages that use them.
#
# Needs rustc and cargo 1.96 with the source of the standard library, and LLVM's linker:
#   apt-get install rustc-web cargo-web rust-web-src lld-22
# RUSTC and CARGO name other ones. The same sources give the same bytes in any folder: every path that
# would enter a module is replaced, and the versions of all crates are locked.
# `bash wasm/build.sh --check` builds into a temporary folder and compares with the committed modules.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

export RUSTC="${RUSTC:-/usr/bin/rustc}"
cargo="${CARGO:-/usr/bin/cargo}"
# Building the standard library needs unstable features, which a stable compiler allows only this way.
export RUSTC_BOOTSTRAP=1
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"

# Fetched first, so that the crates' folder is there to be renamed.
"$cargo" fetch --locked --quiet
remap="--remap-path-prefix=$PWD=/sotto --remap-path-prefix=$("$RUSTC" --print sysroot)=/rust"
for registry in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/; do
  remap+=" --remap-path-prefix=${registry%/}=/crates"
done
export RUSTFLAGS="-C panic=abort $remap"

"$cargo" build --locked --release --target wasm32-unknown-unknown \
  -Z build-std=core,alloc -Z build-std-features=compiler-builtins-mem

built="$CARGO_TARGET_DIR/wasm32-unknown-unknown/release"
place() {
  if [ "${1:-}" = "--check" ]; then cmp "$2" "$3"; else install -m 644 "$2" "$3"; fi
}
place "${1:-}" "$built/sotto_poseidon.wasm" ../packages/server/src/adapters/poseidon/poseidon.wasm
place "${1:-}" "$built/sotto_groth16.wasm" ../packages/prover/wasm/groth16.wasm
