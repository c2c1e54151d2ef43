import { orderAddress, ownerOf } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sqlOrderStore } from '../../src/adapters/store/order-store.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import { readNewestPlan } from '../../src/adapters/store/settlement/plans.ts'
import { decodePlan } from '../../src/domain/order-secrets.ts'
import { startEngine } from '../settlement/stack/engine.ts'
import { PROGRAM } from '../settlement/stack/localnet-process.ts'
import { deposit, lamportsOf, placeOrder, type PlacedOrder } from '../settlement/stack/orders.ts'
import {
  leafIndexOf,
  pay,
  preparePayment,
  readPaymentState,
  type MadePayment,
  type OpenedBalance,
} from '../settlement/stack/payments.ts'
import { startStack, waitUntil, type Stack } from '../settlement/stack/stack.ts'
import { makeWallet } from '../settlement/stack/wallet.ts'
import { startPostgres, type StartedPostgres } from '../start-postgres.ts'
import { awaitStatus } from './await-status.ts'
import { nameOf } from './kill-point.ts'
import { ORDERING, PAYING } from './kill-points.ts'
import { dieAt, dieOrderingAt } from './start-doomed.ts'

// The test uses one balance, and one payment out of it for each killed worker. After each kill, another worker makes
// the payment once, and the next payment spends the rest of the balance. At the end, the exact rest is returned to the
// sender.

const VALUE = 4_000_000_000n
const PAYOUT = 10_000_000n
const FEE = 1_000n
const GIVEN = 10_000_000_000n
const DEPOSIT_FEE = 10_000n
const SECRET = 4_711n
const LIFE_SECONDS = 14_400n
const PAST_EXPIRY_SECONDS = 1_800 + 600 + 14_400 + 600
const LIMIT_MS = 900_000

let postgres: StartedPostgres
let databaseUrl: string
let stack: Stack
let order: PlacedOrder
let balance: OpenedBalance
let paid = 0n

beforeAll(async () => {
  postgres = await startPostgres()
  databaseUrl = await postgres.createDatabase()
  stack = await startStack(async () => openPostgres(databaseUrl))
  const owner = ownerOf(SECRET)
  const wish = { amountOut: VALUE, fee: 0n, recipient: makeWallet().address, owner }
  order = await placeOrder(stack, { ...wish, lifeSeconds: LIFE_SECONDS })
  await deposit(stack, order)
  balance = { orderId: order.terms.orderId, note: order.note, secret: SECRET }
  await withEngine(() => leafIndexOf(stack, balance))
}, LIMIT_MS)
afterAll(async () => {
  await stack?.close()
  await postgres?.stop()
})

/** Runs `work` together with a worker that isn't killed. */
async function withEngine<T>(work: () => Promise<T>): Promise<T> {
  const engine = startEngine(stack)
  try {
    return await work()
  } finally {
    await engine.stop()
  }
}

/** Reads the balance's newest note from the service's data. */
async function keptNote() {
  const { orderId } = order.terms
  const secrets = (await stack.secrets.read(order.epoch))!
  const newest = await readNewestPlan(stack.database, { orderId, key: secrets })
  return decodePlan(secrets.open(orderId, 'plan', newest!.sealed)).note
}

/**
 * Runs a worker that isn't killed. The worker must complete the payment once, and write the balance's rest in the same
 * transaction.
 */
async function expectPaidOnce(made: MadePayment, payee: string): Promise<void> {
  const isDelivered = async () => (await readPaymentState(stack, made)).status === 'delivered'
  await withEngine(async () => {
    await waitUntil(isDelivered)
    // The worker must have followed the chain up to the change, because the next payment spends the change.
    await leafIndexOf(stack, made.left)
  })
  const { attempts } = await readPaymentState(stack, made)
  expect(attempts.filter((one) => one === 'deliver landed')).toHaveLength(1)
  expect(attempts).not.toContain('deliver live')
  expect(await lamportsOf(stack, payee as never)).toBe(PAYOUT)
  balance = made.left
  paid += PAYOUT + FEE
  expect(balance.note.value).toBe(VALUE - paid)
  expect(await keptNote()).toMatchObject({ nk: balance.note.nk, value: VALUE - paid })
}

it.each(ORDERING.map((point) => [nameOf(point), point] as const))(
  'a process is killed %s of a payment',
  async (_, point) => {
    const payee = makeWallet().address
    const { made, payment, signed } = await preparePayment(stack, balance, {
      ...{ payee, payout: PAYOUT, fee: FEE },
    })
    expect(await dieOrderingAt(stack, databaseUrl, point, { payment, signed })).toBe('SIGKILL')
    // The first request got no response, so the owner repeats it.
    const orders = sqlOrderStore(stack.database, stack.secrets)
    const isMade = nameOf(point) !== 'before orders.tryCreatePayment'
    const again = await orders.tryCreatePayment(payment, 1_000)
    expect(again).toBe(isMade ? 'taken' : 'created')
    const isSigned = nameOf(point) === 'after orders.trySign'
    const answer = await orders.trySign(payment.id, signed, Date.now())
    expect(answer).toBe(isSigned ? 'not_awaiting' : 'signed')
    await expectPaidOnce(made, payee)
  },
  LIMIT_MS,
)

it.each(PAYING.map((point) => [nameOf(point), point] as const))(
  'a worker is killed %s while a payment is made',
  async (_, point) => {
    const payee = makeWallet().address
    const made = await pay(stack, balance, { payee, payout: PAYOUT, fee: FEE })
    expect(await dieAt(stack, databaseUrl, point)).toBe('SIGKILL')
    expect([0n, PAYOUT]).toContain(await lamportsOf(stack, payee))
    await expectPaidOnce(made, payee)
  },
  LIMIT_MS,
)

it(
  'after all these kills exactly the rest of the balance returns',
  async () => {
    await stack.localnet.local('localnet_advanceTime', [PAST_EXPIRY_SECONDS])
    await withEngine(() => awaitStatus(stack, order, 'refunded'))
    const { sender, orderId } = order.terms
    const rent = await lamportsOf(stack, await orderAddress(PROGRAM, orderId))
    expect(await lamportsOf(stack, sender)).toBe(GIVEN - paid - DEPOSIT_FEE - rent)
  },
  LIMIT_MS,
)
