/** The goals at ten payments an hour: the greatest mean posterior of the true wallet, by kind of payment. */
export const POSTERIOR_GOALS: Readonly<Record<string, number>> = {
  'out of a balance, round': 0.02,
  'out of a balance, odd': 0.02,
  'top-up and pay, round': 0.5,
  'top-up and pay, odd': 0.5,
  'transfer, default delay, round': 0.6,
  'transfer, up to an hour, round': 0.35,
}

/** The posterior of a payment that hides nothing. Kinds without a goal are compared with it. */
export const NOTHING_HIDDEN = 1

/** Kinds of payments that hide nothing. Their quotes must say so. */
export const SAID_BEFORE_SIGNING: readonly string[] = [
  'swap',
  'transfer, default delay, odd',
  'transfer, up to an hour, odd',
]

/**
 * The least share of quotes that don't overstate their set. The stated set must be at most the measured set, and 1 for
 * kinds that hide nothing.
 */
export const STATED_LEAST = 0.99

/** The greatest share of quotes that state more than one wallet although their payment is linked with certainty. */
export const LINKED_MOST = 0.01
