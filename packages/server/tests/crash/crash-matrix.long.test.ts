import { orderAddress, type Address } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import { startEngine } from '../settlement/stack/engine.ts'
import { PROGRAM } from '../settlement/stack/localnet-process.ts'
import {
  deposit,
  lamportsOf,
  placeOrder,
  readState,
  type PlacedOrder,
} from '../settlement/stack/orders.ts'
import { startStack, waitUntil, type Stack } from '../settlement/stack/stack.ts'
import { makeWallet } from '../settlement/stack/wallet.ts'
import { startPostgres, type StartedPostgres } from '../start-postgres.ts'
import { awaitStatus } from './await-status.ts'
import { nameOf, type KillPoint } from './kill-point.ts'
import { BURYING, DELIVERING, DESTROYING, RECLAIMING, REFUNDING } from './kill-points.ts'
import { dieAt } from './start-doomed.ts'

// The test uses one chain, one PostgreSQL and a series of workers that are killed. Each worker continues the work of
// the killed workers. At the end, a worker that isn't killed must complete each order exactly once.

const AMOUNT = 120_000_000n
const FEE = 400_000n
const GIVEN = 10_000_000_000n
/** The deposit transaction's fees for two signatures: the sender's and the authorisation's. */
const DEPOSIT_FEE = 10_000n
const NEVER = { minDelaySeconds: 3_500, maxDelaySeconds: 3_600 }
const PAST_BLOCKHASH_SECONDS = 30
const PAST_EXPIRY_SECONDS = 1_800 + 600 + 3_600 + 600
const DAY_SECONDS = 86_400
const DAYS_AHEAD_MS = 3 * 86_400_000
const LIMIT_MS = 900_000
const OPEN_LEAST = 2
const RECORDING = ['readEntries', 'tryRecord']

let postgres: StartedPostgres
let databaseUrl: string
let stack: Stack
const delivered: PlacedOrder[] = []
const refunded: PlacedOrder[] = []

beforeAll(async () => {
  postgres = await startPostgres()
  databaseUrl = await postgres.createDatabase()
  stack = await startStack(async () => openPostgres(databaseUrl))
})
afterAll(async () => {
  await stack?.close()
  await postgres?.stop()
})

async function paidOrder(sealed = {}): Promise<PlacedOrder> {
  const recipient = makeWallet().address
  const order = await placeOrder(stack, { amountOut: AMOUNT, fee: FEE, recipient, sealed })
  await deposit(stack, order)
  return order
}

const advance = (seconds: number) => stack.localnet.local('localnet_advanceTime', [seconds])

/** Checks that each wallet has received at most one payment so far. */
async function expectNobodyPaidTwice(): Promise<void> {
  for (const { recipient } of delivered) {
    expect([0n, AMOUNT]).toContain(await lamportsOf(stack, recipient))
  }
}

/**
 * Makes sure that the next worker has work. Places and pays a new order if fewer than two orders are open, or if the
 * worker will be killed while it records a deposit.
 */
async function leaveWork({ method }: KillPoint): Promise<void> {
  const states = await Promise.all(delivered.map((order) => readState(stack, order)))
  const open = states.filter(({ status }) => status !== 'delivered').length
  if (open < OPEN_LEAST || RECORDING.includes(method)) delivered.push(await paidOrder())
}

async function killAt(point: KillPoint, aheadMs = 0): Promise<void> {
  expect(await dieAt(stack, databaseUrl, point, aheadMs)).toBe('SIGKILL')
}

/** Runs a worker that isn't killed, until it has completed these orders. */
async function finish(orders: readonly PlacedOrder[], status: string): Promise<void> {
  const engine = startEngine(stack)
  try {
    for (const order of orders) await awaitStatus(stack, order, status)
  } finally {
    await engine.stop()
  }
}

const rentOf = async (address: Address): Promise<bigint> => lamportsOf(stack, address)

it.each(DELIVERING.map((point) => [nameOf(point), point] as const))(
  'no recipient is paid twice if a worker is killed %s in a delivery',
  async (_, point) => {
    await leaveWork(point)
    await killAt(point)
    await expectNobodyPaidTwice()
  },
  LIMIT_MS,
)

