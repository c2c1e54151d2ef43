import { leafOf, type Poseidon } from '@sotto/protocol'
import { leafTermsOf } from '../../domain/note-of.ts'
import type { Appended, TreeTransaction } from '../../ports/settlement-chain.ts'

/**
 * The leaf that an instruction appended: for a deposit, the leaf as the program computes it; for a settlement, its
 * change leaf.
 */
export function leafOfAppended(poseidon: Poseidon, domain: Uint8Array, appended: Appended): bigint {
  if (appended.kind === 'change') return appended.leaf
  return leafOf(poseidon, domain, leafTermsOf(appended.deposit))
}

/** The leaves that transactions appended, in order. */
export function leavesOf(
  poseidon: Poseidon,
  domain: Uint8Array,
  transactions: readonly TreeTransaction[],
): bigint[] {
  return transactions.flatMap(({ appended }) =>
    appended.map((one) => leafOfAppended(poseidon, domain, one)),
  )
}
