import type { ReadonlyUint8Array } from '@solana/kit'
import { U64_MAX } from './units.ts'

const I64_MAX = U64_MAX >> 1n
const U32_MAX = U64_MAX >> 32n

/**
 * Writes fields one after another into bytes of a known total size. Integers are little-endian. Creating an order
 * writes several such lists of fields: terms, a ticket and instructions. The client library's codecs take ten times as
 * long.
 */
export class ByteWriter {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(size: number) {
    this.#bytes = new Uint8Array(size)
    this.#view = new DataView(this.#bytes.buffer)
  }

  u8(value: number): this {
    this.#view.setUint8(this.#at, value)
    this.#at += 1
    return this
  }

  /** @throws RangeError outside u32. */
  u32(value: bigint): this {
    if (value < 0n || value > U32_MAX) throw new RangeError('not within u32')
    this.#view.setUint32(this.#at, Number(value), true)
    this.#at += 4
    return this
  }

  /** @throws RangeError outside u64, because the higher bits would be lost. */
  u64(value: bigint): this {
    if (value < 0n || value > U64_MAX) throw new RangeError('not within u64')
    this.#view.setBigUint64(this.#at, value, true)
    this.#at += 8
    return this
  }

  /** @throws RangeError outside i64. */
  i64(value: bigint): this {
    if (value < -I64_MAX - 1n || value > I64_MAX) throw new RangeError('not within i64')
    this.#view.setBigInt64(this.#at, value, true)
    this.#at += 8
    return this
  }

  /** @throws RangeError if the value doesn't have `size` bytes. */
  bytes(value: ReadonlyUint8Array, size: number): this {
    if (value.length !== size)
      throw new RangeError(`a field of ${size} bytes got ${value.length} bytes`)
    this.#bytes.set(value, this.#at)
    this.#at += size
    return this
  }

  /** The written bytes. @throws RangeError if a field is missing. */
  done(): Uint8Array {
    if (this.#at !== this.#bytes.length) throw new RangeError('a field is missing')
    return this.#bytes
  }
}
