import { lockFile } from '@sotto/file-lock'
import { wasmPoseidon } from '@sotto/poseidon'
import { MerkleTree, RECENT, TREE_ARITY, TREE_LEVELS } from '@sotto/protocol'
import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import type { TreeNodes } from '../../ports/tree-keeper.ts'

// A tree file starts with this line. Records follow. Each record has a number of nodes (4 bytes, little-endian), the
// nodes (32 little-endian bytes each), and a SHA-256. The SHA-256 covers the previous record's digest and these nodes.
// The nodes of all records together are the tree's complete nodes in post-order: each node follows its four children.
// So new leaves are appended, and the bytes before them never change.
const HEAD = Buffer.from('sotto tree 1\n')
const NODE_BYTES = 32
const COUNT_BYTES = 4
const DIGEST_BYTES = 32
/** Maximum number of leaves of one record. The nodes of a record take at most 2.8 MB. */
const RECORD_LEAVES = 1 << 16
const RECORD_NODES_MAX = Math.ceil((RECORD_LEAVES * TREE_ARITY) / (TREE_ARITY - 1)) + TREE_LEVELS
/**
 * Minimum number of new leaves to write. Fewer leaves aren't written, because hashing them again takes only
 * milliseconds.
 */
const LEAVES_MIN = RECENT

/** Returns the number of complete nodes of a tree with this many leaves. */
const nodesAfter = (leaves: number): number => {
  let nodes = 0
  for (let width = leaves; width > 0; width = Math.floor(width / TREE_ARITY)) nodes += width
  return nodes
}

/** Returns the greatest number of leaves that have at most this many complete nodes. */
function leavesWithin(nodes: number): number {
  let leaves = Math.floor((nodes * (TREE_ARITY - 1)) / TREE_ARITY)
  while (nodesAfter(leaves + 1) <= nodes) leaves += 1
  return leaves
}

/** Returns the complete nodes that the leaves with the indexes [from, to) add to a tree, in post-order. */
function postOrder(tree: TreeNodes, from: number, to: number): Buffer {
  const bytes = Buffer.alloc((nodesAfter(to) - nodesAfter(from)) * NODE_BYTES)
  let at = 0
  for (let leaf = from; leaf < to; leaf += 1) {
    for (let level = 0, index = leaf; ; level += 1) {
      bytes.set(tree.nodesOf(level, index, index + 1), at)
      at += NODE_BYTES
      if ((index + 1) % TREE_ARITY !== 0 || level === TREE_LEVELS) break
      index = Math.floor(index / TREE_ARITY)
    }
  }
  return bytes
}

/** Receives nodes in post-order, and writes each into the memory of its level. */
class LevelWriter {
  readonly levels: readonly Uint8Array[]
  leaves = 0
  /** The level of the next node. */
  #level = 0

  /** @param leavesMax the greatest number of leaves for which there must be memory */
  constructor(leavesMax: number) {
    this.levels = Array.from(
      { length: TREE_LEVELS + 1 },
      (_, level) => new Uint8Array(Math.ceil((leavesMax + 1) / TREE_ARITY ** level) * NODE_BYTES),
    )
  }

  write(nodes: Buffer): void {
    for (let at = 0; at < nodes.length; at += NODE_BYTES) {
      const level = this.#level
      if (level === 0) this.leaves += 1
      const width = TREE_ARITY ** level
      const index = Math.floor(this.leaves / width) - 1
      nodes.copy(this.levels[level] as Uint8Array, index * NODE_BYTES, at, at + NODE_BYTES)
      this.#level = this.leaves % (width * TREE_ARITY) === 0 && level < TREE_LEVELS ? level + 1 : 0
    }
  }
}

/** The valid part of a tree file. */
interface Valid {
  readonly tree: MerkleTree
  /** Length of the valid part, in bytes, and the digest at its end. */
  readonly bytes: number
  readonly digest: Buffer
}

/**
 * Reads a tree file's content up to the first damaged or incomplete record. If the first line is wrong, nothing is
 * valid.
 */
async function readValid(file: FileHandle): Promise<Valid> {
  const { size } = await file.stat()
  const writer = new LevelWriter(leavesWithin(Math.floor(size / NODE_BYTES)) + RECORD_LEAVES)
  const piece = Buffer.alloc(COUNT_BYTES + RECORD_NODES_MAX * NODE_BYTES + DIGEST_BYTES)
  let [bytes, digest] = [0, Buffer.alloc(0) as Buffer]
  const head = await readAt(file, piece, 0, HEAD.length)
  if (head?.equals(HEAD) === true) {
    bytes = HEAD.length
    for (;;) {
      const record = await readRecord(file, piece, bytes, digest)
      // Another process may append records during the read. There is no memory for them, so the read stops before them.
      if (record === undefined || record.bytes > size) break
      writer.write(record.nodes)
      ;({ bytes, digest } = record)
    }
  }
  const tree = MerkleTree.fromCompleteNodes(wasmPoseidon, writer.leaves, writer.levels)
  return { tree, bytes, digest }
}

async function readRecord(file: FileHandle, piece: Buffer, at: number, before: Buffer) {
  const count = (await readAt(file, piece, at, COUNT_BYTES))?.readUInt32LE(0)
  if (count === undefined || count === 0 || count > RECORD_NODES_MAX) return undefined
  const length = count * NODE_BYTES
  const body = await readAt(file, piece, at + COUNT_BYTES, length + DIGEST_BYTES)
  if (body === undefined) return undefined
  const nodes = body.subarray(0, length)
  const digest = digestOf(before, nodes)
  if (!digest.equals(body.subarray(length))) return undefined
  return { nodes, digest, bytes: at + COUNT_BYTES + length + DIGEST_BYTES }
}

