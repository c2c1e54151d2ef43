import type { Address } from '@solana/kit'
import { getAddressEncoder } from '@solana/kit'

const addresses = getAddressEncoder()

/** Builds a record's payload: little-endian numbers, length-prefixed bytes. */
export class BinaryWriter {
  readonly #chunks: Uint8Array[] = []

  u8(value: number): this {
    this.#chunks.push(Buffer.of(value))
    return this
  }

  u32(value: number): this {
    const chunk = Buffer.alloc(4)
    chunk.writeUInt32LE(value)
    this.#chunks.push(chunk)
    return this
  }

  u64(value: bigint | number): this {
    const chunk = Buffer.alloc(8)
    chunk.writeBigUInt64LE(BigInt(value))
    this.#chunks.push(chunk)
    return this
  }

  bytes(value: Uint8Array): this {
    this.u32(value.length)
    this.#chunks.push(value)
    return this
  }

  text(value: string): this {
    return this.bytes(Buffer.from(value, 'utf8'))
  }

  address(value: Address): this {
    this.#chunks.push(new Uint8Array(addresses.encode(value)))
    return this
  }

  optional<T>(value: T | null, write: (value: T) => void): this {
    this.u8(value === null ? 0 : 1)
    if (value !== null) write(value)
    return this
  }

  list<T>(values: readonly T[], write: (value: T) => void): this {
    this.u32(values.length)
    for (const value of values) write(value)
    return this
  }

  finish(): Buffer {
    return Buffer.concat(this.#chunks)
  }
}
