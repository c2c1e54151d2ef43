import { amount, U64_MAX } from '@sotto/protocol'
import fc from 'fast-check'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { quoteText } from '../../adapters/fast/quote-text.ts'
import { openFileSecrets } from '../../adapters/keystore/file-secrets.ts'
import { systemRandom } from '../../adapters/random/system-random.ts'
import { canonicalJson } from '../../domain/canonical-json.ts'
import { epochAt, FIRST_EPOCH } from '../../domain/epoch.ts'
import type { QuoteBinding } from '../../domain/quote-id.ts'
import type { UnsignedQuote } from '../../ports/quote-text.ts'
import type { Secrets } from '../../ports/secrets.ts'
import { signQuote } from './sign-quote.ts'
import { assertUnexpired, readQuoteId, verifyQuote, type VerifiedQuote } from './verify-quote.ts'

const NOW_MS = 1_800_000_000_000

const signing = { random: systemRandom, quoteText }

let secrets: Secrets
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-verify-'))
  secrets = openFileSecrets(folder, systemRandom)
})

const digits = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String)
const text = fc.string({ maxLength: 12 })
/** Assets and times never contain characters that JSON escapes. */
const plain = fc.stringMatching(/^[0-9A-Za-z:.-]{0,44}$/)
const quotes = fc.record({
  sourceAssetId: plain,
  destinationAssetId: plain,
  mode: fc.constantFrom('exact_in', 'exact_out'),
  amountIn: digits,
  amountOut: digits,
  fee: digits,
  protocolFee: digits,
  networkFee: digits,
  feeBreakdown: fc.record({ serviceFee: digits, partnerFee: digits, networkFee: digits }),
  duration: fc.nat(),
  min: digits,
  max: digits,
  issuedAt: plain,
  expiresAt: plain,
})
const bindings = fc.record({
  accountId: text,
  senderAddress: text,
  recipientAddress: text,
  feeBps: fc.nat({ max: 10_000 }),
  feeRecipientAddress: fc.option(text, { nil: undefined }),
  topUp: fc.option(
    // All records have the same prototype, so that records with equal members are equal.
    fc.record(
      { key: text, lifeSeconds: fc.nat({ max: 9 }), isReturned: fc.boolean() },
      { noNullPrototype: true },
    ),
    { nil: undefined },
  ),
})
const carried = fc.record({
  accountExisted: fc.boolean(),
  isPayment: fc.boolean(),
  minDelaySeconds: fc.nat({ max: 86_400 }),
  maxDelaySeconds: fc.nat({ max: 86_400 }),
  value: fc.bigInt({ min: 1n, max: U64_MAX }).map(amount),
})

type Json = Record<string, unknown>

/** Values that a member of a request could have. */
const values = fc.oneof(fc.jsonValue() as fc.Arbitrary<unknown>, digits, text)

interface Change {
  readonly name: string
  readonly isInner: boolean
  /** Undefined means that the member is removed. */
  readonly value: unknown
}

const NAMES = [
  'amountIn',
  'duration',
  'feeBreakdown',
  'max',
  'quoteId',
  'expiresAt',
  'mode',
] as const
const INNER_NAMES = ['serviceFee', 'partnerFee', 'networkFee'] as const
const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    name: fc.oneof(fc.constantFrom(...NAMES, '__proto__', 'constructor'), text),
    isInner: fc.constant(false),
    value: fc.oneof(values, fc.constant(undefined)),
  }),
  fc.record({
    name: fc.oneof(fc.constantFrom(...INNER_NAMES, '__proto__'), text),
    isInner: fc.constant(true),
    value: fc.oneof(values, fc.constant(undefined)),
  }),
)

/** Returns a copy of the object with one own member set or removed. The member may have any name. */
function withMember(object: Json, name: string, value: unknown): Json {
  const others = Object.entries(object).filter(([other]) => other !== name)
  // Unlike an assignment, this sets `__proto__` like any other member.
  return Object.fromEntries(value === undefined ? others : [...others, [name, value]])
}

function applied(quote: Json, { name, isInner, value }: Change): Json {
  if (!isInner) return withMember(quote, name, value)
  return { ...quote, feeBreakdown: withMember(quote['feeBreakdown'] as Json, name, value) }
}

type Carried = Parameters<typeof signQuote>[3]

async function sign(quote: UnsignedQuote, of: Carried, binding: QuoteBinding) {
  const own = await secrets.forNewOrder(epochAt(NOW_MS))
  return JSON.parse(signQuote(signing, own, quote, of, binding)) as Json
}

