import { NULLIFIER_BYTES, ORDER_BYTES, shownNullifier, shownOrder } from '@sotto/protocol'
import type { Address } from '@solana/kit'
import type { Chain } from './chain.ts'

/**
 * For each sender and each settler: the number of the program's accounts whose rent they have paid and not yet
 * received back.
 */
export interface RentHeld {
  readonly orders: ReadonlyMap<Address, number>
  readonly nullifiers: ReadonlyMap<Address, number>
}

function countBy(owners: readonly Address[]): Map<Address, number> {
  const counts = new Map<Address, number>()
  for (const owner of owners) counts.set(owner, (counts.get(owner) ?? 0) + 1)
  return counts
}

/** Reads which wallets currently have rent in the program's accounts. */
export async function readRentHeld(chain: Chain, program: Address): Promise<RentHeld> {
  const orders = await chain.accountsOfSize(program, ORDER_BYTES)
  const nullifiers = await chain.accountsOfSize(program, NULLIFIER_BYTES)
  return {
    orders: countBy(orders.flatMap((one) => shownOrder(program, one)?.sender ?? [])),
    nullifiers: countBy(nullifiers.flatMap((one) => shownNullifier(program, one)?.rentPayer ?? [])),
  }
}
