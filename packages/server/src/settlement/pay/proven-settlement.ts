import { addressHalves, assetHashOf, RECENT, type Poseidon } from '@sotto/protocol'
import type { ProofVerifier } from '../../ports/proof-verifier.ts'
import type { ShownSettlement } from '../../ports/settlement-chain.ts'
import { EarlierTree } from '../follow/earlier-tree.ts'
import type { VerifiedTree } from '../follow/verified-tree.ts'

export interface ProvenDependencies {
  readonly tree: Pick<VerifiedTree, 'isVerified' | 'size' | 'leaf' | 'path'>
  readonly poseidon: Poseidon
  readonly pool: { readonly domain: Uint8Array }
  /** Without one, no settlement that a node shows is proven. */
  readonly verifier?: ProofVerifier | undefined
}

/**
 * True if a leaf of the verified tree is what a settlement left. The node that shows the settlement needn't be trusted:
 * its proof holds under a root that the tree had when the leaf came. Such a proof can't be made without a note of the
 * tree, and for a balance's note it also needs the owner's signature. A settlement that was proved under the last root
 * of an hour isn't recognised: that root may be any of thousands.
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

/** The size that the tree had with the root at a place of the ring, when leaf `leafIndex` was appended. */
function sizeOfRoot(place: number, leafIndex: number): number | undefined {
  if (place < 0 || place >= RECENT) return undefined
  const size = leafIndex - ((((leafIndex - 1 - place) % RECENT) + RECENT) % RECENT)
  return size > 0 ? size : undefined
}
