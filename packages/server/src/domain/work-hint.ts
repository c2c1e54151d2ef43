/**
 * Reasons for workers to search for work now. `deposit`: a wallet has sent a deposit. `leaf`: a client knows a leaf
 * that isn't in the followed tree yet. `payment`: an owner has signed a payment.
 */
export const WORK_HINTS = ['deposit', 'leaf', 'payment'] as const

export type WorkHint = (typeof WORK_HINTS)[number]
