import type { Address } from '@solana/kit'
import type { Signer } from './signer.ts'

/** Every asset's books, and the tree, at one finalized slot. */
export interface PoolBooks {
  readonly slot: bigint
  /** Leaves of the tree. */
  readonly nextLeaf: bigint
  /** The root behind the last of them; of no meaning in an empty tree. */
  readonly root: bigint
  readonly assets: readonly AssetBooks[]
}

/** An asset's books and what its vault holds, in base units. */
export interface AssetBooks {
  readonly mint: Address
  /** The vault's balance without its rent minimum. */
  readonly held: bigint
  readonly owed: bigint
  readonly fees: bigint
  readonly inventory: bigint
}

/** An account of ours that may be closed, and who gets its rent. */
export interface Closable {
  readonly kind: 'order' | 'nullifier'
  readonly account: Address
  readonly rentPayer: Address
}

/** What upkeep reads and writes. Every method throws where there is no trustworthy answer. */
export interface ChainUpkeep {
  readonly readBooks: () => Promise<PoolBooks>
  /** Every Order and Nullifier of the pool that is past its closing time by the finalized clock. */
  readonly listClosable: () => Promise<Closable[]>
  /** Sends transactions that close these; what fails is found again by the next listing. */
  readonly close: (relayer: Signer, closable: readonly Closable[]) => Promise<void>
}
