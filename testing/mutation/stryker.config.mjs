import { fileURLToPath } from 'node:url'

/**
 * Changes the code that money, quotes and states hang on, one small change at a time, and asks whether a
 * test notices. Reports the share that was noticed; under the bar the run fails.
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  vitest: { configFile: fileURLToPath(new URL('./vitest.config.ts', import.meta.url)) },
  mutate: [
    'packages/server/src/domain/{fees,tariff,limits,rent}.ts',
    'packages/server/src/domain/{order-state,lease,delivery-schedule}.ts',
    'packages/server/src/domain/{canonical-json,quote-id}.ts',
    'packages/sdk/src/verify/*.ts',
    // Reads the chain: its tests need a node, and a start of one for each change.
    '!packages/sdk/src/verify/chain-facts.ts',
  ],
  ignorePatterns: ['**/target', '.git', '.sotto', 'wasm', 'bench', 'sim'],
  ignoreStatic: true,
  coverageAnalysis: 'perTest',
  concurrency: 2,
  tempDirName: '.sotto/mutation',
  cleanTempDir: 'always',
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 90, break: 85 },
  allowEmpty: false,
}
