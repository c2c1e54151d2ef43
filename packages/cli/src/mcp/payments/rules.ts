import type { Amount } from '@sotto/protocol'
import type { Limits } from '../limits.ts'
import { ToolError } from '../tool-error.ts'
import type { Cost } from './purse.ts'

/** Time in milliseconds in which a person may answer a question. */
export const QUESTION_MS = 15 * 60_000
/** Maximum number of questions that are open at once. A person who is asked too often stops reading the questions. */
const OPEN_QUESTIONS_MAX = 3
/** Maximum number of declined questions in 24 hours. After that, no more questions are asked. */
const DECLINED_MAX = 3
/**
 * The fee follows prices, so it may rise between the first quote and the payment. A rise by up to a quarter of the fee
 * (the fee divided by this number) is accepted.
 */
const FEE_HEADROOM = 4n

/**
 * The maximum that may leave the balance for a payment with this cost. It is rounded up, so that a fee of one base
 * unit may rise too.
 */
export const headroomOf = ({ total, fee }: Cost): bigint =>
  total + (fee + FEE_HEADROOM - 1n) / FEE_HEADROOM

/** @throws ToolError PAYMENT_LIMIT. */
export function assertPayment({ maxPayment }: Limits, total: Amount): void {
  if (total <= maxPayment) return
  throw new ToolError(
    'PAYMENT_LIMIT',
    'this payment and its fees together are above the limit for one payment; nothing was paid',
    'pay less, or ask the person who runs this server; no tool can raise the limit',
  )
}

/** @throws ToolError DAY_LIMIT. */
export function assertDay({ maxDay }: Limits, used: bigint, total: Amount): void {
  if (used + total <= maxDay) return
  throw new ToolError(
    'DAY_LIMIT',
    'this payment and its fees together would exceed the limit for 24 hours; nothing was paid',
    'wait until earlier payments are a day old, or ask the person who runs this server',
  )
}

/** @throws ToolError QUESTIONS_OPEN, QUESTIONS_DECLINED. */
export function assertConfirmable(open: number, refused: number): void {
  if (refused >= DECLINED_MAX) {
    throw new ToolError(
      'QUESTIONS_DECLINED',
      `a person has declined ${refused} payments within 24 hours, so no further questions are asked`,
      'make only payments that need no confirmation, and ask the person what to do',
    )
  }
  if (open < OPEN_QUESTIONS_MAX) return
  throw new ToolError(
    'QUESTIONS_OPEN',
    `${open} questions are already waiting for a person's answer`,
    'wait until the person has answered one of them or one has expired, at most 15 minutes',
  )
}
