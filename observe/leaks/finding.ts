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
  'failed-payee',
] as const
export type LeakName = (typeof LEAKS)[number]

/** A fact that the chain shows but should hide. */
export interface Finding {
  readonly leak: LeakName
  /** The observation, in one sentence. */
  readonly seen: string
  /**
   * The probability of this observation for a service without a leak; 0 if the observation would then be impossible.
   */
  readonly chance: number
}

/**
 * A finding is reported only if its probability is at most this. The limit is low, because dozens of tests run, and
 * each test can raise a false alarm.
 */
export const CHANCE_MAX = 2e-4
