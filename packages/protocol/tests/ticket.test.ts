import { address } from '@solana/kit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addressFromBytes,
  amount,
  decodeTicket,
  encodeTicket,
  FIELD_MODULUS,
  unixSeconds,
  type OwnerOf,
  type Ticket,
} from '../index.ts'

const ticket: Ticket = {
  program: address('So11111111111111111111111111111111111111112'),
  orderId: new Uint8Array(16).fill(7),
  note: {
    nk: 123456789n,
    claim: {
      kind: 'transfer',
      recipient: address('Ed25519SigVerify111111111111111111111111111'),
      amountOut: amount(18_446_744_073_709_551_614n),
    },
    sender: address('Sysvar1nstructions1111111111111111111111111'),
    mint: address('So11111111111111111111111111111111111111112'),
    value: amount(18_446_744_073_709_551_615n),
    deadline: unixSeconds(1_800_000_000n),
    expiry: unixSeconds(1_800_003_000n),
  },
}
/** Replaces the curve: in these tests, the public key may be any function of the secret. */
const ownerOf: OwnerOf = (secret) => ({ x: secret + 1n, y: secret + 2n })
const balance: Ticket = {
  ...ticket,
  note: { ...ticket.note, claim: { kind: 'balance', owner: ownerOf(77n) } },
  secret: 77n,
}
/** The base point of the curve's subgroup and its negative, so that there is a packed owner of either sign. */
const base = {
  x: 5299619240641551281634865583518297030282874472190772894086521144482721001553n,
  y: 16950150798460657717958625567821834550301663161624707787222815936182638968203n,
}
const owners = [base, { x: FIELD_MODULUS - base.x, y: base.y }]

const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size })
const anAddress = bytes(32).map(addressFromBytes)
const u64 = fc.bigInt({ min: 0n, max: 18_446_744_073_709_551_615n }).map(amount)
const u32 = fc.bigInt({ min: 0n, max: 4_294_967_295n }).map(unixSeconds)
const element = fc.bigInt({ min: 0n, max: FIELD_MODULUS - 3n })
const parts = fc.record({
  program: anAddress,
  orderId: bytes(16),
  sender: anAddress,
  mint: anAddress,
  value: u64,
  deadline: u32,
  expiry: u32,
  nk: element,
  recipient: anAddress,
  amountOut: u64,
  secret: fc.option(element),
})

it('a decoded ticket of either kind has the values that were encoded', () => {
  fc.assert(
    fc.property(parts, ({ program, orderId, recipient, amountOut, secret, ...note }) => {
      const claim =
        secret === null
          ? ({ kind: 'transfer', recipient, amountOut } as const)
          : ({ kind: 'balance', owner: ownerOf(secret) } as const)
      const rest = secret === null ? {} : { secret }
      const made: Ticket = { program, orderId, note: { ...note, claim }, ...rest }
      const text = encodeTicket(made)
      expect(text).toMatch(/^sotto2_[\w-]{276}$/)
      expect(decodeTicket(text, ownerOf)).toEqual(made)
    }),
    { numRuns: 60 },
  )
})

it('a ticket in which one character was changed is refused', () => {
  const text = encodeTicket(ticket)
  for (let index = 'sotto2_'.length; index < text.length; index += 1) {
    const other = text[index] === 'A' ? 'B' : 'A'
    const changed = text.slice(0, index) + other + text.slice(index + 1)
    expect(() => decodeTicket(changed), `character ${index}`).toThrow(/ticket/)
  }
})

describe("a balance's ticket", () => {
  it("is refused by a reader that computes no keys if it contains the owner's secret", () => {
    const text = encodeTicket(balance)
    expect(() => decodeTicket(text)).toThrow(/contains a balance's secret/)
    expect(() => decodeTicket(text)).not.toThrow(/77/)
  })

  it.each(owners)("can be read by any reader if it lacks the owner's secret", (owner) => {
    const { program, orderId, note } = balance
    const owned: Ticket = {
      program,
      orderId,
      note: { ...note, claim: { kind: 'balance', owner } },
    }
    const text = encodeTicket(owned)
    expect(text).toMatch(/^sotto2_[\w-]{276}$/)
    expect(decodeTicket(text)).toEqual(owned)
    expect(decodeTicket(text, ownerOf)).toEqual(owned)
  })

  it('is refused if its owner is not a point on the curve', () => {
    const owner = { x: 0n, y: 2n }
    const note = { ...balance.note, claim: { kind: 'balance', owner } as const }
    const text = encodeTicket({ ...balance, note, secret: undefined })
    expect(() => decodeTicket(text)).toThrow(/owner is not a valid public key/)
  })
})
