import type { TreeTransaction } from '../../ports/settlement-chain.ts'
import type { DepositKey } from '../../ports/settlement-store.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import type { LandedDeposit } from './landed-deposit.ts'
import { hexOf } from '../../domain/hex.ts'

const keyOf = ({ orderId, slot }: DepositKey): string => `${hexOf(orderId)} ${slot}`

export function orderIdsOf(transactions: readonly TreeTransaction[]): Uint8Array[] {
  return transactions.flatMap(({ deposits }) => deposits.map(({ orderId }) => orderId))
}

/** The transactions without the deposits whose leaves are known. */
export function withoutKnown(
  known: readonly DepositKey[],
  transactions: readonly TreeTransaction[],
): TreeTransaction[] {
  const keys = new Set(known.map(keyOf))
  return transactions.map((transaction) => ({
    ...transaction,
    deposits: transaction.deposits.filter(
      ({ orderId }) => !keys.has(keyOf({ orderId, slot: transaction.slot })),
    ),
  }))
}

/** Raises an alert for deposits that repeat an earlier one's id: that takes a stolen authoriser key. */
export function alertRepeated(
  log: SettlementLog,
  known: readonly DepositKey[],
  fresh: readonly LandedDeposit[],
): void {
  const earlier = new Set(known.map(({ orderId }) => hexOf(orderId)))
  for (const { deposit } of fresh) {
    const key = hexOf(deposit.orderId)
    if (earlier.has(key)) log.alert('deposit_terms_differ')
    earlier.add(key)
  }
}
