import { orderAddress } from '@sotto/protocol'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { startEngine, type Engine } from '../settlement/stack/engine.ts'
import { PROGRAM } from '../settlement/stack/localnet-process.ts'
import {
  deposit,
  lamportsOf,
  placeOrder,
  readState,
  type PlacedOrder,
} from '../settlement/stack/orders.ts'
import { startStack, type Stack } from '../settlement/stack/stack.ts'
import { makeWallet } from '../settlement/stack/wallet.ts'
import { startPostgres, type StartedPostgres } from '../start-postgres.ts'
import { awaitStatus } from './await-status.ts'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

const AMOUNT = 120_000_000n
const FEE = 400_000n
const GIVEN = 10_000_000_000n
/** The deposit transaction's fees for two signatures: the sender's and the authorisation's. */
const DEPOSIT_FEE = 10_000n
const LIMIT_MS = 900_000
/** Length of a lease in milliseconds. After a worker has lost its connection, its orders stay claimed for this long. */
const LEASE_MS = 3_000
/** Pauses between cuts, in milliseconds. Some pauses are shorter than a payment takes, and other pauses are longer. */
const PAUSES_MS = [300, 1_500, 200, 700, 2_500, 400, 1_000, 100, 3_000, 600]

let postgres: StartedPostgres
let proxy: TcpProxy
let stack: Stack
let databases: Database[] = []
let engines: Engine[] = []

beforeAll(async () => {
  postgres = await startPostgres()
  const url = new URL(await postgres.createDatabase())
  stack = await startStack(async () => openPostgres(url.href))
  proxy = await startTcpProxy(Number(url.port))
  url.port = String(proxy.port)
  // The workers connect through the proxy, so the test can cut their connections. The test's own connection doesn't use
  // the proxy.
  databases = [openPostgres(url.href), openPostgres(url.href)]
  const settings = { leaseMs: LEASE_MS }
  engines = databases.map((database) =>
    startEngine({ ...stack, database }, undefined, {}, settings),
  )
}, LIMIT_MS)
afterEach(() => proxy.setDown(false))
afterAll(async () => {
  proxy?.setDown(false)
  await Promise.all(engines.map((engine) => engine.stop()))
  await Promise.all(databases.map((database) => database.close()))
  await stack?.close()
  await proxy?.stop()
  await postgres?.stop()
})

async function paidOrders(count: number): Promise<PlacedOrder[]> {
  const orders: PlacedOrder[] = []
  for (let index = 0; index < count; index += 1) {
    const recipient = makeWallet().address
    const order = await placeOrder(stack, { amountOut: AMOUNT, fee: FEE, recipient })
    await deposit(stack, order)
    orders.push(order)
  }
  return orders
}

async function expectDeliveredOnce(orders: readonly PlacedOrder[]): Promise<void> {
  for (const order of orders) {
    await awaitStatus(stack, order, 'delivered')
    expect(await lamportsOf(stack, order.recipient)).toBe(AMOUNT)
    const { attempts } = await readState(stack, order)
    expect(attempts.filter((one) => one === 'deliver landed')).toHaveLength(1)
  }
}

it(
  'two workers whose connections are cut repeatedly pay each order once',
  async () => {
    let cuts = 0
    const cutting = (async () => {
      for (const pauseMs of PAUSES_MS) {
        await systemClock.sleep(pauseMs)
        cuts += proxy.cut()
      }
    })()
    const orders = await paidOrders(4)
    await cutting
    await expectDeliveredOnce(orders)
    expect(cuts).toBeGreaterThan(4)
  },
  LIMIT_MS,
)

it(
  'every order is paid once if the database is unreachable for a while',
  async () => {
    const orders = await paidOrders(3)
    proxy.setDown(true)
    await systemClock.sleep(2_000)
    proxy.setDown(false)
    await expectDeliveredOnce(orders)
  },
  LIMIT_MS,
)

it(
  'every order is paid once if the database server is killed and restarted',
  async () => {
    const orders = await paidOrders(4)
    const landed = async () => {
      const states = await Promise.all(orders.map((order) => readState(stack, order)))
      return states.filter(({ status }) => status === 'delivered').length
    }
    // The server is restarted during the payments: once before the first delivery, and twice while other deliveries are
    // in progress.
    await postgres.restart('SIGQUIT')
    while ((await landed()) === 0) await systemClock.sleep(20)
    await postgres.restart('SIGKILL')
    await systemClock.sleep(300)
    await postgres.restart('SIGKILL')
    await expectDeliveredOnce(orders)
    for (const { sender, terms } of orders) {
      const rent = await lamportsOf(stack, await orderAddress(PROGRAM, terms.orderId))
      expect(await lamportsOf(stack, sender.address)).toBe(
        GIVEN - AMOUNT - FEE - DEPOSIT_FEE - rent,
      )
    }
  },
  LIMIT_MS,
)
