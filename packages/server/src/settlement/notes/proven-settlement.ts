import { addressHalves, assetHashOf, RECENT, type Poseidon } from '@sotto/protocol'
import type { ProofVerifier } from '../../ports/proof-verifier.ts'
import type { ShownSettlement } from '../../ports/settlement-chain.ts'
import { EarlierTree } from '../follow/earlier-tree.ts'
import type { VerifiedTree } from '../follow/verified-tree.ts'

export interface ProvenDependencies {
  readonly tree: Pick<VerifiedTree, 'isVerified' | 'size' | 'leaf' | 'path'>
  readonly poseidon: Poseidon
  readonly pool: { readonly domain: Uint8Array }
  /** Without a verifier, no settlement counts as proven. */
  readonly verifier?: ProofVerifier | undefined
}

/**
 * True if two conditions are met. The leaf is the settlement's change. The settlement's proof is valid under a root
 * that the verified tree had shortly before the leaf was appended. A node can't invent such a proof, because only the
 * holder of a note's secret can make it. For a balance's note, a proof also needs the owner's signature.
 *
 * A valid proof doesn't show that this settlement landed: the holder can prove several settlements of one note that
 * append the same leaf. If the settlement was proved under the last root of an hour, the result is false, because
 * thousands of roots would have to be tried.
 */
export function isProvenSettlement(
  { tree, poseidon, pool: { domain }, verifier }: ProvenDependencies,
  leafIndex: number,
  shown: ShownSettlement,
): boolean {
  if (verifier === undefined || !tree.isVerified || leafIndex >= tree.size) return false
  if (tree.leaf(leafIndex) !== shown.changeLeaf || shown.root.kind !== 'recent') return false
  const size = sizeOfRoot(shown.root.index, leafIndex)
  if (size === undefined) return false
  const payee = addressHalves(shown.payee)
  const inputs = [
    ...[new EarlierTree(poseidon, tree, size).root, shown.nullifier],
    ...[assetHashOf(poseidon, domain, shown.mint), shown.payout, shown.fee],
    ...[payee.hi, payee.lo, shown.time, shown.isRefund ? 1n : 0n, shown.changeLeaf],
  ]
  return verifier.isProved(inputs, shown.proof)
}

/**
 * Takes the root that was at place `place` of the tree account's ring of newest roots just before leaf `leafIndex` was
 * appended. Returns the number of leaves that the tree had when this root was its newest root. Returns undefined if the
 * place is outside the ring or was still empty.
 */
function sizeOfRoot(place: number, leafIndex: number): number | undefined {
  if (place < 0 || place >= RECENT) return undefined
  const size = leafIndex - ((((leafIndex - 1 - place) % RECENT) + RECENT) % RECENT)
  return size > 0 ? size : undefined
}
