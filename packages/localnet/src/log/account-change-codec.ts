import type { Address } from '@solana/kit'
import type { Account, AccountChange } from '../chain/account.ts'
import type { BinaryReader } from './binary-reader.ts'
import type { BinaryWriter } from './binary-writer.ts'
import { findByteRanges } from './byte-ranges.ts'

/** Tags for the three forms in which the log stores an account's new content. */
const REMOVED = 0
const WHOLE = 1
const PATCH = 2

/** Writes a change. If an account's data keeps its size, only the byte ranges that differ are written. */
export function writeAccountChange(writer: BinaryWriter, change: AccountChange): void {
  const { address, before, after } = change
  writer.address(address)
  if (after === null) {
    writer.u8(REMOVED)
    return
  }
  const isPatch = before !== null && before.data.length === after.data.length
  writer.u8(isPatch ? PATCH : WHOLE)
  writer
    .u64(after.lamports)
    .address(after.owner)
    .u8(after.executable ? 1 : 0)
  if (!isPatch) {
    writer.bytes(after.data)
    return
  }
  writer.list(findByteRanges(before.data, after.data), ({ start, end }) => {
    writer.u32(start).bytes(after.data.subarray(start, end))
  })
}

/** Reads a change and applies it to the account's current content. */
export function readAccountChange(
  reader: BinaryReader,
  current: (address: Address) => Account | null,
): { address: Address; after: Account | null } {
  const address = reader.address()
  const kind = reader.u8()
  if (kind === REMOVED) return { address, after: null }
  const lamports = reader.u64()
  const owner = reader.address()
  const executable = reader.u8() === 1
  if (kind === WHOLE) {
    return { address, after: { lamports, owner, executable, data: reader.bytes() } }
  }
  if (kind !== PATCH) throw new RangeError(`unknown kind of account change ${kind}`)
  const data = Uint8Array.from(current(address)?.data ?? [])
  for (const { start, bytes } of reader.list(() => readRange(reader))) data.set(bytes, start)
  return { address, after: { lamports, owner, executable, data } }
}

function readRange(reader: BinaryReader): { start: number; bytes: Uint8Array } {
  return { start: reader.u32(), bytes: reader.bytes() }
}
