import { fileURLToPath } from 'node:url'
import { AREAS } from './areas.mjs'

/** Stryker's configuration. main.ts judges each area of the report separately. */
export default {
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  vitest: { configFile: fileURLToPath(new URL('./vitest.config.ts', import.meta.url)) },
  mutate: Object.values(AREAS).flat(),
  ignorePatterns: ['**/target', '**/dist', '.git', '.sotto', 'wasm', 'bench', 'sim'],
  ignoreStatic: true,
  coverageAnalysis: 'perTest',
  concurrency: 1,
  tempDirName: '.sotto/mutation',
  cleanTempDir: 'always',
  reporters: ['clear-text', 'progress-append-only', 'json'],
  jsonReporter: { fileName: '.sotto/mutation-report.json' },
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 90, break: null },
  allowEmpty: false,
}
