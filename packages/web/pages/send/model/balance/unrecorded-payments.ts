import { takeOut } from '@sotto/protocol'
import {
  BalanceError,
  isLikeUnrecorded,
  type KeyedPayment,
  type UnrecordedPayment,
} from '@sotto/sdk/balance'

/** True if the chain shows a payment like the wanted one, and this browser has no record of it. */
export const isUncertain = (error: unknown): boolean =>
  error instanceof BalanceError && error.code === 'PAYMENT_UNCERTAIN'

/**
 * The first payment like the wanted one that the person hasn't checked. Each checked signature stands for one payment,
 * because a node could show one signature for several payments.
 */
export function firstUnchecked(
  unrecorded: readonly UnrecordedPayment[],
  wanted: Omit<KeyedPayment, 'key'>,
  checked: readonly (string | null)[],
): UnrecordedPayment | undefined {
  const unused = [...checked]
  return unrecorded.find((one) => isLikeUnrecorded(one, wanted) && !takeOut(unused, one.signature))
}
