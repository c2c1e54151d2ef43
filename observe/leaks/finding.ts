/** The kinds of leaks that a service can have. */
export const LEAKS = [
  'fifo',
  'fixed-delay',
  'relayer',
  'unit-budget',
  'fee',
  'early-root',
  'deadline-second',
  'public-time',
  'change-form',
  'payload-form',
  'random-form',
] as const
export type LeakName = (typeof LEAKS)[number]

/** A fact that the chain shows but should hide. */
export interface Finding {
  readonly leak: LeakName
  /** The observation, in one sentence. */
  readonly seen: string
  /** The chance of such an observation without a leak; 0 if it is impossible. */
  readonly chance: number
}

/**
 * A finding whose chance is higher than this isn't reported. The limit is low, because about sixty tests are made, and
 * each can be wrong.
 */
export const CHANCE_MAX = 2e-4