const digestOf = (before: Buffer, nodes: Buffer): Buffer =>
  createHash('sha256').update(before).update(nodes).digest()

/** Reads this many bytes into a buffer. Returns undefined if the file is shorter. */
async function readAt(
  file: FileHandle,
  piece: Buffer,
  position: number,
  length: number,
): Promise<Buffer | undefined> {
  for (let done = 0; done < length;) {
    const { bytesRead } = await file.read(piece, done, length - done, position + done)
    if (bytesRead === 0) return undefined
    done += bytesRead
  }
  return piece.subarray(0, length)
}

/**
 * Returns the tree in a file. If the file is missing or can't be opened, returns an empty tree. A damaged record and
 * all records after it are left out.
 */
export async function readTreeFile(path: string | undefined): Promise<MerkleTree> {
  if (path === undefined) return new MerkleTree(wasmPoseidon)
  let file: FileHandle
  try {
    file = await open(path, 'r')
  } catch {
    return new MerkleTree(wasmPoseidon)
  }
  try {
    return (await readValid(file)).tree
  } finally {
    await file.close()
  }
}

/**
 * A file that keeps the complete nodes of the note tree. With it, a worker can start without hashing every leaf. The
 * file contains only what the chain shows publicly. Only one process writes a file; several may read it.
 */
export class TreeFile {
  readonly #file: FileHandle
  readonly #unlock: () => void
  /** Length of the file's valid part, its digest, and its number of leaves. */
  #bytes: number
  #digest: Buffer
  #leaves: number
  /** The roots of the subtrees with the file's leaves: see `peaksOf`. */
  #peaks: Buffer

  private constructor(file: FileHandle, unlock: () => void, { tree, bytes, digest }: Valid) {
    this.#file = file
    this.#unlock = unlock
    this.#bytes = bytes
    this.#digest = digest
    this.#leaves = tree.size
    this.#peaks = peaksOf(tree, tree.size)
  }

  /**
   * Opens a file for writing, and returns the tree that it contains.
   * @throws FileLockedError if another process writes the file
   * @throws Error if the file can't be opened or created
   */
  static async open(path: string): Promise<{ readonly file: TreeFile; readonly tree: MerkleTree }> {
    const unlock = lockFile(`${path}.lock`)
    let handle: FileHandle | undefined
    try {
      handle = await open(path, 'a+', 0o600)
      await handle.close()
      handle = await open(path, 'r+')
      const valid = await readValid(handle)
      return { file: new TreeFile(handle, unlock, valid), tree: valid.tree }
    } catch (error) {
      await handle?.close().catch(() => undefined)
      unlock()
      throw error
    }
  }

  /**
   * Writes the leaves that the tree has and the file lacks, with the nodes that they complete. The newest leaves aren't
   * written: a node of the chain may have invented them, and another reading of the chain may replace them. If leaves
   * in the file have changed, the file is written again from its start. Other work can run between two records.
   */
  async save(tree: TreeNodes): Promise<void> {
    if (this.#bytes === 0 || !this.#isStartOf(tree)) await this.#begin()
    if (tree.size - RECENT - this.#leaves < LEAVES_MIN) return
    // The tree may change while a record is written. If it changes leaves in the file, the next call writes them again.
    while (this.#leaves < tree.size - RECENT && this.#isStartOf(tree)) {
      await this.#append(tree, Math.min(this.#leaves + RECORD_LEAVES, tree.size - RECENT))
    }
    await this.#file.datasync()
  }

  async close(): Promise<void> {
    await this.#file.close()
    this.#unlock()
  }

  /** True if the tree begins with the leaves in the file. */
  #isStartOf(tree: TreeNodes): boolean {
    return tree.size >= this.#leaves && peaksOf(tree, this.#leaves).equals(this.#peaks)
  }

  async #begin(): Promise<void> {
    await this.#file.truncate(0)
    await this.#write(HEAD, 0)
    ;[this.#bytes, this.#digest, this.#leaves] = [HEAD.length, Buffer.alloc(0), 0]
    this.#peaks = Buffer.alloc(0)
  }

  async #append(tree: TreeNodes, to: number): Promise<void> {
    const nodes = postOrder(tree, this.#leaves, to)
    const peaks = peaksOf(tree, to)
    const digest = digestOf(this.#digest, nodes)
    const count = Buffer.alloc(COUNT_BYTES)
    count.writeUInt32LE(nodes.length / NODE_BYTES)
    const record = Buffer.concat([count, nodes, digest])
    await this.#write(record, this.#bytes)
    this.#bytes += record.length
    ;[this.#digest, this.#leaves, this.#peaks] = [digest, to, peaks]
  }

  /** Writes all bytes. On a nearly full disk, one write may store only some of them. */
  async #write(bytes: Buffer, at: number): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, at + done)
      done += bytesWritten
    }
  }
}

/**
 * Returns the roots of the largest complete subtrees that together contain the first `leaves` leaves. If two trees have
 * the same roots, all of these leaves are equal.
 */
function peaksOf(tree: TreeNodes, leaves: number): Buffer {
  const peaks: Uint8Array[] = []
  for (let level = 0, width = leaves; width > 0; level += 1) {
    const next = Math.floor(width / TREE_ARITY)
    peaks.push(tree.nodesOf(level, next * TREE_ARITY, width))
    width = next
  }
  return Buffer.concat(peaks)
}
