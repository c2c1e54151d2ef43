import type { Address } from '@solana/kit'
import type { TransactionRecord } from './transaction-record.ts'

/** Every transaction that landed, found by signature, by address and by slot. */
export class Ledger {
  readonly #all: TransactionRecord[] = []
  readonly #bySignature = new Map<string, TransactionRecord>()
  readonly #byAddress = new Map<Address, TransactionRecord[]>()
  readonly #bySlot = new Map<number, TransactionRecord[]>()
  /** Position in the order of execution; decides between transactions of one slot. */
  readonly #positions = new Map<string, number>()

  /** How many transactions had landed at the end of a slot. */
  countUpTo(slot: number): number {
    return this.#all.length - this.#countAbove(slot)
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

  /** Transactions of slots above `fromSlot` up to `toSlot`, oldest first. */
  between(fromSlot: number, toSlot: number): TransactionRecord[] {
    const start = this.countUpTo(fromSlot)
    return this.#all.slice(start, this.countUpTo(toSlot))
  }

  /** Transactions that name the address, newest first, strictly between the two signatures. */
  *mentioning(
    address: Address,
    range: { before?: string | undefined; until?: string | undefined },
  ): Generator<TransactionRecord> {
    const records = this.#byAddress.get(address) ?? []
    // Without its own position an unknown `before` has nothing below it; an unknown `until` never
    // ends the walk. Both as on a validator.
    const below = range.before === undefined ? Infinity : this.#position(range.before, -1)
    const above = range.until === undefined ? -1 : this.#position(range.until, -1)
    for (let index = records.length - 1; index >= 0; index -= 1) {
      const record = records[index]
      if (record === undefined) continue
      const position = this.#position(record.signature, 0)
      if (position <= above) return
      if (position < below) yield record
    }
  }

  /** Reads are about recent slots, so the walk from the newest end is short. */
  #countAbove(slot: number): number {
    let start = this.#all.length
    while (start > 0 && (this.#all[start - 1]?.slot ?? 0) > slot) start -= 1
    return this.#all.length - start
  }

  #position(signature: string, unknown: number): number {
    return this.#positions.get(signature) ?? unknown
  }
}

function pushTo<K>(map: Map<K, TransactionRecord[]>, key: K, record: TransactionRecord): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [record])
  else list.push(record)
}
