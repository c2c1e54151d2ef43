import type { AccountChange } from './account.ts'
import type { TransactionRecord } from './transaction-record.ts'

/** The changes of one execution: a list of transactions in the same block, or a written account. */
export interface Batch {
  readonly slot: number
  readonly unixTime: number
  readonly records: readonly TransactionRecord[]
  readonly changes: readonly AccountChange[]
}

/** The point at which a restart continues: after `slot`, with the given seconds added to the wall clock. */
export interface Reservation {
  readonly slot: number
  readonly unixTime: number
  readonly offsetSeconds: number
}

/** The chain's durable storage, which survives the process. Each call returns after the bytes are durable. */
export interface Journal {
  appendBatch(batch: Batch): void
  appendReservation(reservation: Reservation): void
  close(): void
}

/** The journal of an in-memory chain: it stores nothing. */
export const forgetfulJournal: Journal = {
  appendBatch() {},
  appendReservation() {},
  close() {},
}
