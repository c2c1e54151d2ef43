import { addressBytes } from '@sotto/protocol'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { builtProgram } from '../../../../demo/src/stack/built-program.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { dumpDatabase } from '../store/join/evidence.ts'
import { sharedPostgres, type SharedPostgres } from '../shared-postgres.ts'
import { startEngine, type Engine } from './stack/engine.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import { deposit, lamportsOf, placeOrder, readState, type PlacedOrder } from './stack/orders.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import { makeWallet, writeKeypair } from './stack/wallet.ts'

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const MAIN = pathOf('../../src/main.ts')
// This module ends its process when the standard input is closed, for example because the test run is interrupted.
const DIE_WITH_PARENT = pathOf('../../../../demo/src/stack/die-with-parent.mjs')
const AMOUNT = 120_000_000n
const NEVER = { minDelaySeconds: 3_500, maxDelaySeconds: 3_600 }
const PAST_EXPIRY_SECONDS = 1_800 + 600 + 3_600 + 600

let postgres: SharedPostgres
let url: string
let other: Database
let stack: Stack
let engines: Engine[] = []
beforeAll(async () => {
  postgres = await sharedPostgres()
  url = await postgres.createMigrated()
  stack = await startStack(async () => openPostgres(url))
  // The connections of the second worker, which shares only the database with the first worker.
  other = openPostgres(url)
})
afterEach(async () => {
  await Promise.all(engines.map((engine) => engine.stop()))
  engines = []
})
afterAll(async () => {
  await other?.close()
  await stack?.close()
  await postgres?.stop()
})

function startTwo(): void {
  engines = [startEngine(stack), startEngine({ ...stack, database: other })]
}

async function place(count: number, sealed?: typeof NEVER): Promise<PlacedOrder[]> {
  const orders: PlacedOrder[] = []
  for (let index = 0; index < count; index += 1) {
    const wish = { amountOut: AMOUNT, fee: 400_000n, recipient: makeWallet().address }
    orders.push(await placeOrder(stack, sealed === undefined ? wish : { ...wish, sealed }))
  }
  await Promise.all(orders.map((order) => deposit(stack, order)))
  return orders
}

const hasStatus = (orders: readonly PlacedOrder[], status: string) => async () => {
  const states = await Promise.all(orders.map((order) => readState(stack, order)))
  return states.every((state) => state.status === status)
}

/** The number of events with this name that all workers reported together. */
const count = (event: string) =>
  engines.flatMap(({ reports }) => reports.events).filter((name) => name === event).length

it('two workers that compete at every step pay each order once', async () => {
  startTwo()
  const orders = await place(3)
  await waitUntil(hasStatus(orders, 'delivered'))
  for (const order of orders) {
    expect((await readState(stack, order)).attempts).toEqual(['deliver landed'])
    expect(await lamportsOf(stack, order.recipient)).toBe(AMOUNT)
  }
  expect([count('deposit_recorded'), count('deliver_journalled'), count('delivered')]).toEqual([
    3, 3, 3,
  ])
  expect(engines.flatMap(({ reports }) => reports.alerts)).toEqual([])
})

it('two workers that compete for a refund pay it once', async () => {
  startTwo()
  const [late] = (await place(1, NEVER)) as [PlacedOrder]
  await waitUntil(hasStatus([late], 'deposited'))
  const before = await lamportsOf(stack, late.sender.address)
  await stack.localnet.local('localnet_advanceTime', [PAST_EXPIRY_SECONDS])
  await waitUntil(hasStatus([late], 'refunded'))
  expect(await lamportsOf(stack, late.sender.address)).toBe(before + AMOUNT + 400_000n)
  expect([count('refund_begun'), count('refund_journalled'), count('refunded')]).toEqual([1, 1, 1])
})

/**
 * Starts a process as an operator does, on the same database, keys and chain. Returns the first line that it prints.
 */
