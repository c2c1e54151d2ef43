import type { Address } from '@solana/kit'
import type { TransactionRecord } from './transaction-record.ts'

/** Returns the number by which a transaction is sorted among the transactions of its slot. */
export type RankOf = (signature: string) => number

/** Every transaction that landed. Transactions can be looked up by signature, by address and by slot. */
export class Ledger {
  readonly #all: TransactionRecord[] = []
  readonly #bySignature = new Map<string, TransactionRecord>()
  readonly #byAddress = new Map<Address, TransactionRecord[]>()
  readonly #bySlot = new Map<number, TransactionRecord[]>()
  /** The position of each transaction in the order of execution. It determines the order within a slot. */
  readonly #positions = new Map<string, number>()

  /** Number of transactions that had landed by the end of a slot. */
  countUpTo(slot: number): number {
    return countUpTo(this.#all, slot)
  }

  /** Appends records in the order in which they were executed. */
  append(records: readonly TransactionRecord[]): void {
    for (const record of records) {
      this.#positions.set(record.signature, this.#all.length)
      this.#all.push(record)
      this.#bySignature.set(record.signature, record)
      pushTo(this.#bySlot, record.slot, record)
      for (const address of new Set(record.accountKeys)) pushTo(this.#byAddress, address, record)
    }
  }

  find(signature: string): TransactionRecord | undefined {
    return this.#bySignature.get(signature)
  }

  inSlot(slot: number): readonly TransactionRecord[] {
    return this.#bySlot.get(slot) ?? []
  }

  /** A landed transaction's index in its block, starting at 0. */
  placeOf({ signature, slot }: TransactionRecord): number {
    const at = (one: string) => this.#positions.get(one) ?? 0
    const [first] = this.inSlot(slot)
    return first === undefined ? 0 : at(signature) - at(first.signature)
  }

  /** Transactions of slots above `fromSlot` up to `toSlot`, oldest first. */
  between(fromSlot: number, toSlot: number): TransactionRecord[] {
    const start = this.countUpTo(fromSlot)
    return this.#all.slice(start, this.countUpTo(toSlot))
  }

  /**
   * Transactions that name the address, newest first. `before` and `until` are signatures. The result has only
   * transactions that are older than `before` and newer than `until`. A signature that isn't in the ledger is ignored.
   * Within a slot, transactions are sorted by rank. By default, the rank is the order of execution.
   */
  *mentioning(
    address: Address,
    range: { before?: string | undefined; until?: string | undefined },
    rankOf: RankOf = (signature) => this.#positions.get(signature) ?? 0,
  ): Generator<TransactionRecord> {
    const { before, until } = range
    const records = this.#byAddress.get(address) ?? []
    const below = before === undefined ? undefined : this.find(before)
    const above = until === undefined ? undefined : this.find(until)
    const isAfter = (one: TransactionRecord, other: TransactionRecord) =>
      one.slot === other.slot
        ? rankOf(one.signature) > rankOf(other.signature)
        : one.slot > other.slot
    const end = below === undefined ? records.length : countUpTo(records, below.slot)
    for (const record of newestFirst(records, end, rankOf)) {
      if (above !== undefined && !isAfter(record, above)) return
      if (below === undefined || isAfter(below, record)) yield record
    }
  }
}

/** The number of records in this slot and all earlier slots. `records` must be in order of execution. */
function countUpTo(records: readonly TransactionRecord[], slot: number): number {
  let low = 0
  let high = records.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((records[middle]?.slot ?? 0) <= slot) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Yields the first `count` records in reverse: slots from the newest to the oldest, and the records of one slot by
 * descending rank. `records` must be in order of execution.
 */
function* newestFirst(
  records: readonly TransactionRecord[],
  count: number,
  rankOf: RankOf,
): Generator<TransactionRecord> {
  let end = count
  while (end > 0) {
    let start = end - 1
    const slot = records[start]?.slot
    while (start > 0 && records[start - 1]?.slot === slot) start -= 1
    const sharing = records.slice(start, end)
    yield* sharing.sort((one, other) => rankOf(other.signature) - rankOf(one.signature))
    end = start
  }
}

function pushTo<K>(map: Map<K, TransactionRecord[]>, key: K, record: TransactionRecord): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [record])
  else list.push(record)
}
