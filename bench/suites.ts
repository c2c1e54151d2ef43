import type { Suite } from './suite.ts'

/** The suites. Each suite is loaded only when it is needed, because some suites need a built program or a prover. */
export const SUITES: Readonly<Record<string, () => Promise<Suite>>> = {
  program: async () => (await import('./program/suite.ts')).programSuite,
  cost: async () => (await import('./cost/suite.ts')).costSuite,
  start: async () => (await import('./start/suite.ts')).startSuite,
  memory: async () => (await import('./memory/suite.ts')).memorySuite,
  growth: async () => (await import('./growth/suite.ts')).growthSuite,
  http: async () => (await import('./http/suite.ts')).httpSuite,
  prover: async () => (await import('./prover/suite.ts')).proverSuite,
  settlement: async () => (await import('./settlement/suite.ts')).settlementSuite,
  balances: async () => (await import('./balances/suite.ts')).balancesSuite,
  following: async () => (await import('./following/suite.ts')).followingSuite,
  recovery: async () => (await import('./recovery/suite.ts')).recoverySuite,
  privacy: async () => (await import('./privacy/suite.ts')).privacySuite,
  tree: async () => (await import('./tree/suite.ts')).treeSuite,
}
