import type { AccountChange } from './account.ts'
import type { TransactionRecord } from './transaction-record.ts'

/** The changes of one round of execution. */
export interface Batch {
  readonly slot: number
  readonly unixTime: number
  readonly records: readonly TransactionRecord[]
  readonly changes: readonly AccountChange[]
}

/** The point from which a restart continues: above `slot`, with this much added to the wall clock. */
export interface Reservation {
  readonly slot: number
  readonly unixTime: number
  readonly offsetSeconds: number
}

/** The chain's durable storage, which survives the process. Each call returns only when the bytes are durable. */
export interface Journal {
  appendBatch(batch: Batch): void
  appendReservation(reservation: Reservation): void
  close(): void
}

/** The journal of an in-memory chain. */
export const forgetfulJournal: Journal = {
  appendBatch() {},
  appendReservation() {},
  close() {},
}
