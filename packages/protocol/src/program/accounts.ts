import {
  fixDecoderSize,
  getAddressDecoder,
  getArrayDecoder,
  getBytesDecoder,
  getI64Decoder,
  getStructDecoder,
  getU32Decoder,
  getU64Decoder,
  getU8Decoder,
  transformDecoder,
  type Address,
  type ReadonlyUint8Array,
} from '@solana/kit'
import {
  CHECKPOINTS,
  CLOSE_DELAY_SECONDS,
  MAX_DEPOSIT_SECONDS,
  MAX_LIFE_SECONDS,
  RECENT,
  REFUND_WINDOW_SECONDS,
  SKEW_SECONDS,
} from '../constants.ts'
import { bigintFromBytes } from '../field.ts'
import { amount, least, unixSeconds, type Amount, type UnixSeconds } from '../units.ts'

export const POOL_BYTES = 176
export const TREE_BYTES = 116_000
export const ASSET_BYTES = 168
export const ORDER_BYTES = 56
export const NULLIFIER_BYTES = 40
/** Number of bytes at the start of a Tree account that `decodeTreeHeader` reads. */
export const TREE_HEADER_BYTES = 24

const NAMES = ['', 'Pool', 'Tree', 'Asset', 'Order', 'Nullifier'] as const
const SIZES = [0, POOL_BYTES, TREE_BYTES, ASSET_BYTES, ORDER_BYTES, NULLIFIER_BYTES] as const
const TREE = 2
const bytes = (size: number) => fixDecoderSize(getBytesDecoder(), size)

function assertKind(data: ReadonlyUint8Array, discriminator: 1 | 2 | 3 | 4 | 5): void {
  if (data[0] !== discriminator || data.length !== SIZES[discriminator]) {
    throw new Error(`the account isn't a ${NAMES[discriminator]} of this program version`)
  }
}

const poolDecoder = getStructDecoder([
  ['discriminator', getU8Decoder()],
  ['bump', getU8Decoder()],
  ['depositsPaused', getU8Decoder()],
  ['gap', bytes(5)],
  ['admin', getAddressDecoder()],
  ['authorisers', getArrayDecoder(getAddressDecoder(), { size: 2 })],
  ['domain', bytes(32)],
  ['tree', getAddressDecoder()],
  ['maxDepositSeconds', getU32Decoder()],
])

export interface PoolAccount {
  readonly depositsPaused: boolean
  readonly admin: Address
  /** An unset slot contains the system program's address, which is all zero. */
  readonly authorisers: readonly Address[]
  readonly domain: Uint8Array
  readonly tree: Address
  readonly maxDepositSeconds: number
}

/** @throws Error if the bytes aren't a Pool. */
export function decodePool(data: ReadonlyUint8Array): PoolAccount {
  assertKind(data, 1)
  const pool = poolDecoder.decode(data)
  return { ...pool, depositsPaused: pool.depositsPaused !== 0, domain: new Uint8Array(pool.domain) }
}

const amountDecoder = transformDecoder(getU64Decoder(), amount)
const timeDecoder = transformDecoder(getI64Decoder(), unixSeconds)

const assetDecoder = getStructDecoder([
  ['discriminator', getU8Decoder()],
  ['bump', getU8Decoder()],
  ['kind', getU8Decoder()],
  ['decimals', getU8Decoder()],
  ['vaultBump', getU8Decoder()],
  ['depositsPaused', getU8Decoder()],
  ['gap', bytes(2)],
  ['mint', getAddressDecoder()],
  ['vault', getAddressDecoder()],
  ['assetHash', bytes(32)],
  ['owed', amountDecoder],
  ['inventory', amountDecoder],
  ['fees', amountDecoder],
  ['depositMax', amountDecoder],
  ['swapCap', amountDecoder],
  ['swapPeriodSeconds', getU64Decoder()],
  ['swapUpdatedAt', timeDecoder],
  ['swapUsed', amountDecoder],
])

/** A decoded Asset account. Amounts are in base units of its mint. */
export type AssetAccount = ReturnType<typeof decodeAsset>

/** @throws Error if the bytes aren't an Asset. */
export function decodeAsset(data: ReadonlyUint8Array) {
  assertKind(data, 3)
  const { discriminator: _d, gap: _g, bump: _b, ...asset } = assetDecoder.decode(data)
  // Copied to a plain Uint8Array, because the type that the decoder returns differs between versions of kit.
  const assetHash = new Uint8Array(asset.assetHash)
  return { ...asset, assetHash, depositsPaused: asset.depositsPaused !== 0 }
}

/** The amount of an asset that swaps may still pay out at the given time of the chain, in base units. */
export function swapAvailable(asset: AssetAccount, clock: UnixSeconds): Amount {
  const { swapCap, swapPeriodSeconds, swapUpdatedAt, swapUsed, inventory } = asset
  const elapsed = clock > swapUpdatedAt ? clock - swapUpdatedAt : 0n
  const refilled = elapsed >= swapPeriodSeconds ? swapUsed : (swapCap * elapsed) / swapPeriodSeconds
  const used = swapUsed > refilled ? swapUsed - refilled : 0n
  const left = swapCap > used ? swapCap - used : 0n
  return least(amount(left), inventory)
}

const LEFT_OFFSET = 64
const LEFT_SIBLINGS = 3
const RECENT_OFFSET = 1_312
const ENTRY_BYTES = 64
const CHECKPOINTS_OFFSET = RECENT_OFFSET + RECENT * ENTRY_BYTES

/**
 * An entry of a Tree's ring, which is its list of the newest 1,024 leaves: a leaf, and the root of the tree right after
 * the leaf was appended. Both are 0 if the entry has no leaf yet.
 */