async function verdict(received: Json, binding: QuoteBinding, nowMs = NOW_MS): Promise<string> {
  try {
    await verifyQuote(secrets, readQuoteId(received), received, binding, nowMs)
    return 'verified'
  } catch (error) {
    return String((error as { code?: unknown }).code)
  }
}

const shuffled = (object: Json): Json => Object.fromEntries(Object.entries(object).reverse())

describe('any quote', () => {
  it('is verified only if no member was changed', async () => {
    await fc.assert(
      fc.asyncProperty(quotes, carried, bindings, changes, async (terms, of, binding, change) => {
        const signed = await sign(terms, of, binding)
        expect(await verdict(signed, binding)).toBe('verified')
        expect(await verdict(shuffled(signed), binding)).toBe('verified')
        const changed = applied(signed, change)
        fc.pre(canonicalJson(changed) !== canonicalJson(signed))
        expect(await verdict(changed, binding)).toBe('QUOTE_MISMATCH')
      }),
      { numRuns: 1_000 },
    )
  })

  it('is verified only for the request that it was made for', async () => {
    await fc.assert(
      fc.asyncProperty(quotes, carried, bindings, bindings, async (terms, of, binding, other) => {
        const signed = await sign(terms, of, binding)
        for (const name of Object.keys(binding) as (keyof typeof binding)[]) {
          if (isDeepStrictEqual(other[name], binding[name])) continue
          expect(await verdict(signed, { ...binding, [name]: other[name] })).toBe('QUOTE_MISMATCH')
        }
      }),
      { numRuns: 200 },
    )
  })
})

it('a quote is valid up to the millisecond of its expiry', () => {
  const verified = { quote: { expiresAt: new Date(NOW_MS).toISOString() } } as VerifiedQuote
  expect(() => assertUnexpired(verified, NOW_MS)).not.toThrow()
  expect(() => assertUnexpired(verified, NOW_MS + 1)).toThrow(
    expect.objectContaining({ code: 'QUOTE_EXPIRED' }),
  )
})

describe('the epoch that a quote names', () => {
  const binding: QuoteBinding = {
    ...{ accountId: 'a', senderAddress: 's', recipientAddress: 'r', feeBps: 0 },
    feeRecipientAddress: undefined,
  }
  const of = {
    ...{ accountExisted: true, isPayment: false, value: amount(3n) },
    ...{ minDelaySeconds: 1, maxDelaySeconds: 2 },
  }
  const signedIn = async (epoch: number): Promise<Json> => {
    const [terms] = fc.sample(quotes, { numRuns: 1, seed: 1 })
    const own = await secrets.forNewOrder(epoch)
    return JSON.parse(signQuote(signing, own, terms!, of, binding)) as Json
  }

  it('must have begun, even if a later epoch has a key', async () => {
    const now = epochAt(NOW_MS)
    expect(await verdict(await signedIn(now - 1), binding)).toBe('verified')
    expect(await verdict(await signedIn(now + 1), binding)).toBe('QUOTE_MISMATCH')
  })

  it('may begin up to a minute later by the clock of this replica', async () => {
    const signed = await signedIn(epochAt(NOW_MS))
    expect(await verdict(signed, binding, NOW_MS - 60_000)).toBe('verified')
    expect(await verdict(signed, binding, NOW_MS - 60_001)).toBe('QUOTE_MISMATCH')
  })

  it('must not be before the first epoch', async () => {
    expect(await verdict(await signedIn(FIRST_EPOCH), binding)).toBe('verified')
    expect(await verdict(await signedIn(FIRST_EPOCH - 1), binding)).toBe('QUOTE_MISMATCH')
  })

  it('makes the quote expire when the epoch’s key is destroyed', async () => {
    const signed = await signedIn(epochAt(NOW_MS))
    const folder = await mkdtemp(join(tmpdir(), 'sotto-verify-'))
    const without = openFileSecrets(folder, systemRandom)
    const id = readQuoteId(signed)
    await expect(verifyQuote(without, id, signed, binding, NOW_MS)).rejects.toMatchObject({
      code: 'QUOTE_EXPIRED',
    })
  })

  it('changes nothing in the verified quote', async () => {
    const signed = await signedIn(epochAt(NOW_MS))
    const id = readQuoteId(signed)
    expect(await verifyQuote(secrets, id, signed, binding, NOW_MS)).toEqual({ id, quote: signed })
  })
})
