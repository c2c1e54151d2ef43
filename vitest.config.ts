import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: [
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
    ],
    exclude: ['**/node_modules/**', '**/dist/**', '**/target/**', 'tools/fixtures/**'],
    // What program/ERRORS.md says of a test is held against what the test provokes.
    setupFiles: ['program/tests/fixtures/watch-errors.ts'],
    // Longer than a proof, a database's first start and a busy two-core machine together; no test
    // waits this long for something to happen, so reaching it means that something hangs.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Most of the long files wait for a local chain's slots. A file may hold an embedded database of
    // almost one gigabyte: four at a time fit where Node's tests are run at all.
    maxWorkers: 4,
    // A pattern that matches nothing must not look like success.
    passWithNoTests: false,
  },
})
