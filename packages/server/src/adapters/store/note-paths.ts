import { wasmPoseidon } from '@sotto/poseidon'
import { fieldFromBytes, MerkleTree } from '@sotto/protocol'
import type { Clock } from '../../ports/clock.ts'
import type { NotePath, NotePaths } from '../../ports/note-paths.ts'
import { bytesOf } from './column-values.ts'
import { loadTree } from '../tree/load-tree.ts'
import { readLeaves } from './settlement/leaves.ts'
import type { Sql } from './sql.ts'

/**
 * Time for which a tree is used without an update. The chain keeps the newest 1,024 roots. No pool receives so many
 * transactions within this time, so the tree's root is still on the chain.
 */
const FRESH_MS = 5_000
/**
 * The whole tree is read again after this time. A rescan of the chain may have changed the order of leaves, and an
 * update compares only the last leaf.
 */
const WHOLE_MS = 3_600_000
/** Maximum number of new leaves that are hashed synchronously. Hashing so many leaves takes a few milliseconds. */
const FEW_LEAVES = 256
const THREADS = 2

/**
 * Computes notes' Merkle paths from a tree in memory. The first use reads the tree from the database. Later uses update
 * it.
 */
export class SqlNotePaths implements NotePaths {
  readonly #sql: Sql
  readonly #clock: Clock
  #tree = new MerkleTree(wasmPoseidon)
  #freshMs = -Infinity
  #wholeMs = -Infinity
  #reading: Promise<void> | undefined
  #readingWhole: Promise<void> | undefined

  readonly #readKept: () => Promise<MerkleTree>

  /** @param readKept reads the tree that a worker has kept on this machine; returns an empty tree if there is none */
  constructor(
    sql: Sql,
    clock: Clock,
    readKept: () => Promise<MerkleTree> = async () => new MerkleTree(wasmPoseidon),
  ) {
    this.#sql = sql
    this.#clock = clock
    this.#readKept = readKept
  }

  async read(orderId: Uint8Array): Promise<NotePath | undefined> {
    const [row] = await this.#sql.query<{ leaf_index: number; leaf: Uint8Array }>(
      `SELECT leaf_index::integer AS leaf_index, leaf FROM leaves
       WHERE leaf_index = (SELECT orders.leaf_index FROM orders WHERE id = $1)`,
      [orderId],
      'note-leaf',
    )
    if (row === undefined) return undefined
    const leaf = fieldFromBytes(bytesOf(row.leaf))
    const isHeld = this.#tree.leaf(row.leaf_index) === leaf
    const ageMs = Math.abs(this.#clock.nowMs() - this.#freshMs)
    if (!isHeld || ageMs > FRESH_MS) await this.#catchUp()
    if (this.#tree.leaf(row.leaf_index) !== leaf) return undefined
    const { leaf_index: leafIndex } = row
    return { leafIndex, path: this.#tree.path(leafIndex), root: this.#tree.root }
  }

  /** Updates the tree. Concurrent requests share one update. */
  #catchUp(): Promise<void> {
    this.#reading ??= this.#readOn().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #readOn(): Promise<void> {
    const nowMs = this.#clock.nowMs()
    const { size } = this.#tree
    // The last known leaf is read again. If it differs, the follower has scanned the chain again.
    const [last, ...more] = size === 0 ? [] : await readLeaves(this.#sql, size - 1)
    if (last === undefined || last !== this.#tree.leaf(size - 1) || more.length > FEW_LEAVES) {
      await this.#readWhole(nowMs)
    } else {
      this.#tree.appendAll(more)
      // Reading a large tree takes seconds, and the current tree is almost certainly correct. So no request waits for
      // this read.
      if (Math.abs(nowMs - this.#wholeMs) > WHOLE_MS) this.#readWhole(nowMs).catch(() => undefined)
    }
    this.#freshMs = nowMs
  }

  /**
   * Reads the whole tree. Concurrent calls share one read. If the read fails, the requests that wait for it fail. If it
   * fails while no request waits for it, the current tree is used for another hour.
   */
  #readWhole(nowMs: number): Promise<void> {
    this.#wholeMs = nowMs
    this.#readingWhole ??= this.#readKept()
      .then((kept) => loadTree((...of) => readLeaves(this.#sql, ...of), kept, THREADS))
      .then((tree) => void (this.#tree = tree))
      .finally(() => {
        this.#readingWhole = undefined
      })
    return this.#readingWhole
  }
}
