import type { Address } from '@solana/kit'
import type { Account } from '../chain/account.ts'
import type { Batch, Reservation } from '../chain/journal.ts'
import type { TransactionRecord } from '../chain/transaction-record.ts'
import { readAccountChange, writeAccountChange } from './account-change-codec.ts'
import { BinaryReader } from './binary-reader.ts'
import { BinaryWriter } from './binary-writer.ts'
import { readTransaction, writeTransaction } from './transaction-codec.ts'

export function encodeBatch(batch: Batch): Buffer {
  const writer = new BinaryWriter().u64(batch.slot).u64(batch.unixTime)
  writer.list(batch.records, (record) => writeTransaction(writer, record))
  writer.list(batch.changes, (change) => writeAccountChange(writer, change))
  return writer.finish()
}

/** A batch as read from the log. It has only the new content of each account. */
export interface ReplayedBatch {
  readonly slot: number
  readonly unixTime: number
  readonly records: TransactionRecord[]
  readonly accounts: { address: Address; after: Account | null }[]
}

export function decodeBatch(
  payload: Uint8Array,
  current: (address: Address) => Account | null,
): ReplayedBatch {
  const reader = new BinaryReader(payload)
  const slot = reader.count()
  const unixTime = reader.count()
  const records = reader.list(() => readTransaction(reader, slot))
  const accounts = reader.list(() => readAccountChange(reader, current))
  return { slot, unixTime, records, accounts }
}

export function encodeReservation(reservation: Reservation): Buffer {
  const { slot, unixTime, offsetSeconds } = reservation
  return new BinaryWriter().u64(slot).u64(unixTime).u64(offsetSeconds).finish()
}

export function decodeReservation(payload: Uint8Array): Reservation {
  const reader = new BinaryReader(payload)
  return { slot: reader.count(), unixTime: reader.count(), offsetSeconds: reader.count() }
}
