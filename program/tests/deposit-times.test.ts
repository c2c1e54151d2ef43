import { beforeEach, expect, test } from 'vitest'
import { NATIVE_MINT, setConfigInstruction, unixSeconds, type DepositTerms } from '@sotto/protocol'
import { draftOrder, sendDeposit, type Order } from './fixtures/deposits.ts'
import { expectLanded, startPool, START, type PoolFixture } from './fixtures/pool.ts'

let fixture: PoolFixture

beforeEach(async () => {
  fixture = await startPool()
})

type Times = Partial<Record<'deadline' | 'validUntil', bigint>>

/** Deposits a new order at `clock`, with these times instead of the order's own. */
async function depositWith(times: Times, clock = START) {
  fixture.chain.setTime(clock)
  const order = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n })
  const changed = Object.entries(times).map(([name, value]) => [name, unixSeconds(value)])
  const terms: DepositTerms = { ...order.terms, ...(Object.fromEntries(changed) as object) }
  const retimed: Order = { ...order, terms }
  return (await sendDeposit(fixture, retimed)).refusal
}

const until = (deadline: bigint): Times => ({ deadline, validUntil: deadline })

test('I5: a deposit is refused one second after its deadline', async () => {
  expect(await depositWith(until(START), START)).toBeUndefined()
  expect(await depositWith(until(START), START + 1n)).toBe('DeadlinePassed')
})

test('a deadline more than maxDepositSeconds ahead is refused', async () => {
  expect(await depositWith(until(START + 3_600n))).toBeUndefined()
  expect(await depositWith(until(START + 4_200n))).toBe('DeadlineTooFar')
  expect(await depositWith(until(START + 4_200n), START + 599n)).toBe('DeadlineTooFar')
  expect(await depositWith(until(START + 4_200n), START + 600n)).toBeUndefined()
})

test('a deposit is refused if its deadline exceeds the limit that the admin configured', async () => {
  const { chain, admin } = fixture
  const at = { program: chain.program, admin: admin.address }
  const config = { depositsPaused: false, maxDepositSeconds: 700 }
  expectLanded(await chain.send([admin], [await setConfigInstruction(at, config)]))
  expect(await depositWith(until(START + 600n))).toBeUndefined()
  expect(await depositWith(until(START + 1_200n))).toBe('DeadlineTooFar')
  expect(await depositWith(until(START + 1_200n), START + 499n)).toBe('DeadlineTooFar')
  expect(await depositWith(until(START + 1_200n), START + 500n)).toBeUndefined()
})

test('an authorisation is refused one second after validUntil', async () => {
  const times = { deadline: START + 600n, validUntil: START + 90n }
  expect(await depositWith(times, START + 90n)).toBeUndefined()
  expect(await depositWith(times, START + 91n)).toBe('AuthorisationExpired')
})

test('an authorisation that is valid after the deadline is refused', async () => {
  const deadline = START + 600n
  expect(await depositWith({ deadline, validUntil: START + 600n })).toBeUndefined()
  expect(await depositWith({ deadline, validUntil: START + 601n })).toBe('AuthorisationExpired')
})

test('a deadline off the time grid is refused', async () => {
  for (const deadline of [START + 1n, START + 599n, START + 601n, START + 3_599n]) {
    expect(await depositWith(until(deadline))).toBe('OffTimeGrid')
  }
})
