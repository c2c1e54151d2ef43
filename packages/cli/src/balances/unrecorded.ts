import type { PaymentRequest, UnrecordedPayment } from '@sotto/sdk/balance'
import { readOpened } from './use-balance.ts'

/**
 * A payment out of these balances that may be the requested payment: the chain shows it, but no store has a record of
 * it. Call this after the balances' states were read from the chain.
 */
export async function findUnrecorded(
  home: string,
  names: readonly string[],
  request: PaymentRequest,
): Promise<UnrecordedPayment | undefined> {
  const { isLikeUnrecorded } = await import('@sotto/sdk/balance')
  for (const name of names) {
    const { unrecorded } = await readOpened(home, name)
    const found = unrecorded.find((one) => isLikeUnrecorded(one, request))
    if (found !== undefined) return found
  }
  return undefined
}

/** Describes the payment for a person. */
export const describeUnrecorded = ({ signature }: UnrecordedPayment): string =>
  `the chain shows such a payment${signature === null ? '' : ` (${signature})`}, but no balance has a record of it`
