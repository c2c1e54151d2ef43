import {
  CHECKPOINTS,
  MerkleTree,
  RECENT,
  type Address,
  type RootPlace,
  type UnixSeconds,
} from '@sotto/protocol'
import { rentMinimum } from '@sotto/protocol'
import { LAMPORTS_PER_BYTE } from './rent.ts'
import { quickHash } from './quick-hash.ts'
import type { Landed } from './transaction.ts'
import { VersionedMap } from './versioned-map.ts'

/** An Asset's books, and the balance of its vault without rent. All amounts are in base units. */
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
  readonly settledAt: UnixSeconds
}

export interface TokenAccount {
  readonly balance: bigint
  /** True if the account is frozen, so that it can't be paid. */
  readonly isBlocked: boolean
}

/** A leaf of the tree. */
export interface PlacedLeaf {
  readonly position: number
  readonly leaf: bigint
  /** The hour in which the leaf was appended, by the chain's clock, counted from 1970. */
  readonly hour: bigint
  /**
   * The order whose deposit appended the leaf; undefined if the leaf is a settlement's change or comes from a
   * stranger's deposit. There is one exception: for a veteran's balance, only the leaf of the newest note has the
   * order's key.
   */
  readonly orderKey: string | undefined
}

/** A leaf to append, and the time and place of appending it. */
interface NewLeaf {
  readonly position: number
  readonly unixSeconds: UnixSeconds
  readonly leaf: bigint
  readonly orderKey?: string
}

/**
 * The length of an hour, in seconds. Each hour has one checkpoint, which replaces the checkpoint from `CHECKPOINTS`
 * hours earlier.
 */
export const HOUR_SECONDS = 3_600n
export const NULLIFIER_RENT = rentMinimum(LAMPORTS_PER_BYTE, 40n)

export const tokenKey = (mint: string, wallet: string): string => `${mint} ${wallet}`

/** The chain's whole state after each transaction. A closed account is stored as `null`. */
export class Ledger {
  readonly lamports = new VersionedMap<bigint>()
  readonly tokens = new VersionedMap<TokenAccount | null>()
  /** Wallets that were turned into token accounts: the program doesn't pay lamports to them. */
  readonly turned = new VersionedMap<boolean>()
  readonly orders = new VersionedMap<OrderAccount | null>()
  readonly nullifiers = new VersionedMap<NullifierAccount | null>()
  readonly assets = new VersionedMap<AssetBook>()
  /** The total of lamports burnt as fees, under a single key. */
  readonly burnt = new VersionedMap<bigint>()
  readonly leaves: PlacedLeaf[] = []
  readonly landed: Landed[] = []
  readonly #signatures = new Set<string>()
  readonly #tree = new MerkleTree(quickHash)
  /** The root after each leaf. Most roots of a flood are undefined until they are first requested. */
  readonly #roots: (bigint | undefined)[] = []

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

  /** The number of leaves after transaction `position`. */
  leavesAt(position: number): number {
    let count = this.leaves.length
    while (count > 0 && (this.leaves[count - 1] as PlacedLeaf).position > position) count -= 1
    return count
  }

  /** Appends a leaf; returns its index. */
  append({ unixSeconds, ...leaf }: NewLeaf): number {
    const hour = unixSeconds / HOUR_SECONDS
    const index = this.leaves.push({ orderKey: undefined, ...leaf, hour }) - 1
    this.#roots[index] = this.#tree.append(leaf.leaf)
    return index
  }

  /**
   * Appends the leaves of many deposits at once. Only the root after the last leaf is computed, because the other roots
   * are rarely requested.
   */
  flood(at: Omit<NewLeaf, 'leaf'>, leaves: readonly bigint[]): void {
    const hour = at.unixSeconds / HOUR_SECONDS
    const { position } = at
    for (const leaf of leaves) this.leaves.push({ position, leaf, hour, orderKey: undefined })
    this.#tree.appendAll(leaves)
    this.#roots[this.leaves.length - 1] = this.#tree.root
  }

  /** Number of leaves that floods have appended. */
  get strangeLeaves(): number {
    return this.landed.reduce((sum, { transaction: { message }, failure }) => {
      const isFlood = message.kind === 'flood' && failure === undefined
      return isFlood ? sum + message.leaves.length : sum
    }, 0)
  }

  /** The root after leaf `index`. */
  rootAfter(index: number): bigint {
    const known = this.#roots[index]
    if (known !== undefined) return known
    const tree = new MerkleTree(quickHash)
    tree.appendAll(this.leaves.slice(0, index + 1).map(({ leaf }) => leaf))
    this.#roots[index] = tree.root
    return tree.root
  }

  /** True if the tree had this root after any transaction up to a position. */
  hasHadRoot(root: bigint, position: number): boolean {
    return this.#roots.slice(0, this.leavesAt(position)).includes(root)
  }

  /**
   * The ring of recent leaves stores leaf `index` in one entry, which later leaves overwrite. Returns the index of the
   * leaf that this entry held after transaction `position`; undefined if the entry was empty.
   */
  inRing(index: number, position: number): number | undefined {
    const count = this.leavesAt(position)
    const newest = count - 1 - ((((count - 1 - index) % RECENT) + RECENT) % RECENT)
    return newest < 0 ? undefined : newest
  }

  /**
   * The index of the last leaf, up to transaction `position`, that wrote the checkpoint entry of `hour`. Hours that are
   * `CHECKPOINTS` hours apart use the same entry, so the leaf may belong to another hour.
   */
  lastOfHour(hour: bigint, position: number): number | undefined {
    for (let index = this.leavesAt(position) - 1; index >= 0; index -= 1) {
      const leaf = this.leaves[index] as PlacedLeaf
      if (leaf.hour % BigInt(CHECKPOINTS) === hour % BigInt(CHECKPOINTS)) return index
    }
    return undefined
  }

  /**
   * The root that this entry of the Tree account held after transaction `position`; undefined if the entry was empty.
   */
  rootAt({ kind, index }: RootPlace, position: number): bigint | undefined {
    const leaf =
      kind === 'recent' ? this.inRing(index, position) : this.lastOfHour(BigInt(index), position)
    return leaf === undefined ? undefined : this.rootAfter(leaf)
  }

  /** Lamports of rent that a wallet paid for Nullifiers and token accounts. With `of`, only for token accounts. */
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

  /** Undoes everything after a position. Returns the transactions that had landed after it. */
  revert(position: number): Landed[] {
    for (const map of [this.lamports, this.tokens, this.turned, this.orders, this.nullifiers])
      map.revert(position)
    this.assets.revert(position)
    this.burnt.revert(position)
    while ((this.leaves.at(-1)?.position ?? -1) > position) this.leaves.pop()
    this.#tree.truncate(this.leaves.length)
    this.#roots.length = Math.min(this.#roots.length, this.leaves.length)
    const undone: Landed[] = []
    while ((this.landed.at(-1)?.position ?? -1) > position) {
      const landed = this.landed.pop() as Landed
      this.#signatures.delete(landed.transaction.signature)
      undone.unshift(landed)
    }
    return undone
  }
}
