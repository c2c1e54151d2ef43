import type { Outcome } from '../chain/runtime.ts'
import type { TokenBalance } from '../chain/token-balances.ts'
import type { TransactionRecord } from '../chain/transaction-record.ts'
import type { BinaryReader } from './binary-reader.ts'
import type { BinaryWriter } from './binary-writer.ts'

/** Writes a transaction's record without its slot, because its batch contains the slot. */
export function writeTransaction(writer: BinaryWriter, record: TransactionRecord): void {
  writer.text(record.signature).bytes(record.wire)
  for (const keys of [
    record.accountKeys,
    record.loaded.writable,
    record.loaded.readonly,
    record.writableKeys,
  ]) {
    writer.list(keys, (key) => writer.address(key))
  }
  writeOutcome(writer, record.outcome)
  writer.u64(record.fee)
  writer.list(record.preBalances, (balance) => writer.u64(balance))
  writer.list(record.postBalances, (balance) => writer.u64(balance))
  writer.list(record.preTokenBalances, (balance) => writeTokenBalance(writer, balance))
  writer.list(record.postTokenBalances, (balance) => writeTokenBalance(writer, balance))
  writer.text(record.messageHash).text(record.recentBlockhash).u64(record.unitPrice)
}

/** Reads a record that writeTransaction wrote. */
export function readTransaction(reader: BinaryReader, slot: number): TransactionRecord {
  const address = () => reader.address()
  const signature = reader.text()
  const wire = reader.bytes()
  const accountKeys = reader.list(address)
  const loaded = { writable: reader.list(address), readonly: reader.list(address) }
  const writableKeys = reader.list(address)
  return {
    signature,
    slot,
    wire,
    accountKeys,
    loaded,
    writableKeys,
    outcome: readOutcome(reader),
    fee: reader.u64(),
    preBalances: reader.list(() => reader.u64()),
    postBalances: reader.list(() => reader.u64()),
    preTokenBalances: reader.list(() => readTokenBalance(reader)),
    postTokenBalances: reader.list(() => readTokenBalance(reader)),
    messageHash: reader.text(),
    recentBlockhash: reader.text(),
    unitPrice: reader.u64(),
  }
}

function writeOutcome(writer: BinaryWriter, outcome: Outcome): void {
  writer.text(JSON.stringify(outcome.err))
  writer.list(outcome.logs, (line) => writer.text(line))
  writer.list(outcome.inner, (set) =>
    writer.list(set, (each) =>
      writer.u8(each.programIndex).bytes(each.accountIndices).bytes(each.data).u8(each.stackHeight),
    ),
  )
  writer.u64(outcome.unitsConsumed)
  writer.optional(outcome.returnData, ({ programId, data }) =>
    writer.address(programId).bytes(data),
  )
}

function readOutcome(reader: BinaryReader): Outcome {
  return {
    err: JSON.parse(reader.text()) as Outcome['err'],
    logs: reader.list(() => reader.text()),
    inner: reader.list(() =>
      reader.list(() => ({
        programIndex: reader.u8(),
        accountIndices: reader.bytes(),
        data: reader.bytes(),
        stackHeight: reader.u8(),
      })),
    ),
    unitsConsumed: reader.u64(),
    returnData: reader.optional(() => ({ programId: reader.address(), data: reader.bytes() })),
  }
}

function writeTokenBalance(writer: BinaryWriter, balance: TokenBalance): void {
  writer.u8(balance.accountIndex).address(balance.mint).address(balance.owner)
  writer.address(balance.programId).u64(balance.amount).u8(balance.decimals)
}

function readTokenBalance(reader: BinaryReader): TokenBalance {
  return {
    accountIndex: reader.u8(),
    mint: reader.address(),
    owner: reader.address(),
    programId: reader.address(),
    amount: reader.u64(),
    decimals: reader.u8(),
  }
}
