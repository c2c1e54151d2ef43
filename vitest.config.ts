import { defineConfig } from 'vitest/config'
import { HUNG_MS } from './testing/patience/hung.ts'
import { LongFirst } from './testing/sequence/long-first.ts'

/** Tests that take long and rarely fail. Only `npm run test:long` and the full CI run execute them. */
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

/** The configuration for the usual tests or for the long tests. */
export const runTests = (which: 'usual' | 'long') =>
  defineConfig({
    test: {
      include: which === 'long' ? [LONG] : everyTest,
      exclude: which === 'long' ? NOT_OURS : [...NOT_OURS, LONG],
      globalSetup: [
        'packages/server/tests/share-postgres.ts',
        'testing/programs/share-programs.ts',
      ],
      // program/ERRORS.md states which error each test provokes. This set-up file compares these statements with the
      // errors that really occur.
      setupFiles: ['program/tests/fixtures/watch-errors.ts'],
      // On a busy machine, a test takes many times longer. So the limits are high, and only a test that hangs reaches
      // them.
      testTimeout: 2 * HUNG_MS,
      hookTimeout: 2 * HUNG_MS,
      expect: { poll: { timeout: HUNG_MS } },
      // More test files run at the same time than the machine has cores, because most of the long files wait for a
      // local chain's slots. A test file with its service and its chain needs up to one gigabyte of memory.
      maxWorkers: 6,
      sequence: { sequencer: LongFirst },
      // One process runs several test files one after the other, and they share the loaded modules. Loading every
      // module again for each file would take as much processor time as half of the tests. So a test that replaces a
      // module must load the module under test itself.
      isolate: false,
      // Most garbage is young, so fewer and larger collections of the young generation take less time.
      execArgv: ['--max-semi-space-size=64'],
      // A pattern that matches no file must not count as success.
      passWithNoTests: false,
    },
  })

export default runTests('usual')
