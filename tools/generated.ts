/**
 * Committed files that a program writes. `npm run check` runs each command in the repository's root. The check fails if
 * a command fails, or if a file afterwards differs from the committed file. A command must write the same bytes on
 * every machine, with only Node and the installed packages. If writing takes too long for a check, `command` only
 * compares the files. Then `writer` is the command to run after a change.
 */
export type Generated = { command: [string, ...string[]]; files: string[]; writer?: string }

export const generated: Generated[] = [
  {
    // `command` only compares. Writing takes a minute, because it first verifies all contributions to the key.
    command: ['node', '--import', 'tsx', 'circuit/generate-vk.ts', '--check'],
    files: ['program/src/vk.rs'],
    writer: 'npx tsx circuit/generate-vk.ts',
  },
  {
    command: ['node', '--import', 'tsx', 'circuit/generate-ceremony-check.ts'],
    files: ['packages/prover/src/generated/ceremony-check.mjs'],
  },
  {
    // `command` only compares, because writing compiles the circuit twice. A test compares the witnesses of the
    // generated program with the witnesses of circom's generator.
    command: ['node', '--import', 'tsx', 'circuit/generate-witness-program.ts', '--check'],
    files: ['packages/prover/src/generated/witness-program-hash.mjs'],
    writer: 'npx tsx circuit/generate-witness-program.ts',
  },
  {
    command: ['node', '--import', 'tsx', 'program/generate-client.ts'],
    files: [
      'packages/protocol/src/program/generated/constants.ts',
      'packages/protocol/src/program/generated/error-codes.ts',
    ],
  },
  {
    command: ['node', '--import', 'tsx', 'program/generate-idl.ts'],
    files: ['program/idl.json'],
  },
  {
    command: ['node', '--import', 'tsx', 'program/generate-vectors.ts'],
    files: ['vectors/program.json'],
  },
  {
    command: ['node', '--import', 'tsx', 'packages/contract/generate-openapi.ts'],
    files: ['packages/contract/openapi.json'],
  },
  {
    command: ['node', '--import', 'tsx', 'packages/server/src/operator/generate-schema.ts'],
    files: ['packages/server/migrations/schema.sql'],
  },
  {
    command: ['node', '--import', 'tsx', 'packages/server/src/config/generate-docs.ts'],
    files: ['docs/configuration.md'],
  },
  {
    command: ['node', '--import', 'tsx', 'packages/contract/generate-published.ts'],
    files: ['packages/contract/published.txt'],
  },
  {
    command: ['node', '--import', 'tsx', 'packages/server/src/operator/generate-metrics.ts'],
    files: ['docs/metrics.md'],
  },
  {
    command: ['node', '--import', 'tsx', 'deploy/grafana/generate.ts'],
    files: ['deploy/grafana/sotto.json'],
  },
  {
    command: ['node', '--import', 'tsx', 'bench/generate-performance.ts'],
    files: ['docs/performance.md'],
  },
]
