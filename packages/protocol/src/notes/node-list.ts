import { TREE_ARITY } from '../constants.ts'

/** Number of bytes of a node. */
export const NODE_BYTES = 32
/** The initial capacity. It is small, because most levels of a tree have few nodes. */
const FIRST_CAPACITY = 4
/**
 * Above this number of bytes, a list grows by an eighth instead of doubling. A doubled list of ten million leaves would
 * waste 320 MB.
 */
const LARGE_BYTES = 16 << 20

/** The nodes of one level of a tree, 32 little-endian bytes each, in one buffer that grows. */
export class NodeList {
  #bytes: Uint8Array
  #length: number

  /** Creates an empty list, or a list that uses the given memory without a copy. */
  constructor(bytes: Uint8Array = new Uint8Array(FIRST_CAPACITY * NODE_BYTES), length = 0) {
    this.#bytes = bytes
    this.#length = length
  }

  get length(): number {
    return this.#length
  }

  /** The node at an index; undefined past the end. */
  at(index: number): bigint | undefined {
    return index < this.#length ? readNode(this.#bytes, index) : undefined
  }

  push(node: bigint): void {
    this.#reserve(this.#length + 1)
    writeNode(this.#bytes, this.#length, node)
    this.#length += 1
  }

  /** Writes the nodes at the given index, and drops all earlier nodes at and after this index. */
  replaceFrom(index: number, nodes: Uint8Array): void {
    const length = index + nodes.length / NODE_BYTES
    this.#reserve(length)
    this.#bytes.set(nodes, index * NODE_BYTES)
    this.#length = length
  }

  /** The bytes of the nodes from index `from` up to, but excluding, `to`. They share the list's memory. */
  bytesOf(from: number, to: number): Uint8Array {
    return this.#bytes.subarray(from * NODE_BYTES, Math.min(to, this.#length) * NODE_BYTES)
  }

  truncate(length: number): void {
    this.#length = Math.min(this.#length, length)
  }

  /** The nodes at and after the given index. Copies of `padding` complete the last group of four. */
  quadsFrom(index: number, padding: bigint): Uint8Array {
    const count = this.#length - index
    const whole = Math.ceil(count / TREE_ARITY) * TREE_ARITY
    const padded = new Uint8Array(whole * NODE_BYTES)
    padded.set(this.#bytes.subarray(index * NODE_BYTES, this.#length * NODE_BYTES))
    for (let place = count; place < whole; place += 1) writeNode(padded, place, padding)
    return padded
  }

  #reserve(length: number): void {
    const { length: bytes } = this.#bytes
    if (length * NODE_BYTES <= bytes) return
    const grownBytes = bytes < LARGE_BYTES ? 2 * bytes : bytes + Math.ceil(bytes / 256) * NODE_BYTES
    const grown = new Uint8Array(Math.max(length * NODE_BYTES, grownBytes))
    grown.set(this.#bytes)
    this.#bytes = grown
  }
}

/** Reads the node at an index of a byte array. */
export function readNode(bytes: Uint8Array, index: number): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset + index * NODE_BYTES, NODE_BYTES)
  let node = 0n
  for (let word = 3; word >= 0; word -= 1) node = (node << 64n) | view.getBigUint64(8 * word, true)
  return node
}

/** Writes the node at an index of a byte array. */
export function writeNode(bytes: Uint8Array, index: number, node: bigint): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset + index * NODE_BYTES, NODE_BYTES)
  for (let word = 0; word < 4; word += 1) {
    view.setBigUint64(8 * word, BigInt.asUintN(64, node >> BigInt(64 * word)), true)
  }
}
