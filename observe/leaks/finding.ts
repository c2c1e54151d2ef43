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
  /** One sentence with what was seen. */
  readonly seen: string
  /** The chance of seeing as much without a leak; 0 if it can't happen. */
  readonly chance: number
}

/** Findings that are more probable than this by chance aren't reported: some sixty tests share the error. */
export const CHANCE_MAX = 2e-4
