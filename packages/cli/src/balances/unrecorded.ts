import type { PaymentRequest, UnrecordedPayment } from '@sotto/sdk/balance'
import { readOpened } from './use-balance.ts'

/**
 * The payments out of these balances that may be the requested payment: the chain shows them, but no store has a record
 * of them. Call this after the balances' states were read from the chain.
 */
export async function findUnrecorded(
  home: string,
  names: readonly string[],
  request: PaymentRequest,
): Promise<UnrecordedPayment[]> {
  const { isLikeUnrecorded } = await import('@sotto/sdk/balance')
  const stored = await Promise.all(names.map((name) => readOpened(home, name)))
  return stored.flatMap(({ unrecorded }) =>
    unrecorded.filter((one) => isLikeUnrecorded(one, request)),
  )
}

/** Describes the payment for a person. */
export const describeUnrecorded = ({ signature }: UnrecordedPayment): string =>
  `the chain shows such a payment${signature === null ? '' : ` (${signature})`}, but no balance has a record of it`

/**
 * True for an error of the SDK that may mean that the chain shows an unrecorded payment like the wanted one. If the
 * node has shown earlier that the payment couldn't land, the SDK throws DisagreementError instead.
 */
export const mayBeMade = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'DisagreementError' || ('code' in error && error.code === 'PAYMENT_UNCERTAIN'))
