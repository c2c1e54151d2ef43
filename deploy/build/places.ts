/**
 * The files that the service's code opens by their paths in the sources. The map gives for each path from the
 * repository's root its path in the built folder. The code must not open files that aren't listed here.
 */
export const PLACES: Readonly<Record<string, string>> = {
  'packages/server/package.json': 'server/package.json',
  'packages/server/migrations': 'server/migrations',
  'packages/poseidon/src/poseidon.wasm': 'server/poseidon/poseidon.wasm',
  'packages/poseidon/src/poseidon-module.mjs': 'server/poseidon/poseidon-module.mjs',
  'packages/poseidon/src/level-thread.mjs': 'server/poseidon/level-thread.mjs',
  // The pages are built before they are copied.
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
  // The licence terms of the crates in the modules of server and prover. Each page's folder has the terms of its
  // packages.
  'wasm/THIRD-PARTY-LICENSES.txt': 'THIRD-PARTY-LICENSES.txt',
}

/** The service and its operator's commands, in one file. */
export const SERVER_FILE = 'server/sotto-server.mjs'
/** The file with the hash of this release's program, in the form that `sha256sum --check` reads. */
export const PROGRAM_HASH_FILE = 'program/sotto_program.so.sha256'