it.each(BURYING.map((point) => [nameOf(point), point] as const))(
  'no recipient is paid twice if a worker is killed %s for an attempt that never reached the cluster',
  async (_, point) => {
    delivered.push(await paidOrder())
    await killAt({ port: 'store', method: 'tryJournal', when: 'after' })
    await advance(PAST_BLOCKHASH_SECONDS)
    await killAt(point)
    await expectNobodyPaidTwice()
  },
  LIMIT_MS,
)

it(
  'after all these kills every order is delivered exactly once',
  async () => {
    await finish(delivered, 'delivered')
    for (const order of delivered) {
      expect(await lamportsOf(stack, order.recipient)).toBe(AMOUNT)
      const rent = await rentOf(await orderAddress(PROGRAM, order.terms.orderId))
      expect(await lamportsOf(stack, order.sender.address)).toBe(
        GIVEN - AMOUNT - FEE - DEPOSIT_FEE - rent,
      )
      const { attempts } = await readState(stack, order)
      expect(attempts.filter((one) => one === 'deliver landed')).toHaveLength(1)
      expect(attempts.filter((one) => one === 'deliver live')).toEqual([])
    }
  },
  LIMIT_MS,
)

it(
  'undelivered orders pass their expiry',
  async () => {
    for (const _ of REFUNDING) refunded.push(await paidOrder(NEVER))
    await advance(PAST_EXPIRY_SECONDS)
  },
  LIMIT_MS,
)

it.each(REFUNDING.map((point) => [nameOf(point), point] as const))(
  'a worker is killed %s of a refund',
  async (_, point) => killAt(point),
  LIMIT_MS,
)

it(
  'after all these kills every order is refunded exactly once',
  async () => {
    await finish(refunded, 'refunded')
    for (const order of refunded) {
      expect(await lamportsOf(stack, order.recipient)).toBe(0n)
      const rent = await rentOf(await orderAddress(PROGRAM, order.terms.orderId))
      expect(await lamportsOf(stack, order.sender.address)).toBe(GIVEN - DEPOSIT_FEE - rent)
      const { attempts } = await readState(stack, order)
      expect(attempts.filter((one) => one === 'refund landed')).toHaveLength(1)
    }
  },
  LIMIT_MS,
)

it('the Order accounts reach their closing time', async () => {
  await advance(2 * DAY_SECONDS)
})

it.each(RECLAIMING.map((point) => [nameOf(point), point] as const))(
  'a worker is killed %s while rent is given back',
  async (_, point) => killAt(point),
  LIMIT_MS,
)

it(
  'after all these kills every sender has received the rent once',
  async () => {
    const engine = startEngine(stack)
    const orders = [...delivered, ...refunded]
    const accounts = await Promise.all(
      orders.map(({ terms }) => orderAddress(PROGRAM, terms.orderId)),
    )
    await waitUntil(async () =>
      (await Promise.all(accounts.map(rentOf))).every((rent) => rent === 0n),
    )
    await engine.stop()
    for (const { sender } of delivered) {
      expect(await lamportsOf(stack, sender.address)).toBe(GIVEN - AMOUNT - FEE - DEPOSIT_FEE)
    }
    for (const { sender } of refunded) {
      expect(await lamportsOf(stack, sender.address)).toBe(GIVEN - DEPOSIT_FEE)
    }
  },
  LIMIT_MS,
)

it.each(DESTROYING.map((point) => [nameOf(point), point] as const))(
  "a worker is killed %s while an epoch's key is destroyed",
  async (_, point) => {
    // An old key must exist, so that the worker has a key to destroy.
    await stack.secrets.forNewOrder(delivered[0]!.epoch - 1)
    await killAt(point, DAYS_AHEAD_MS)
  },
  LIMIT_MS,
)

it(
  'after all these kills the keys of all final orders are destroyed',
  async () => {
    const ahead = { nowMs: () => Date.now() + DAYS_AHEAD_MS }
    const engine = startEngine(stack, undefined, ahead)
    await waitUntil(async () => (await stack.secrets.list()).length === 0)
    await engine.stop()
    const rows = await stack.database.query<{ status: string; count: string }>(
      'SELECT status, count(*) AS count FROM orders GROUP BY status ORDER BY status',
      [],
    )
    const counts = Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]))
    expect(counts).toEqual({ delivered: delivered.length, refunded: refunded.length })
  },
  LIMIT_MS,
)
