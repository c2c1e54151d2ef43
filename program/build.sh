#!/usr/bin/env bash
# Builds the on-chain program into artefacts/sotto_program.so and prints its SHA-256.
#
# Needs rustc and cargo 1.96 with the source of the standard library, LLVM 22, and sbpf-linker 0.2.6:
#   apt-get install rustc-web cargo-web rust-web-src llvm-22-dev
# (verify/debian-packages.ts has their exact versions)
#   LLVM_PREFIX=/usr/lib/llvm-22 LLVM_SYS_221_PREFIX=/usr/lib/llvm-22 \
#     RUSTFLAGS="-L native=/usr/lib/llvm-22/lib" \
#     cargo install sbpf-linker@0.2.6 --locked --no-default-features --features bpf-linker/llvm-22
# The variables RUSTC and CARGO select other compilers. The same sources give the same bytes in any folder. For this,
# the script replaces every path that would enter the binary, and Cargo.lock fixes the versions of all crates.
#
# `npm run program:verify` does all of this and compares the result with the recorded build. With `-- --builder sbf`, it
# builds with `cargo build-sbf` from Anza's platform tools instead. That build gives other bytes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

export RUSTC="${RUSTC:-/usr/bin/rustc}"
cargo="${CARGO:-/usr/bin/cargo}"
# Building the standard library and reading a target description are unstable features. A stable compiler allows them
# only with this variable.
export RUSTC_BOOTSTRAP=1
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target}"

# The crates are fetched first, because their folder must exist before its path can be replaced.
"$cargo" fetch --locked --quiet
remap="--remap-path-prefix=$PWD=/sotto --remap-path-prefix=$("$RUSTC" --print sysroot)=/rust"
for registry in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/; do
  remap+=" --remap-path-prefix=${registry%/}=/crates"
done
# Two of these flags state facts about the chain's virtual machine: a call frame has 4,096 bytes, and reads and writes
# need no alignment.
export RUSTFLAGS="-C linker=sbpf-linker -C panic=abort -C relocation-model=static \
  -C target-feature=+allows-misaligned-mem-access -C link-arg=--llvm-args=-bpf-stack-size=4096 $remap"

# Builds only the shared object. If a Rust library were built too, the shared object would be linked without link-time
# optimisation. It would then keep parts of the standard library that don't compile for this target.
"$cargo" rustc --lib --crate-type cdylib --locked --release --target ./sbpf-target.json \
  -Z build-std=core,alloc -Z build-std-features=compiler-builtins-mem -Z json-target-spec

mkdir -p artefacts
cp "$CARGO_TARGET_DIR/sbpf-target/release/libsotto_program.so" artefacts/sotto_program.so
cd artefacts
sha256sum sotto_program.so | tee sotto_program.so.sha256
