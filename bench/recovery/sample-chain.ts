import { wasmPoseidon } from '@sotto/poseidon'
import {
  addressBytes,
  addressFromBytes,
  amount,
  fieldToBytes,
  leafOfNote,
  MerkleTree,
  NATIVE_MINT,
  poolAddress,
  POOL_BYTES,
  RECENT,
  TREE_BYTES,
  unixSeconds,
  type Address,
  type Ticket,
} from '@sotto/protocol'
import { createHash } from 'node:crypto'

/** Offsets of the account data that recovery reads, and the size of an entry of the ring, in bytes. */
const [POOL_DOMAIN, POOL_TREE] = [104, 136]
const [TREE_NEXT, TREE_RING, RING_ENTRY] = [8, 1_312, 64]
const [POOL_KIND, TREE_KIND] = [1, 2]

const wallet = (byte: number): Address => addressFromBytes(new Uint8Array(32).fill(byte))

const PROGRAM = wallet(9)
const TREE = wallet(8)
const DOMAIN = new Uint8Array(32).fill(7)

/** A pool with many leaves. One of them belongs to a ticket. */
export interface SampleChain {
  readonly ticket: Ticket
  readonly tree: Address
  readonly leaves: readonly bigint[]
  readonly index: number
  /** The data of the program's accounts, by address. */
  readonly accounts: ReadonlyMap<Address, Uint8Array>
}

const TICKET: Ticket = {
  program: PROGRAM,
  orderId: new Uint8Array(16).fill(3),
  note: {
    ...{ nk: 5n, sender: wallet(4), mint: NATIVE_MINT, value: amount(1_000n) },
    claim: { kind: 'transfer', recipient: wallet(5), amountOut: amount(990n) },
    deadline: unixSeconds(1_800_000_000n),
    expiry: unixSeconds(1_800_003_600n),
  },
}

/** Builds a pool. Its leaves look random and are the same in each run. The leaf in the middle belongs to the ticket. */
export async function sampleChain(count: number): Promise<SampleChain> {
  const index = Math.floor(count / 2)
  const leaves = Array.from({ length: count }, (_, place) => sampleLeaf(place))
  leaves[index] = leafOfNote(wasmPoseidon, DOMAIN, TICKET.note)
  const tree = new MerkleTree(wasmPoseidon)
  tree.appendAll(leaves)
  const accounts = new Map([
    [await poolAddress(PROGRAM), poolBytes()],
    [TREE, treeBytes(leaves, tree.root)],
  ])
  return { ticket: TICKET, tree: TREE, leaves, index, accounts }
}

function sampleLeaf(place: number): bigint {
  // The number has 248 bits, so it is below the modulus.
  return BigInt(`0x${createHash('sha256').update(`leaf ${place}`).digest('hex').slice(0, 62)}`)
}

function poolBytes(): Uint8Array {
  const pool = new Uint8Array(POOL_BYTES)
  pool[0] = POOL_KIND
  pool.set(DOMAIN, POOL_DOMAIN)
  pool.set(addressBytes(TREE), POOL_TREE)
  return pool
}

/**
 * The data of the Tree account: header and ring. Only the ring's last root is filled in, because no request reads the
 * other roots.
 */
function treeBytes(leaves: readonly bigint[], root: bigint): Uint8Array {
  const tree = new Uint8Array(TREE_BYTES)
  tree[0] = TREE_KIND
  new DataView(tree.buffer).setBigUint64(TREE_NEXT, BigInt(leaves.length), true)
  for (let place = Math.max(0, leaves.length - RECENT); place < leaves.length; place += 1) {
    const at = TREE_RING + (place % RECENT) * RING_ENTRY
    tree.set(fieldToBytes(leaves[place] ?? 0n), at)
    if (place === leaves.length - 1) tree.set(fieldToBytes(root), at + 32)
  }
  return tree
}
