import { LICENCES_FILE } from '../../packages/web/index.ts'
import type { PublishedName } from './packages.ts'

export interface Contents {
  /**
   * Patterns for the files of the tarball. `?` stands for one character of a name. `*` stands for any part of a name,
   * such as a hash. `**` stands for any path. Each pattern must match at least one file, and each file must match a
   * pattern.
   */
  readonly listed: readonly string[]
  /** The maximum size of the tarball. */
  readonly maxKilobytes: number
}

/** Files that every package has. `LICENCES_FILE` is one of them, because every package contains third-party code. */
const EVERY = ['package.json', 'README.md', 'LICENSE', LICENCES_FILE]
const HASHES = ['poseidon.wasm', 'poseidon-module.mjs', 'level-thread.mjs'].map(
  (name) => `poseidon/${name}`,
)

/** The permitted contents of each published package. `npm run check -- packages` compares them with npm's tarballs. */
export const CONTENTS: Readonly<Record<PublishedName, Contents>> = {
  sdk: {
    listed: [
      ...EVERY,
      ...['index.js', 'server.js', 'wallet.js', 'balance.js', 'node.js', 'shared/chunk-*.js'],
      ...['contract', 'protocol', 'recovery', 'sdk'].map((name) => `types/${name}/**.d.ts`),
    ],
    maxKilobytes: 160,
  },
  cli: {
    listed: [...EVERY, ...HASHES, 'code/sotto.mjs', 'code/*-????????.mjs'],
    maxKilobytes: 240,
  },
  server: {
    listed: [
      ...[...EVERY, ...HASHES, 'code/sotto-server.mjs'],
      ...['migrations/????_*.sql', 'migrations/schema.sql'],
      ...['console.js', 'console.css', 'runbook-*.html'].map((name) => `web/console/${name}`),
      ...['send.js', 'send.css', 'test-wallet.js', 'chunk-*.js'].map((name) => `web/send/${name}`),
      ...['web/*/index.html', 'web/*/icon.svg', `web/*/${LICENCES_FILE}`],
      ...['swagger-ui-bundle.js', 'swagger-ui.css'].map((name) => `viewer/${name}`),
      ...['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'].map((name) => `viewer/${name}`),
    ],
    maxKilobytes: 1_160,
  },
  prover: {
    listed: [
      ...[...EVERY, 'sotto-prover.mjs', 'bin/sotto-prover', 'src/*.mjs'],
      ...['ceremony-check.mjs', 'witness-program-hash.mjs'].map((name) => `src/generated/${name}`),
      ...['manifest.json', 'settle.wasm', 'settle.zkey', 'vkey.json'].map(
        (name) => `artefacts/${name}`,
      ),
      ...['wasm/groth16.wasm', 'native/linux-x64/sotto-groth16', 'witness/settle.program'],
    ],
    maxKilobytes: 8_800,
  },
  local: {
    listed: [
      ...[...EVERY, 'code/sotto-local.mjs', 'code/localnet.mjs', 'code/die-with-parent.mjs'],
      ...['program/sotto_program.so', 'program/sotto_program.so.sha256'],
    ],
    maxKilobytes: 150,
  },
}
