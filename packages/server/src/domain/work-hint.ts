/**
 * The work that workers may have now: a wallet has sent a deposit (`deposit`), a leaf that a client knows isn't in the
 * followed tree yet (`leaf`), or an owner has signed a payment (`payment`).
 */
export const WORK_HINTS = ['deposit', 'leaf', 'payment'] as const

export type WorkHint = (typeof WORK_HINTS)[number]
