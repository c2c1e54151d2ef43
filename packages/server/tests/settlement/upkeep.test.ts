import {
  amount,
  nullifierAddress,
  nullifierOf,
  orderAddress,
  STEP_MAX,
  type Address,
  unixSeconds,
} from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { wasmPoseidon } from '@sotto/poseidon'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { sqlPriceStore } from '../../src/adapters/store/settlement/price-store.ts'
import { createSettlementStore } from '../../src/adapters/store/settlement/settlement-store.ts'
import { epochDestroyer } from '../../src/settlement/upkeep/destroy-epochs.ts'
import { NoteOpener } from '../../src/settlement/notes/open-note.ts'
import { unsettledChain } from '../store/unsettled-chain.ts'
import { startEngine, type Engine } from './stack/engine.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import { deposit, lamportsOf, placeOrder, waitForStatus, type PlacedOrder } from './stack/orders.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import { watchTransactions, type TransactionWatch } from './stack/watch-transactions.ts'
import { makeWallet } from './stack/wallet.ts'

const DAY_SECONDS = 86_400
const HOUR_MS = 3_600_000
const RETENTION_MS = 24 * HOUR_MS
/**
 * The cost for a relayer to close accounts, in lamports: a signature, and 10,000 compute units at the minimum price,
 * 1,024 micro-lamports. At the current price and without a limit of compute units, the cost would be up to 212,861
 * lamports higher.
 */
const CLOSING_LAMPORTS = 5_000n + 11n

let stack: Stack
let watch: TransactionWatch
let secrets: Stack['secrets']
let engine: Engine
let order: PlacedOrder
beforeAll(async () => {
  stack = await startStack()
  watch = watchTransactions(stack.database)
  secrets = watch.watched('secrets', stack.secrets)
  engine = startEngine(
    { ...stack, secrets, database: watch.database, prover: watch.watched('prover', stack.prover) },
    (chain) => watch.watched('chain', chain),
    {},
    { prices: { floor: 1, ceiling: STEP_MAX, percentile: 75, orderMax: amount(786_432n) } },
  )
  const recipient = makeWallet().address
  order = await placeOrder(stack, { amountOut: 50_000_000n, fee: 100_000n, recipient })
  await deposit(stack, order)
  await waitForStatus(stack, order, 'delivered')
})
afterAll(async () => {
  await engine?.stop()
  await stack?.close()
})

const isGone = async (address: Address) => (await lamportsOf(stack, address)) === 0n

it("the sender receives the Order's rent and the relayers receive the Nullifier's rent", async () => {
  const orderAccount = await orderAddress(PROGRAM, order.terms.orderId)
  const nullifier = nullifierOf(wasmPoseidon, order.note.nk, 0n)
  const nullifierAccount = await nullifierAddress(PROGRAM, nullifier)
  const orderRent = await lamportsOf(stack, orderAccount)
  const nullifierRent = await lamportsOf(stack, nullifierAccount)
  const before = await lamportsOf(stack, order.sender.address)
  const relayed = async () => {
    const balances = stack.relayers.map(({ address }) => lamportsOf(stack, address))
    return (await Promise.all(balances)).reduce((sum, one) => sum + one, 0n)
  }
  await stack.localnet.local('localnet_advanceTime', [2 * DAY_SECONDS])
  await waitUntil(() => isGone(orderAccount))
  expect(await lamportsOf(stack, order.sender.address)).toBe(before + orderRent)
  expect(await isGone(nullifierAccount)).toBe(false)
  // All other transactions now offer the maximum price. Closing transactions must still offer the minimum price.
  await sqlPriceStore(stack.database).raisePrice(STEP_MAX)
  // After the longest life of a note and its refund, the service closes all due accounts, including accounts whose rent
  // others paid.
  const relayedBefore = await relayed()
  await stack.localnet.local('localnet_advanceTime', [62 * DAY_SECONDS])
  await waitUntil(() => isGone(nullifierAccount))
  expect(await relayed()).toBe(relayedBefore + nullifierRent - CLOSING_LAMPORTS)
})

it("an epoch's key is destroyed with its sealed data a day after its last order is final", async () => {
  const store = createSettlementStore(watch.database, secrets)
  const endMs = (order.epoch + 1) * HOUR_MS
  const alerts: string[] = []
  const log = {
    alert: (code: string) => alerts.push(code),
    failed: () => undefined,
    event: () => undefined,
  }
  const pool = { domain: stack.domain }
  const opener = new NoteOpener({ secrets, poseidon: wasmPoseidon, pool, log })
  // An epoch is complete once two rounds, two minutes apart, have found all its orders.
  const destroyAt = async (nowMs: number, instead: Partial<typeof store> = {}) => {
    const { unixSeconds: chainSeconds } = await store.readCursor()
    const cursor = { ago: 120n }
    const round = epochDestroyer({
      ...{ secrets, opener, log, random: systemRandom, chain: unsettledChain, tree: { size: 0 } },
      store: {
        ...{ ...store, ...instead },
        readCursor: async () => ({
          ...(await store.readCursor()),
          unixSeconds: unixSeconds(chainSeconds - cursor.ago),
        }),
      },
      clock: { nowMs: () => nowMs, sleep: async () => undefined },
      ...{ retentionMs: RETENTION_MS, workerId: 'upkeep', leaseMs: 8_000 },
    })
    await round()
    cursor.ago = 0n
    await round()
  }
  // A database that was restored from an old backup may lack some of the chain's notes. Those notes can only be paid
  // with their keys, so the keys must be kept.
  await stack.database.query('UPDATE orders SET leaf_index = NULL', [])
  await destroyAt(endMs + 100 * RETENTION_MS)
  expect(await stack.secrets.read(order.epoch)).toBeDefined()
  expect(alerts).toEqual(['orders_missing', 'orders_missing'])
  await stack.database.query('UPDATE orders SET leaf_index = 0', [])
  await destroyAt(endMs + RETENTION_MS - 1)
  expect(await stack.secrets.read(order.epoch)).toBeDefined()
  // One more hour is needed, because the final time is known only to the hour.
  const dies = { dropSettled: () => Promise.reject(new Error('the process ends here')) }
  await expect(destroyAt(endMs + RETENTION_MS + HOUR_MS, dies)).rejects.toThrow('ends here')
  expect(await stack.secrets.read(order.epoch)).toBeUndefined()
  expect(await stack.database.query('SELECT 1 FROM settlements', [])).toHaveLength(1)
  // The next process finds only the key of the current hour, and no key to destroy. It still finishes the interrupted
  // work.
  await stack.secrets.forNewOrder(order.epoch + 25)
  await destroyAt(endMs + RETENTION_MS + HOUR_MS)
  const [row] = await stack.database.query<Record<string, Uint8Array | null>>(
    'SELECT sealed_terms, sealed_response, fingerprint, sealed_plan FROM orders',
    [],
  )
  expect(Object.values(row!).every((value) => value === null || value.length === 0)).toBe(true)
  expect(await stack.database.query('SELECT 1 FROM settlements', [])).toEqual([])
  expect(await stack.database.query('SELECT 1 FROM attempts', [])).toEqual([])
})

it('I7: no transaction waits for the node, the prover or the keystore', () => {
  expect(watch.seen.calls).toEqual([])
  // There are at least three transactions: recording, journalling and completing.
  expect(watch.seen.transactions).toBeGreaterThanOrEqual(3)
})