async function startProcess(role: 'api' | 'worker') {
  const keys = dirname(stack.adminFile)
  await mkdir(join(keys, 'relayers'), { recursive: true })
  await writeKeypair(join(keys, 'relayers', '1.json'), stack.relayers[0]!)
  await writeKeypair(join(keys, 'authoriser.json'), stack.authoriser)
  const env = {
    PATH: process.env['PATH'] ?? '',
    SOTTO_RPC_URL: stack.localnet.rpcUrl,
    SOTTO_PROGRAM_ID: PROGRAM,
    SOTTO_CLUSTER: 'localnet',
    SOTTO_DATABASE_URL: url,
    SOTTO_KEYS: keys,
    SOTTO_PORT: '0',
    SOTTO_POLL_MS: '100',
    SOTTO_LOG_LEVEL: 'warn',
  }
  const args = ['--import', DIE_WITH_PARENT, await builtProgram(MAIN), 'serve', '--role', role]
  const child = spawn(process.execPath, [...args, '--json'], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const died = exited.then(() => Promise.reject(new Error('the process ended')))
  const [printed] = (await Promise.race([once(child.stdout, 'data'), died])) as [Buffer]
  return { child, exited, printed: JSON.parse(printed.toString()) as { baseUrl?: string } }
}

const leases = () =>
  other.query<{ pseudonym: Uint8Array; lease_owner: string; lease_fence: string }>(
    'SELECT pseudonym, lease_owner, lease_fence FROM settlements WHERE lease_owner IS NOT NULL',
    [],
  )

it('another worker takes over an order if a worker is killed during a proof', async () => {
  const { child, exited } = await startProcess('worker')
  const [order] = (await place(1)) as [PlacedOrder]
  await waitUntil(async () => (await leases()).length > 0)
  child.kill('SIGKILL')
  await exited
  const [held] = await leases()
  expect((await readState(stack, order)).attempts).toEqual([])
  startTwo()
  await waitUntil(hasStatus([order], 'delivered'))
  expect(await lamportsOf(stack, order.recipient)).toBe(AMOUNT)
  expect((await readState(stack, order)).attempts).toEqual(['deliver landed'])
  const [row] = await other.query<{ fence: string }>(
    'SELECT lease_fence AS fence FROM settlements WHERE pseudonym = $1',
    [held!.pseudonym],
  )
  expect(BigInt(row!.fence)).toBeGreaterThan(BigInt(held!.lease_fence))
})

it('a worker that receives a stop signal releases its lease and exits with 0', async () => {
  const { child, exited } = await startProcess('worker')
  const [order] = (await place(1)) as [PlacedOrder]
  await waitUntil(async () => (await leases()).length > 0)
  child.kill('SIGTERM')
  expect((await exited)[0]).toBe(0)
  expect(await leases()).toEqual([])
  startTwo()
  await waitUntil(hasStatus([order], 'delivered'))
  expect(await lamportsOf(stack, order.recipient)).toBe(AMOUNT)
})

it('an API process stops even if a client never finishes its request', async () => {
  const { child, exited, printed } = await startProcess('api')
  const { hostname, port } = new URL(printed.baseUrl!)
  expect((await fetch(`${printed.baseUrl}/livez`)).status).toBe(200)
  const slow = connect(Number(port), hostname)
  slow.on('error', () => undefined)
  await once(slow, 'connect')
  slow.write('POST /transfer/v1/quote HTTP/1.1\r\nhost: here\r\ncontent-length: 9\r\n\r\n')
  child.kill('SIGTERM')
  expect((await exited)[0]).toBe(0)
})

const sides = async (isDeposit: boolean) =>
  (await dumpDatabase(other)).filter(({ table }) => /^orders$/.test(table) === isDeposit)

it('a delivery changes no row of an order, and its own rows name no order', async () => {
  startTwo()
  // The delay leaves enough time to read the rows between the deposit and the delivery.
  const orders = await place(2, { minDelaySeconds: 10, maxDelaySeconds: 10 })
  await waitUntil(hasStatus(orders, 'deposited'))
  await waitUntil(async () => {
    const rows = await stack.database.query(
      "SELECT 1 FROM orders WHERE status = 'deposited' AND deposit_signature IS NULL",
      [],
    )
    return rows.length === 0
  })
  const before = await sides(true)
  await waitUntil(hasStatus(orders, 'delivered'))
  expect(await sides(true)).toEqual(before)
  const reports = engines.map((engine) => engine.reports)
  const rest = JSON.stringify([await sides(false), reports])
  const facts = orders.flatMap(({ terms, note, recipient }) => [
    Buffer.from(terms.orderId).toString('hex'),
    ...[terms.orderId, addressBytes(recipient)].map((b) => Buffer.from(b).toString('base64url')),
    ...[Buffer.from(addressBytes(recipient)).toString('hex'), recipient, note.sender],
  ])
  for (const fact of facts) expect(rest).not.toContain(fact)
})
