import {
  appendedOf,
  assetAddress,
  leafOf,
  shownAsset,
  type AppendedLeaf,
  type Poseidon,
  type TransactionRecord,
} from '@sotto/protocol'
import type { Address } from '@solana/kit'
import { readAccount, type RecoveryRpc, type TreeAtSlot } from '../read-accounts.ts'

/** Reads each Asset once. A deposit names its Asset, but its leaf depends on the mint. */
function mintReader(rpc: RecoveryRpc, program: Address) {
  const mints = new Map<Address, Promise<Address>>()
  const read = async (asset: Address): Promise<Address> => {
    const shown = shownAsset(program, await readAccount(rpc, asset))
    if (shown === undefined) throw new Error('a deposit names an asset that is not there')
    const { mint } = shown
    if ((await assetAddress(program, mint)) !== asset) throw new Error('not an asset of the pool')
    return mint
  }
  return (asset: Address): Promise<Address> => {
    const known = mints.get(asset)
    if (known !== undefined) return known
    const reading = read(asset)
    mints.set(asset, reading)
    return reading
  }
}

/** The leaves that a transaction appended, in their order. */
export type LeafReader = (record: TransactionRecord) => Promise<bigint[]>

export function leafReader(
  rpc: RecoveryRpc,
  { program, domain }: TreeAtSlot,
  poseidon: Poseidon,
): LeafReader {
  const mintOf = mintReader(rpc, program)
  const leafIn = async (appended: AppendedLeaf): Promise<bigint> => {
    if (appended.kind === 'change') return appended.leaf
    const mint = await mintOf(appended.data.destinationAsset)
    return leafOf(poseidon, domain, { ...appended.data, mint })
  }
  return (record) => Promise.all(appendedOf(program, record).map(leafIn))
}
