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
  type Address,
  type ReadonlyUint8Array,
} from '@solana/kit'
import {
  CHECKPOINTS,
  CLOSE_DELAY_SECONDS,
  MAX_DELIVERY_SECONDS,
  MAX_DEPOSIT_SECONDS,
  REFUND_WINDOW_SECONDS,
  ROOTS,
  SKEW_SECONDS,
} from '../constants.ts'
import { bigintFromBytes } from '../field.ts'

export const POOL_BYTES = 200
export const TREE_BYTES = 66_432
export const ASSET_BYTES = 256
export const ORDER_BYTES = 56
export const NULLIFIER_BYTES = 48

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
  ['maxDeliverySeconds', getU32Decoder()],
])

export interface PoolAccount {
  readonly depositsPaused: boolean
  readonly admin: Address
  /** An unset slot reads as the system program's address, which is all zero. */
  readonly authorisers: readonly Address[]
  readonly domain: Uint8Array
  readonly tree: Address
  readonly maxDepositSeconds: number
  readonly maxDeliverySeconds: number
}

/** @throws Error where the bytes aren't a Pool. */
export function decodePool(data: ReadonlyUint8Array): PoolAccount {
  assertKind(data, 1)
  const pool = poolDecoder.decode(data)
  return { ...pool, depositsPaused: pool.depositsPaused !== 0, domain: new Uint8Array(pool.domain) }
}

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
  ['owed', getU64Decoder()],
  ['inventory', getU64Decoder()],
  ['feesDay', getU64Decoder()],
  ['feesToday', getU64Decoder()],
  ['feesYesterday', getU64Decoder()],
  ['feesCollectable', getU64Decoder()],
  ['depositMax', getU64Decoder()],
  ['swapCap', getU64Decoder()],
  ['swapPeriodSeconds', getU64Decoder()],
  ['swapUpdatedAt', getI64Decoder()],
  ['swapUsed', getU64Decoder()],
])

/** An Asset's books; amounts in base units of its mint. */
export type AssetAccount = ReturnType<typeof decodeAsset>

/** @throws Error where the bytes aren't an Asset. */
export function decodeAsset(data: ReadonlyUint8Array) {
  assertKind(data, 3)
  const { discriminator: _d, gap: _g, bump: _b, ...asset } = assetDecoder.decode(data)
  // Plain bytes: the type of the decoder's own is not the same in all versions of kit.
  const assetHash = new Uint8Array(asset.assetHash)
  return { ...asset, assetHash, depositsPaused: asset.depositsPaused !== 0 }
}

/** What swaps may still pay out of an asset at a time of the chain's clock, base units. */
export function swapAvailable(asset: AssetAccount, clock: bigint): bigint {
  const { swapCap, swapPeriodSeconds, swapUpdatedAt, swapUsed, inventory } = asset
  const elapsed = clock > swapUpdatedAt ? clock - swapUpdatedAt : 0n
  const refilled = elapsed >= swapPeriodSeconds ? swapUsed : (swapCap * elapsed) / swapPeriodSeconds
  const used = swapUsed > refilled ? swapUsed - refilled : 0n
  const left = swapCap > used ? swapCap - used : 0n
  return left < inventory ? left : inventory
}

/** All fees of an asset, collectable or not yet. */
export function totalFees(asset: AssetAccount): bigint {
  return asset.feesToday + asset.feesYesterday + asset.feesCollectable
}

const ROOTS_OFFSET = 896
const CHECKPOINTS_OFFSET = ROOTS_OFFSET + ROOTS * 32

export interface TreeAccount {
  readonly nextIndex: bigint
  readonly lastCheckpointHour: bigint
  /** The recent root at ring position `index`; 0 where the ring holds none. */
  readonly root: (index: number) => bigint
  /** The checkpoint root at ring position `index`; 0 where the ring holds none. */
  readonly checkpoint: (index: number) => bigint
}

/** @throws Error where the bytes aren't a Tree. */
export function decodeTree(data: ReadonlyUint8Array): TreeAccount {
  assertKind(data, TREE)
  const copy = new Uint8Array(data)
  const read = (offset: number) => bigintFromBytes(copy.subarray(offset, offset + 32))
  return {
    nextIndex: getU64Decoder().decode(copy, 8),
    lastCheckpointHour: getU64Decoder().decode(copy, 16),
    root: (index) => read(ROOTS_OFFSET + (index % ROOTS) * 32),
    checkpoint: (index) => read(CHECKPOINTS_OFFSET + (index % CHECKPOINTS) * 32),
  }
}

/** How many leaves a Tree has, by its first bytes. @throws Error where they aren't those of a Tree. */
export function decodeLeafCount(data: ReadonlyUint8Array): bigint {
  if (data[0] !== TREE) throw new Error("the account isn't a Tree of this program version")
  return getU64Decoder().decode(data, 8)
}

const orderDecoder = getStructDecoder([
  ['deadline', getI64Decoder()],
  ['leafIndex', getU64Decoder()],
  ['sender', getAddressDecoder()],
])

export interface OrderAccount {
  readonly deadline: bigint
  readonly leafIndex: bigint
  readonly sender: Address
}

/** @throws Error where the bytes aren't an Order. */
export function decodeOrder(data: ReadonlyUint8Array): OrderAccount {
  assertKind(data, 4)
  return orderDecoder.decode(data, 8)
}

/** From a settlement until its Nullifier may be closed: the sum in `program/src/state/nullifier.rs`. */
export const NULLIFIER_SECONDS =
  MAX_DEPOSIT_SECONDS +
  MAX_DELIVERY_SECONDS +
  REFUND_WINDOW_SECONDS +
  SKEW_SECONDS +
  CLOSE_DELAY_SECONDS

const nullifierDecoder = getStructDecoder([
  ['closableAt', getI64Decoder()],
  ['rentPayer', getAddressDecoder()],
])

export interface NullifierAccount {
  readonly closableAt: bigint
  /** When its note was settled: a delivery up to the note's expiry, a refund after it (I5). */
  readonly settledAt: bigint
  readonly rentPayer: Address
}

/** @throws Error where the bytes aren't a Nullifier. */
export function decodeNullifier(data: ReadonlyUint8Array): NullifierAccount {
  assertKind(data, 5)
  const { closableAt, rentPayer } = nullifierDecoder.decode(data, 8)
  return { closableAt, settledAt: closableAt - NULLIFIER_SECONDS, rentPayer }
}
