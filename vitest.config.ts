import { defineConfig } from 'vitest/config'

/** Tests that take long for what they find in a usual change: `npm run test:long`, and the full CI. */
const LONG = '**/*.long.test.ts'

const NOT_OURS = ['**/node_modules/**', '**/dist/**', '**/target/**', 'tools/fixtures/**']

const everyTest = [
  'packages/*/**/*.test.ts',
  'testing/**/*.test.ts',
  'tools/**/*.test.ts',
  'demo/**/*.test.ts',
  'examples/**/*.test.ts',
  'sim/**/*.test.ts',
  'bench/**/*.test.ts',
  'circuit/**/*.test.ts',
  'program/tests/**/*.test.ts',
  'deploy/**/*.test.ts',
]

/** How the usual or the long tests are run. */
export const runTests = (which: 'usual' | 'long') =>
  defineConfig({
    test: {
      include: which === 'long' ? [LONG] : everyTest,
      exclude: which === 'long' ? NOT_OURS : [...NOT_OURS, LONG],
      globalSetup: ['packages/server/tests/share-postgres.ts'],
      // What program/ERRORS.md says of a test is held against what the test provokes.
      setupFiles: ['program/tests/fixtures/watch-errors.ts'],
      // Longer than a proof, a database's first start and a busy two-core machine together; no test
      // waits this long for something to happen, so reaching it means that something hangs.
      testTimeout: 180_000,
      hookTimeout: 240_000,
      // Most of the long files wait for a local chain's slots. A file may hold an embedded database of
      // almost one gigabyte: four at a time fit where Node's tests are run at all.
      maxWorkers: 4,
      // A process takes one test file after the other: loading every module again for each file costs as
      // much processor time as half of the tests. A test that replaces a module loads its subject itself.
      isolate: false,
      // A pattern that matches nothing must not look like success.
      passWithNoTests: false,
    },
  })

export default runTests('usual')
