import {
  appendedOf,
  assetAddress,
  assetHashOf,
  leafUnder,
  shownAsset,
  type AppendedLeaf,
  type Poseidon,
  type TransactionRecord,
} from '@sotto/protocol'
import type { Address } from '@solana/kit'
import { readAccount, type RecoveryRpc, type TreeAtSlot } from '../read-accounts.ts'

/**
 * Returns a function that reads each Asset account once and caches it. A deposit's instruction contains only the
 * Asset's address, but the deposit's leaf depends on a hash in that account.
 */
function assetHashReader(
  rpc: RecoveryRpc,
  { program, domain }: TreeAtSlot,
  poseidon: Poseidon,
): (asset: Address) => Promise<bigint> {
  const hashes = new Map<Address, Promise<bigint>>()
  const read = async (asset: Address): Promise<bigint> => {
    const shown = shownAsset(program, await readAccount(rpc, asset))
    if (shown === undefined) throw new Error('a deposit names an asset that does not exist')
    const { mint } = shown
    if ((await assetAddress(program, mint)) !== asset)
      throw new Error('a deposit names an asset at a wrong address')
    return assetHashOf(poseidon, domain, mint)
  }
  return (asset) => {
    const known = hashes.get(asset)
    if (known !== undefined) return known
    const reading = read(asset)
    hashes.set(asset, reading)
    return reading
  }
}

/** Returns the leaves that a transaction appended, in the order in which they were appended. */
export type LeafReader = (record: TransactionRecord) => Promise<bigint[]>

export function leafReader(rpc: RecoveryRpc, chain: TreeAtSlot, poseidon: Poseidon): LeafReader {
  const assetHash = assetHashReader(rpc, chain, poseidon)
  const leafIn = async (appended: AppendedLeaf): Promise<bigint> => {
    if (appended.kind === 'change') return appended.leaf
    const { data } = appended
    return leafUnder(poseidon, await assetHash(data.destinationAsset), data)
  }
  return (record) => Promise.all(appendedOf(chain.program, record).map(leafIn))
}
