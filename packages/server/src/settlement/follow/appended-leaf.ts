import { leafOf, type Address, type Poseidon } from '@sotto/protocol'
import { leafTermsOf } from '../../domain/note-of.ts'
import type { Appended, TreeTransaction } from '../../ports/settlement-chain.ts'

/**
 * Returns the leaf that an instruction appended. For a deposit, the leaf is computed by the program's formula. For a
 * settlement, it is the change leaf.
 */
export function leafOfAppended(poseidon: Poseidon, domain: Uint8Array, appended: Appended): bigint {
  if (appended.kind === 'change') return appended.leaf
  return leafOf(poseidon, domain, leafTermsOf(appended.deposit))
}

/** Returns the leaves that these transactions appended, in the order of the transactions. */
export function leavesOf(
  poseidon: Poseidon,
  domain: Uint8Array,
  transactions: readonly TreeTransaction[],
): bigint[] {
  return transactions.flatMap(({ appended }) =>
    appended.map((one) => leafOfAppended(poseidon, domain, one)),
  )
}

/** Returns the payees of the settlements in these transactions, except the payees of refunds. */
export const payeesOf = (transactions: readonly TreeTransaction[]): Address[] =>
  transactions.flatMap(({ appended }) =>
    appended.flatMap((one) =>
      one.kind === 'change' && one.paid !== undefined && one.paid !== 'refund' ? [one.paid] : [],
    ),
  )
