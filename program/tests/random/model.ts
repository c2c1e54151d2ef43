import type { Address } from '@solana/kit'
import { CHECKPOINTS, fieldToBytes, RECENT, type MerkleTree } from '@sotto/protocol'

/** The expected state of one asset, by the rules of docs/protocol.md. */
export interface AssetModel {
  depositsPaused: boolean
  owed: bigint
  inventory: bigint
  fees: bigint
  depositMax: bigint
  swapCap: bigint
  swapPeriodSeconds: bigint
  swapUpdatedAt: bigint
  swapUsed: bigint
}

export interface OrderModel {
  readonly account: Address
  readonly deadline: bigint
  readonly leafIndex: bigint
  readonly sender: Address
}

export interface NullifierModel {
  readonly account: Address
  readonly closableAt: bigint
  readonly rentPayer: Address
}

/** The expected state of the chain. */
export interface Model {
  clock: bigint
  admin: Address
  /** The authorisers by slot; undefined if the slot is unset. */
  authorisers: [Address | undefined, Address | undefined]
  depositsPaused: boolean
  maxDepositSeconds: bigint
  assets: [AssetModel, AssetModel]
  /** The tree with all its hashes. Its size must equal the chain's `nextIndex`. */
  readonly tree: MerkleTree
  lastCheckpointHour: bigint
  /** The bytes of the Tree's two rings: the newest leaves with their roots, followed by the checkpoints. */
  rings: Uint8Array
  /** The orders by the hex digits of their ids. */
  orders: Map<string, OrderModel>
  nullifiers: Map<bigint, NullifierModel>
  /** The balances of everyone who pays or is paid: lamports of wallets, and base units of token accounts. */
  money: Map<Address, bigint>
}

/** An asset without notes, inventory or fees, with these limits. */
export function emptyAsset(depositMax: bigint, swapCap: bigint, period: number): AssetModel {
  return {
    depositsPaused: false,
    owed: 0n,
    inventory: 0n,
    fees: 0n,
    depositMax,
    swapCap,
    swapPeriodSeconds: BigInt(period),
    swapUpdatedAt: 0n,
    swapUsed: 0n,
  }
}

const ENTRY = 64
const CHECKPOINTS_AT = RECENT * ENTRY

export const emptyRings = (): Uint8Array => new Uint8Array(CHECKPOINTS_AT + CHECKPOINTS * 32)

/**
 * A copy of the model. Changes to the copy don't change `base`. Only the tree is shared: it is truncated to `leaves`
 * leaves.
 */
export function cloneModel(base: Model, leaves: number): Model {
  base.tree.truncate(leaves)
  const { tree, ...rest } = base
  return { tree, ...structuredClone(rest) }
}

/** Moves an amount between two accounts. Both must be in the model. */
export function move(model: Model, from: Address, to: Address, quantity: bigint): void {
  for (const [who, change] of [
    [from, -quantity],
    [to, quantity],
  ] as const) {
    const before = model.money.get(who)
    if (before === undefined) throw new Error(`the model does not know ${who}`)
    model.money.set(who, before + change)
  }
}

/** Appends a leaf at the time of the model's clock. Returns the leaf's index. */
export function appendLeaf(model: Model, leaf: bigint): bigint {
  const index = model.tree.size
  const root = fieldToBytes(model.tree.append(leaf))
  const hour = model.clock / 3_600n
  model.lastCheckpointHour = hour
  model.rings.set(fieldToBytes(leaf), (index % RECENT) * ENTRY)
  model.rings.set(root, (index % RECENT) * ENTRY + 32)
  model.rings.set(root, CHECKPOINTS_AT + Number(hour % BigInt(CHECKPOINTS)) * 32)
  return BigInt(index)
}

/** The root in an entry of a ring, as bytes. */
export function rootAt(model: Model, kind: 'recent' | 'checkpoint', index: number): Uint8Array {
  const at = kind === 'recent' ? index * ENTRY + 32 : CHECKPOINTS_AT + index * 32
  return model.rings.subarray(at, at + 32)
}
