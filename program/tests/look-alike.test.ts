import { amount, MAX_LIFE_SECONDS, NATIVE_MINT, type Amount } from '@sotto/protocol'
import type { Address } from '@solana/kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { leastGross } from '../../packages/server/src/domain/fees.ts'
import { Observer, ofValue, TARIFF, type Observations } from './fixtures/observer.ts'
import { PLANTED } from './fixtures/planted-differences.ts'
import { differencesOf, shapeOf, type Seen } from './fixtures/shapes.ts'
import { giveTokens } from './fixtures/token-accounts.ts'

const VALUE = 900_000_000n
const PART = 300_000_000n
/** Seconds after a deposit. A payment at that time postpones the end of its balance. */
const DAYS = 3n * 86_400n

let observer: Observer

/** Makes every kind of settlement that pays this asset, with round and with odd amounts. */
async function settleEveryKind(mint: Address, other: Address): Promise<void> {
  const { chain } = observer.fixture
  const wallet = (await chain.wallet()).address
  const partnerAccount = mint === NATIVE_MINT ? wallet : await giveTokens(chain, mint, wallet, 0n)
  const round: Amount = amount(leastGross(500_000_000n, TARIFF))
  await observer.transfer('exact_in', ofValue(mint, 1_000_000_000n), mint)
  await observer.transfer('exact_out', ofValue(mint, round), mint)
  const shared = { ...ofValue(mint, VALUE), partnerFee: 5_000n, partnerAccount }
  await observer.transfer('with a partner', shared, `${mint} with a partner`)
  const swap = { ...ofValue(other, VALUE), destinationMint: mint, amountIn: 7_000_000n }
  await observer.transfer('swap', swap, `swap to ${mint}`)
  const [first, second] = [await observer.topUp(mint, ofValue(mint, VALUE)), ofValue(mint, VALUE)]
  await observer.pay('balance with change', first, PART)
  await observer.pay('balance without change', await observer.topUp(mint, second), VALUE)
  await observer.topUp(`${mint} with a partner`, shared)
  await observer.topUp(`swap to ${mint}`, swap)
}

/** Pays from a balance three days after its deposit. Such a late payment postpones the balance's end. */
async function payFromLastingBalance(mint: Address): Promise<void> {
  const { chain } = observer.fixture
  const note = await observer.topUp(mint, { ...ofValue(mint, VALUE), life: MAX_LIFE_SECONDS })
  chain.setTime(chain.time + DAYS)
  const moved = await observer.pay('balance with a postponed end', note, PART)
  const { deadline, expiry } = moved.spent.note
  // Checks that the payment postponed the end, because the comparison must cover such payments.
  expect(deadline).toBeGreaterThan(note.spent.note.deadline)
  expect(expiry).toBeGreaterThan(note.spent.note.expiry)
  const same = await observer.pay('change with its old end', moved, PART)
  expect(same.spent.note.deadline).toBe(deadline)
  chain.setTime(chain.time + DAYS)
  await observer.pay('change with a postponed end, paid out whole', same, same.spent.note.value)
}

beforeAll(async () => {
  observer = await Observer.start()
  const { token } = observer.fixture
  await settleEveryKind(NATIVE_MINT, token)
  await settleEveryKind(token, NATIVE_MINT)
  await observer.transfer('exact_in', ofValue(token, VALUE), token, true)
  const opening = await observer.topUp(token, ofValue(token, VALUE))
  await observer.pay('balance with change', opening, PART, true)
  await payFromLastingBalance(NATIVE_MINT)
  await payFromLastingBalance(token)
})

const seenIn = (all: Observations, group: string, kind: string): Seen => {
  const seen = all.get(group)?.get(kind)
  if (seen === undefined) throw new Error('no such transaction was made')
  return seen
}

/**
 * Compares the kinds of a group in pairs. Returns each pair whose transactions differ, with the aspects in which they
 * differ.
 */
function tellingApart(group: ReadonlyMap<string, Seen> | undefined) {
  const shapes = [...(group ?? new Map<string, Seen>())].map(([kind, seen]) => ({
    kind,
    shape: shapeOf(seen),
  }))
  return shapes.flatMap(({ kind, shape }, index) =>
    shapes.slice(index + 1).flatMap((other) => {
      const found = differencesOf(shape, other.shape)
      return found.length > 0 ? [{ kinds: [kind, other.kind], found }] : []
    }),
  )
}

test('a settlement does not reveal the kind of its note or of its order', () => {
  const { settlements } = observer
  expect([...settlements.keys()].sort()).toEqual(['SOL', 'tokens', 'tokens, opening'])
  for (const group of ['SOL', 'tokens']) expect(settlements.get(group)?.size).toBe(9)
  for (const group of settlements.values()) expect(tellingApart(group)).toEqual([])
})

