import { defineConfig } from 'vitest/config'

/** The tests that hold what is mutated, and no other: those that reach a change are run again for it. */
export default defineConfig({
  test: {
    include: [
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
