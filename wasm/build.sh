#!/usr/bin/env bash
# Builds this folder's code into the packages that use it: the WebAssembly modules, and the
# executable for Linux on x86-64.
#
# Needs rustc and cargo 1.96 with the source of the standard library, LLVM's linker, musl, and gcc 12.
# gcc is needed because the standard library always links gcc's unwinder:
#   apt-get install rustc-web cargo-web rust-web-src lld-22 musl-dev libgcc-12-dev
# The variables RUSTC and CARGO can name other executables.
#
# The same sources give the same bytes in any folder. For this, the script replaces every path that would enter the
# bytes, and Cargo.lock fixes the versions of all crates. `bash wasm/build.sh --check` only compares with the committed
# files.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

export RUSTC="${RUSTC:-/usr/bin/rustc}"
cargo="${CARGO:-/usr/bin/cargo}"
# Building the standard library needs unstable features. A stable compiler allows them only with this variable.
export RUSTC_BOOTSTRAP=1
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"

# Fetches the crates first, because their folder's path must exist to be replaced.
"$cargo" fetch --locked --quiet
remap="--remap-path-prefix=$PWD=/sotto --remap-path-prefix=$("$RUSTC" --print sysroot)=/rust"
for registry in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/; do
  remap+=" --remap-path-prefix=${registry%/}=/crates"
done

place() {
  if [ "${1:-}" = "--check" ]; then cmp "$2" "$3"; else install -D -m "$4" "$2" "$3"; fi
}

RUSTFLAGS="-C panic=abort -Z unstable-options -C linker=wasm-ld-22 -C linker-flavor=wasm-lld $remap" \
  "$cargo" build --locked --release --target wasm32-unknown-unknown \
  -p sotto-groth16 -p sotto-poseidon -Z build-std=core,alloc -Z build-std-features=compiler-builtins-mem
built="$CARGO_TARGET_DIR/wasm32-unknown-unknown/release"
place "${1:-}" "$built/sotto_poseidon.wasm" ../packages/poseidon/src/poseidon.wasm 644
place "${1:-}" "$built/sotto_groth16.wasm" ../packages/prover/wasm/groth16.wasm 644

# Uses musl's own start files. A compiler driver would add start files of this machine instead.
musl=/usr/lib/x86_64-linux-musl
libraries="$CARGO_TARGET_DIR/libraries"
mkdir -p "$libraries"
cp /usr/lib/gcc/x86_64-linux-gnu/12/libgcc_eh.a "$libraries/libunwind.a"
flags="-C panic=abort -C target-feature=+crt-static -C relocation-model=static -C link-self-contained=no"
flags+=" -C linker=ld.lld-22 -C linker-flavor=ld.lld -L $musl -L $libraries"
for start in crt1.o crti.o crtn.o; do flags+=" -C link-arg=$musl/$start"; done
RUSTFLAGS="$flags $remap" "$cargo" build --locked --release --target x86_64-unknown-linux-musl \
  -p sotto-groth16-native -Z build-std=std,panic_abort -Z build-std-features=compiler-builtins-mem
place "${1:-}" "$CARGO_TARGET_DIR/x86_64-unknown-linux-musl/release/sotto-groth16" \
  ../packages/prover/native/linux-x64/sotto-groth16 755
