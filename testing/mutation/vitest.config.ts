import { defineConfig } from 'vitest/config'

/** Runs only the tests of mutated files. For each mutant, Stryker repeats the tests that reach the changed code. */
export default defineConfig({
  test: {
    include: [
      'packages/protocol/tests/rent.test.ts',
      'packages/server/src/domain/*.test.ts',
      'packages/server/src/settlement/pay/next-step.test.ts',
      'packages/server/src/usecases/quote/verify-quote.test.ts',
      'testing/mutation/attack-placed-orders.ts',
    ],
    globalSetup: 'testing/mutation/honest-orders.ts',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    passWithNoTests: false,
  },
})
