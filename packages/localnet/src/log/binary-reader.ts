import type { Address } from '@solana/kit'
import { ADDRESS_BYTES, readAddress } from './known-addresses.ts'

/** Reads bytes that a BinaryWriter wrote. Throws RangeError if a read goes beyond the last byte. */
export class BinaryReader {
  readonly #buffer: Buffer
  #offset = 0

  constructor(payload: Uint8Array) {
    this.#buffer = Buffer.from(payload.buffer, payload.byteOffset, payload.length)
  }

  u8(): number {
    return this.#buffer.readUInt8(this.#skip(1))
  }

  u32(): number {
    return this.#buffer.readUInt32LE(this.#skip(4))
  }

  u64(): bigint {
    return this.#buffer.readBigUInt64LE(this.#skip(8))
  }

  /** Reads a u64 whose value is a slot or a time, far below 2^53. */
  count(): number {
    return Number(this.u64())
  }

  bytes(): Uint8Array {
    const length = this.u32()
    const start = this.#skip(length)
    return new Uint8Array(this.#buffer.subarray(start, start + length))
  }

  text(): string {
    return Buffer.from(this.bytes()).toString('utf8')
  }

  address(): Address {
    return readAddress(this.#buffer, this.#skip(ADDRESS_BYTES))
  }

  optional<T>(read: () => T): T | null {
    return this.u8() === 0 ? null : read()
  }

  list<T>(read: () => T): T[] {
    return Array.from({ length: this.u32() }, () => read())
  }

  #skip(bytes: number): number {
    const start = this.#offset
    if (start + bytes > this.#buffer.length) throw new RangeError('the record ends too early')
    this.#offset = start + bytes
    return start
  }
}