test('a payment does not reveal whether it postpones the end of its balance', () => {
  for (const group of ['SOL', 'tokens']) {
    const [staying, moving, last] = [
      'balance with change',
      'balance with a postponed end',
      'change with a postponed end, paid out whole',
    ].map((kind) => shapeOf(seenIn(observer.settlements, group, kind)))
    expect(differencesOf(staying!, moving!)).toEqual([])
    expect(differencesOf(staying!, last!)).toEqual([])
  }
})

test('the deposit of a top-up looks like the deposit of a transfer', () => {
  const { deposits, fixture } = observer
  for (const mint of [NATIVE_MINT, fixture.token]) {
    expect([...(deposits.get(mint)?.keys() ?? [])].sort()).toEqual([
      ...['long top-up', 'top-up', 'transfer'],
    ])
    for (const group of [`${mint} with a partner`, `swap to ${mint}`]) {
      expect([...(deposits.get(group)?.keys() ?? [])].sort()).toEqual(['top-up', 'transfer'])
    }
  }
  expect(deposits.size).toBe(6)
  for (const group of deposits.values()) expect(tellingApart(group)).toEqual([])
})

test('a settlement reveals that it opens an account', () => {
  const [plain, opening] = ['tokens', 'tokens, opening'].map((group) =>
    shapeOf(seenIn(observer.settlements, group, 'exact_in')),
  )
  const found = differencesOf(plain!, opening!)
  expect(found).toEqual(expect.arrayContaining(['order', 'accounts', 'dataLengths', 'logs']))
})

/** For each comparison: the group, and the kind in which the test plants differences. */
const COMPARED: readonly [
  name: string,
  all: () => Observations,
  group: () => string,
  kind: string,
][] = [
  ['a delivery', () => observer.settlements, () => 'SOL', 'exact_in'],
  ['a swap’s delivery', () => observer.settlements, () => 'tokens', 'swap'],
  ['a payment', () => observer.settlements, () => 'tokens, opening', 'balance with change'],
  [
    'a payment that postpones an end',
    () => observer.settlements,
    () => 'tokens',
    'balance with a postponed end',
  ],
  ['a transfer’s deposit', () => observer.deposits, () => NATIVE_MINT, 'transfer'],
  ['a top-up', () => observer.deposits, () => observer.fixture.token, 'long top-up'],
  [
    'a top-up with a partner',
    () => observer.deposits,
    () => `${NATIVE_MINT} with a partner`,
    'top-up',
  ],
]

describe.each(COMPARED)('the comparison of %s with the other kinds', (_, all, group, kind) => {
  test.each(PLANTED)('finds a planted difference: %s', (__, aspect, plant) => {
    const seen = all().get(group())!
    const planted = new Map(seen).set(kind, plant(seenIn(all(), group(), kind)))
    const found = tellingApart(planted)
    // The changed kind must differ from every other kind in its group. No other two kinds may differ.
    expect(found).toHaveLength(seen.size - 1)
    for (const one of found) expect(one).toMatchObject({ found: expect.arrayContaining([aspect]) })
    for (const { kinds } of found) expect(kinds).toContain(kind)
  })
})

test('an observer recognises a payment whose fee is not the tariff’s', async () => {
  const { chain } = observer.fixture
  const { spent, leaf } = await observer.topUp('of another fee', ofValue(NATIVE_MINT, VALUE))
  const time = chain.time + (600n - (chain.time % 600n))
  const payment = { payee: observer.relayer.address, payout: VALUE, fee: 0n }
  const made = await observer.prove(spent, leaf, { time, payment })
  const seen = await observer.send(made, NATIVE_MINT, false)
  const before = seenIn(observer.settlements, 'SOL', 'exact_in')
  expect(differencesOf(shapeOf(before), shapeOf(seen))).toContain('isFeeOfTariff')
})

test('an observer recognises a refund', async () => {
  const { chain } = observer.fixture
  const { spent, leaf } = await observer.topUp('refunded', ofValue(NATIVE_MINT, VALUE))
  const time = spent.note.expiry + 600n
  chain.setTime(time)
  const made = await observer.prove(spent, leaf, { isRefund: true, time })
  const seen = await observer.send(made, NATIVE_MINT, false)
  const before = seenIn(observer.settlements, 'SOL', 'exact_in')
  const found = differencesOf(shapeOf(before), shapeOf(seen))
  expect(found).toEqual(['flags', 'isFeeOfTariff', 'logs'])
})
