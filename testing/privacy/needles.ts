import { getAddressEncoder, type Address } from '@solana/kit'

/** Minimum length of a needle. Shorter needles would occur by chance in times and counts. */
const LEAST = 9

/** The text forms in which a program might print bytes. */
function formsOf(bytes: Uint8Array): string[] {
  const hex = Buffer.from(bytes).toString('hex')
  const reversed = Buffer.from(bytes.toReversed()).toString('hex')
  const pairs = hex.match(/../g)?.join(' ') ?? ''
  const indexed = [...bytes].map((byte, index) => `"${index}":${byte}`).join(',')
  const base64 = Buffer.from(bytes).toString('base64').replace(/=+$/, '')
  const base64url = Buffer.from(bytes).toString('base64url')
  return [hex, reversed, pairs, indexed, bytes.join(','), bytes.join(', '), base64, base64url]
}

/** Values that no output may contain in any form, by kind. */
export class Needles {
  readonly #forms = new Map<string, string>()

  get size(): number {
    return this.#forms.size
  }

  /** Adds a text such as a key, an id or a URL. */
  text(what: string, value: string): this {
    if (value.length < LEAST) throw new Error(`${what} is too short to search for`)
    return this.#add(what, value, ...formsOf(Buffer.from(value)))
  }

  address(what: string, value: Address): this {
    return this.#add(what, value, ...formsOf(new Uint8Array(getAddressEncoder().encode(value))))
  }

  /** Adds an amount in base units: as digits, and as eight bytes in both byte orders. */
  amount(what: string, digits: string): this {
    if (digits.length < LEAST) throw new Error(`${what} is too small to search for`)
    const bytes = Buffer.alloc(8)
    bytes.writeBigUInt64LE(BigInt(digits))
    return this.#add(what, digits, ...formsOf(bytes), BigInt(digits).toString(16))
  }

  /** Returns the kinds of the values that a text contains. Also finds hexadecimal digits in upper case. */
  foundIn(text: string): string[] {
    const small = text.toLowerCase()
    const found = [...this.#forms].filter(
      ([form]) => text.includes(form) || (/^[0-9a-f ]+$/.test(form) && small.includes(form)),
    )
    return [...new Set(found.map(([, what]) => what))]
  }

  #add(what: string, ...forms: readonly string[]): this {
    for (const form of forms) if (form.length >= LEAST) this.#forms.set(form, what)
    return this
  }
}
