import type { Suite } from './suite.ts'

/** Loaded when asked for: a suite may need a built program or prover that another does without. */
export const SUITES: Readonly<Record<string, () => Promise<Suite>>> = {
  http: async () => (await import('./http/suite.ts')).httpSuite,
  prover: async () => (await import('./prover/suite.ts')).proverSuite,
  settlement: async () => (await import('./settlement/suite.ts')).settlementSuite,
  tree: async () => (await import('./tree/suite.ts')).treeSuite,
}
