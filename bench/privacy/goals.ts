/**
 * The goals at ten payments an hour. For each kind of payment, this is an upper limit for the true wallet's mean
 * posterior.
 */
export const POSTERIOR_GOALS: Readonly<Record<string, number>> = {
  'out of a balance, round': 0.02,
  'out of a balance, odd': 0.02,
  'top-up and pay, round': 0.5,
  'top-up and pay, odd': 0.5,
  'transfer, default delay, round': 0.6,
  'transfer, up to an hour, round': 0.35,
}

/** The posterior of a payment that hides nothing. Kinds of payments without a goal are compared with it. */
export const NOTHING_HIDDEN = 1

/** Kinds of payments that hide nothing. Their quotes must say this before the user signs. */
export const SAID_BEFORE_SIGNING: readonly string[] = [
  'swap',
  'transfer, default delay, odd',
  'transfer, up to an hour, odd',
]

/**
 * The minimum share of quotes that don't overstate their anonymity set. A quote overstates its set if the measured set
 * is smaller. For kinds that hide nothing, a quote overstates its set if it states more than one wallet.
 */
export const STATED_LEAST = 0.99

/**
 * The maximum share of wrong statements among quotes that state more than one wallet. A statement is wrong if the
 * observer links the payment with certainty.
 */
export const LINKED_MOST = 0.01
