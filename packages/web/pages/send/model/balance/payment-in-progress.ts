import type { ShownBalance } from '@sotto/sdk/balance'
import type { BusyPhase } from './open-runs.ts'

const TEXTS: Readonly<Record<BusyPhase, string>> = {
  waiting: 'A payment waits for its time: keep this page open.',
  repriced: 'A payment waits for your answer: open this balance.',
  uncertain: 'A payment waits for your answer: open this balance.',
  paying: 'A payment is being made.',
}

/**
 * The text that the list of balances shows for a payment that isn't made yet; undefined without such a payment. `busy`
 * is the phase of a payment in this tab.
 */
export function paymentInProgress(
  { payments }: Pick<ShownBalance, 'payments'>,
  busy: BusyPhase | undefined,
): string | undefined {
  if (busy !== undefined) return TEXTS[busy]
  if (payments.every(({ step }) => step === 'paid')) return undefined
  return 'A payment was interrupted: open this balance to see whether it was made.'
}