export interface RecentLeaf {
  readonly leaf: bigint
  readonly root: bigint
}

/** The header at the start of a Tree account. */
export interface TreeHeader {
  /** The number of leaves in the tree. */
  readonly nextIndex: bigint
  readonly lastCheckpointHour: bigint
}

export interface TreeAccount extends TreeHeader {
  /** The ring's entry for leaf `index`. It contains that leaf, or a leaf whose index differs by a multiple of 1,024. */
  readonly recent: (index: number) => RecentLeaf
  /**
   * Each level has one incomplete node; leaves are level 0. The function returns that node's sibling at `place` (0 to
   * 2). The result is valid only if this sibling is to the left of the incomplete node, because only those siblings are
   * complete.
   */
  readonly left: (level: number, place: number) => bigint
  /**
   * The checkpoint entry for an hour (seconds since 1970 / 3,600). The entry contains the last root of that hour, or of
   * another hour whose number differs by a multiple of 1,536. An empty entry is 0.
   */
  readonly checkpoint: (hour: number) => bigint
}

/** A part of an account, in the form of `dataSlice` in a node's interface. Both members are in bytes. */
export interface DataSlice {
  readonly offset: number
  readonly length: number
}

/** Reads the first `TREE_HEADER_BYTES` of a Tree. @throws Error if the bytes don't belong to a Tree. */
export function decodeTreeHeader(data: ReadonlyUint8Array): TreeHeader {
  if (data[0] !== TREE) throw new Error("the account isn't a Tree of this program version")
  return {
    nextIndex: getU64Decoder().decode(data, 8),
    lastCheckpointHour: getU64Decoder().decode(data, 16),
  }
}

/**
 * The slices of a Tree's data that contain `count` leaves, starting with the leaf at index `from`. There are two slices
 * if the leaves continue at the ring's start, and none if `count` is 0.
 * @throws RangeError if `from` or `count` is negative, or if `count` exceeds the ring's 1,024 leaves.
 */
export function recentSlice(from: number, count: number): DataSlice[] {
  if (from < 0 || count < 0 || count > RECENT) throw new RangeError('the ring has no such leaves')
  const first = from % RECENT
  const untilEnd = Math.min(count, RECENT - first)
  const slice = (place: number, entries: number): DataSlice => ({
    offset: RECENT_OFFSET + place * ENTRY_BYTES,
    length: entries * ENTRY_BYTES,
  })
  const slices = [slice(first, untilEnd), slice(0, count - untilEnd)]
  return slices.filter(({ length }) => length > 0)
}

/** Reads a slice of the ring. @throws Error if the slice isn't a whole number of entries. */
export function decodeRecent(data: ReadonlyUint8Array): RecentLeaf[] {
  if (data.length % ENTRY_BYTES !== 0)
    throw new Error('the slice does not hold a whole number of leaves')
  const copy = new Uint8Array(data)
  return Array.from({ length: data.length / ENTRY_BYTES }, (_, entry) =>
    entryAt(copy, entry * ENTRY_BYTES),
  )
}

const nodeAt = (data: Uint8Array, offset: number): bigint =>
  bigintFromBytes(data.subarray(offset, offset + 32))

const entryAt = (data: Uint8Array, offset: number): RecentLeaf => ({
  leaf: nodeAt(data, offset),
  root: nodeAt(data, offset + 32),
})

/** @throws Error if the bytes aren't a Tree. */
export function decodeTree(data: ReadonlyUint8Array): TreeAccount {
  assertKind(data, TREE)
  const copy = new Uint8Array(data)
  return {
    ...decodeTreeHeader(copy),
    recent: (index) => entryAt(copy, RECENT_OFFSET + (index % RECENT) * ENTRY_BYTES),
    left: (level, place) => nodeAt(copy, LEFT_OFFSET + (level * LEFT_SIBLINGS + place) * 32),
    checkpoint: (hour) => nodeAt(copy, CHECKPOINTS_OFFSET + (hour % CHECKPOINTS) * 32),
  }
}

const orderDecoder = getStructDecoder([
  ['deadline', timeDecoder],
  ['leafIndex', getU64Decoder()],
  ['sender', getAddressDecoder()],
])

export interface OrderAccount {
  readonly deadline: UnixSeconds
  readonly leafIndex: bigint
  readonly sender: Address
}

/** @throws Error if the bytes aren't an Order. */
export function decodeOrder(data: ReadonlyUint8Array): OrderAccount {
  assertKind(data, 4)
  return orderDecoder.decode(data, 8)
}

/**
 * How many seconds after a settlement its Nullifier may be closed. `program/src/state/nullifier.rs` has the same
 * computation.
 */
export const NULLIFIER_SECONDS =
  SKEW_SECONDS +
  MAX_DEPOSIT_SECONDS +
  MAX_LIFE_SECONDS +
  REFUND_WINDOW_SECONDS +
  SKEW_SECONDS +
  CLOSE_DELAY_SECONDS

const nullifierDecoder = getStructDecoder([
  ['closableAt', getU32Decoder()],
  ['rentPayer', getAddressDecoder()],
])

export interface NullifierAccount {
  readonly closableAt: UnixSeconds
  /** The time at which the note was settled. For a refund, it is always after the note's expiry (I5). */
  readonly settledAt: UnixSeconds
  readonly rentPayer: Address
}

/** @throws Error if the bytes aren't a Nullifier. */
export function decodeNullifier(data: ReadonlyUint8Array): NullifierAccount {
  assertKind(data, 5)
  const { closableAt: seconds, rentPayer } = nullifierDecoder.decode(data, 4)
  const closableAt = unixSeconds(BigInt(seconds))
  return { closableAt, settledAt: unixSeconds(closableAt - NULLIFIER_SECONDS), rentPayer }
}
