/** What can be wrong with what a service shows. */
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

/** Something that the chain shows and should not. */
export interface Finding {
  readonly leak: LeakName
  /** What was seen, in one sentence. */
  readonly seen: string
  /** The chance of seeing as much without a leak; 0 if it can't happen. */
  readonly chance: number
}

/**
 * Findings that are more probable than this by chance aren't reported: about sixty tests are made, and each can be
 * wrong.
 */
export const CHANCE_MAX = 2e-4
