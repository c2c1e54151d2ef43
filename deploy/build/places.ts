/**
 * The files that the service's code opens by their paths in the sources. Each key is a path from the repository's
 * root, and its value is the path in the built folder. The code must not open files that aren't listed here.
 */
export const PLACES: Readonly<Record<string, string>> = {
  'packages/server/package.json': 'server/package.json',
  'packages/server/migrations': 'server/migrations',
  'packages/poseidon/src/poseidon.wasm': 'server/poseidon/poseidon.wasm',
  'packages/poseidon/src/poseidon-module.mjs': 'server/poseidon/poseidon-module.mjs',
  'packages/poseidon/src/level-thread.mjs': 'server/poseidon/level-thread.mjs',
  // The pages must be built before they are copied from this folder.
  'packages/web/dist': 'web',
  // A separate program under the GPL. It is copied unchanged, started as a process, and never bundled.
  'packages/prover/package.json': 'prover/package.json',
  'packages/prover/LICENSE': 'prover/LICENSE',
  'packages/prover/README.md': 'prover/README.md',
  'packages/prover/sotto-prover.mjs': 'prover/sotto-prover.mjs',
  'packages/prover/src': 'prover/src',
  'packages/prover/wasm': 'prover/wasm',
  'packages/prover/native': 'prover/native',
  'packages/prover/witness': 'prover/witness',
  'packages/prover/artefacts': 'prover/artefacts',
  'packages/prover/artefacts/vkey.json': 'prover/artefacts/vkey.json',
  'deploy/healthcheck.mjs': 'healthcheck.mjs',
  LICENSE: 'LICENSE',
  // The licence terms of the crates in the WebAssembly modules of server and prover. The terms of the packages in a
  // page are in that page's folder.
  'wasm/THIRD-PARTY-LICENSES.txt': 'THIRD-PARTY-LICENSES.txt',
}

/** The file with the service and the operator's commands. */
export const SERVER_FILE = 'server/sotto-server.mjs'
/** The file with the hash of this release's program, in the format of `sha256sum --check`. */
export const PROGRAM_HASH_FILE = 'program/sotto_program.so.sha256'
