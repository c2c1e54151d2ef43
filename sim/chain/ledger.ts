import { MerkleTree, type Address } from '@sotto/protocol'
import { rentMinimum } from '../../packages/server/src/domain/rent.ts'
import { quickHash } from './quick-hash.ts'
import type { Landed } from './transaction.ts'
import { VersionedMap } from './versioned-map.ts'

/** An Asset's books, and its vault's balance without rent; base units. */
export interface AssetBook {
  readonly held: bigint
  readonly owed: bigint
  readonly fees: bigint
  readonly inventory: bigint
}

export interface OrderAccount {
  readonly sender: Address
  readonly deadline: bigint
  readonly leafIndex: number
}

export interface NullifierAccount {
  readonly rentPayer: Address
  readonly settledAt: bigint
}

export interface TokenAccount {
  readonly balance: bigint
  /** Frozen: no payment can reach it. */
  readonly isBlocked: boolean
}

/** A leaf of the tree, with the root after it. */
export interface PlacedLeaf {
  readonly position: number
  readonly leaf: bigint
  readonly root: bigint
  readonly orderKey: string
}

export const NULLIFIER_RENT = rentMinimum(48n)

export const tokenKey = (mint: string, wallet: string): string => `${mint} ${wallet}`

/** The chain's whole state after each transaction. Closed accounts are `null`. */
export class Ledger {
  readonly lamports = new VersionedMap<bigint>()
  readonly tokens = new VersionedMap<TokenAccount | null>()
  /** Wallets that were turned into token accounts: the program pays them no lamports. */
  readonly turned = new VersionedMap<boolean>()
  readonly orders = new VersionedMap<OrderAccount | null>()
  readonly nullifiers = new VersionedMap<NullifierAccount | null>()
  readonly assets = new VersionedMap<AssetBook>()
  /** Lamports that fees have burnt, under one key. */
  readonly burnt = new VersionedMap<bigint>()
  readonly leaves: PlacedLeaf[] = []
  readonly landed: Landed[] = []
  readonly #signatures = new Set<string>()
  readonly #tree = new MerkleTree(quickHash)

  lamportsOf(wallet: string, position: number): bigint {
    return this.lamports.read(wallet, position) ?? 0n
  }

  assetOf(mint: string, position: number): AssetBook {
    const book = this.assets.read(mint, position)
    if (book === undefined) throw new Error('the pool has no such asset')
    return book
  }

  burntUntil(position: number): bigint {
    return this.burnt.read('all', position) ?? 0n
  }

  /** The number of leaves at a position. */
  leavesAt(position: number): number {
    let count = this.leaves.length
    while (count > 0 && (this.leaves[count - 1] as PlacedLeaf).position > position) count -= 1
    return count
  }

  append(position: number, leaf: bigint, orderKey: string): number {
    const root = this.#tree.append(leaf)
    return this.leaves.push({ position, leaf, root, orderKey }) - 1
  }

  /** Lamports in Nullifiers and token accounts that a wallet paid for, or in these only. */
  rentsPaidBy(wallet: string, of?: 'token accounts'): bigint {
    let paid = this.lamports.read(`token-account-rent ${wallet}`, Infinity) ?? 0n
    if (of !== undefined) return paid
    for (const key of this.nullifiers.keys()) {
      if (this.nullifiers.read(key, Infinity)?.rentPayer === wallet) paid += NULLIFIER_RENT
    }
    return paid
  }

  hasLanded(signature: string): boolean {
    return this.#signatures.has(signature)
  }

  record(landed: Landed): void {
    this.landed.push(landed)
    this.#signatures.add(landed.transaction.signature)
  }

  /** Undoes everything after a position; returns what had landed there. */
  revert(position: number): Landed[] {
    for (const map of [this.lamports, this.tokens, this.turned, this.orders, this.nullifiers])
      map.revert(position)
    this.assets.revert(position)
    this.burnt.revert(position)
    while ((this.leaves.at(-1)?.position ?? -1) > position) this.leaves.pop()
    this.#tree.truncate(this.leaves.length)
    const undone: Landed[] = []
    while ((this.landed.at(-1)?.position ?? -1) > position) {
      const landed = this.landed.pop() as Landed
      this.#signatures.delete(landed.transaction.signature)
      undone.unshift(landed)
    }
    return undone
  }
}
