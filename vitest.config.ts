import { defineConfig } from 'vitest/config'
import { HUNG_MS } from './testing/patience/hung.ts'
import { LongFirst } from './testing/sequence/long-first.ts'

/** Tests that are too slow for how rarely they fail. `npm run test:long` and the full CI run them. */
const LONG = '**/*.long.test.ts'

const NOT_OURS = ['**/node_modules/**', '**/dist/**', '**/target/**', 'tools/fixtures/**']

const everyTest = [
  'packages/*/**/*.test.ts',
  'testing/**/*.test.ts',
  'tools/**/*.test.ts',
  'demo/**/*.test.ts',
  'examples/**/*.test.ts',
  'sim/**/*.test.ts',
  'observe/**/*.test.ts',
  'bench/**/*.test.ts',
  'circuit/**/*.test.ts',
  'program/tests/**/*.test.ts',
  'deploy/**/*.test.ts',
  'e2e/**/*.test.ts',
]

/** The configuration for the usual or the long tests. */
export const runTests = (which: 'usual' | 'long') =>
  defineConfig({
    test: {
      include: which === 'long' ? [LONG] : everyTest,
      exclude: which === 'long' ? NOT_OURS : [...NOT_OURS, LONG],
      globalSetup: [
        'packages/server/tests/share-postgres.ts',
        'testing/programs/share-programs.ts',
      ],
      // Compares what program/ERRORS.md states about a test with the errors that the test provokes.
      setupFiles: ['program/tests/fixtures/watch-errors.ts'],
      // A busy machine makes a test many times as long, so only a test that hangs reaches these limits.
      testTimeout: 2 * HUNG_MS,
      hookTimeout: 2 * HUNG_MS,
      expect: { poll: { timeout: HUNG_MS } },
      // Most of the long files wait for a local chain's slots, so more of them than there are cores run at a time. A
      // file with its service and its chain has up to one gigabyte.
      maxWorkers: 6,
      sequence: { sequencer: LongFirst },
      // A process runs several test files in turn, because loading every module again for each file costs as much
      // processor time as half of the tests. A test that replaces a module loads its subject itself.
      isolate: false,
      // A pattern that matches no file must not count as success.
      passWithNoTests: false,
    },
  })

export default runTests('usual')
