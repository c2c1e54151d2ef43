import { beforeEach, expect, test } from 'vitest'
import { NATIVE_MINT, setConfigInstruction, unixSeconds, type DepositTerms } from '@sotto/protocol'
import { draftOrder, sendDeposit, type Order } from './fixtures/deposits.ts'
import { expectLanded, startPool, START, type PoolFixture } from './fixtures/pool.ts'

let fixture: PoolFixture

beforeEach(async () => {
  fixture = await startPool()
})

type Times = Partial<Record<'deadline' | 'validUntil' | 'expiry', bigint>>

/** Deposits a new order at `clock` with these times changed. */
async function depositWith(times: Times, clock = START) {
  fixture.chain.setTime(clock)
  const order = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n })
  const changed = Object.entries(times).map(([name, value]) => [name, unixSeconds(value)])
  const terms: DepositTerms = { ...order.terms, ...(Object.fromEntries(changed) as object) }
  const retimed: Order = { ...order, terms }
  return (await sendDeposit(fixture, retimed)).refusal
}

const around = (deadline: bigint): Times => ({
  deadline,
  validUntil: deadline,
  expiry: deadline + 3_600n - (deadline % 600n),
})

test('I5: a deposit lands at its deadline and not a second later', async () => {
  expect(await depositWith(around(START), START)).toBeUndefined()
  expect(await depositWith(around(START), START + 1n)).toBe('DeadlinePassed')
})

test('a deadline lies at most maxDepositSeconds ahead', async () => {
  expect(await depositWith(around(START + 3_600n))).toBeUndefined()
  expect(await depositWith(around(START + 3_601n))).toBe('DeadlineTooFar')
})

test('the configured limits bind instead of the constants', async () => {
  const { chain, admin } = fixture
  const at = { program: chain.program, admin: admin.address }
  const config = { depositsPaused: false, maxDepositSeconds: 100, maxDeliverySeconds: 1_200 }
  expectLanded(await chain.send([admin], [await setConfigInstruction(at, config)]))
  const times = { deadline: START + 100n, validUntil: START + 100n }
  expect(await depositWith({ ...times, expiry: START + 1_200n })).toBeUndefined()
  expect(await depositWith({ ...times, expiry: START + 1_800n })).toBe('ExpiryOutOfRange')
  expect(await depositWith(around(START + 101n))).toBe('DeadlineTooFar')
})

test('an authorisation is good until validUntil and not a second longer', async () => {
  const times = { ...around(START + 600n), validUntil: START + 90n }
  expect(await depositWith(times, START + 90n)).toBeUndefined()
  expect(await depositWith(times, START + 91n)).toBe('AuthorisationExpired')
})

test('an authorisation never outlives the deadline', async () => {
  const times = around(START + 600n)
  expect(await depositWith({ ...times, validUntil: START + 600n })).toBeUndefined()
  expect(await depositWith({ ...times, validUntil: START + 601n })).toBe('AuthorisationExpired')
})

test('an expiry lies between the deadline and maxDeliverySeconds behind it', async () => {
  const times = { deadline: START + 600n, validUntil: START + 600n }
  expect(await depositWith({ ...times, expiry: START + 600n })).toBeUndefined()
  expect(await depositWith({ ...times, expiry: START })).toBe('ExpiryOutOfRange')
  expect(await depositWith({ ...times, expiry: START + 87_000n })).toBeUndefined()
  expect(await depositWith({ ...times, expiry: START + 87_600n })).toBe('ExpiryOutOfRange')
})

test('an expiry off the grid would tell its order apart and is refused', async () => {
  const times = { deadline: START + 600n, validUntil: START + 600n }
  for (const expiry of [START + 601n, START + 1_199n]) {
    expect(await depositWith({ ...times, expiry })).toBe('OffTimeGrid')
  }
})
