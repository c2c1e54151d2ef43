import { afterAll, beforeAll, expect, it } from 'vitest'
import { amount } from '@sotto/protocol'
import type { AssetBooks, PoolBooks, SettlementChain } from '../../src/ports/settlement-chain.ts'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import type { ChainRpc } from '../../src/adapters/rpc/rpc-client.ts'
import { startEngine, type Engine } from './stack/engine.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import { deposit, placeOrder, readState, waitForStatus } from './stack/orders.ts'
import { FREE, runOperator } from './stack/run-operator.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

let stack: Stack
let engine: Engine
/** Changes an asset's balances in a node's response. */
let told: (asset: AssetBooks) => AssetBooks = (asset) => asset
const disturb = (chain: SettlementChain): SettlementChain => ({
  ...chain,
  readBooks: async () => {
    const books = await chain.readBooks()
    return { ...books, assets: books.assets.map((asset) => told(asset)) } satisfies PoolBooks
  },
})

beforeAll(async () => {
  stack = await startStack()
  engine = startEngine(stack, disturb)
})
afterAll(async () => {
  await engine?.stop()
  await stack?.close()
})

const wish = () => ({ amountOut: 50_000_000n, fee: 100_000n, recipient: makeWallet().address })
const halted = async () => (await stack.operate<{ halted: string | null }>('pool', 'show')).halted
const agrees = async () => {
  const [row] = await stack.database.query<{ books_agree: boolean | null }>(
    'SELECT books_agree FROM health',
    [],
  )
  return row?.books_agree
}
const checkedAt = async () => {
  const [row] = await stack.database.query<{ books_at: Date | null }>(
    'SELECT books_at FROM health',
    [],
  )
  return row?.books_at?.getTime() ?? 0
}
/** Waits for a comparison that begins after this call. */
async function lookedAgain(): Promise<void> {
  for (let looks = 0; looks < 2; looks += 1) {
    const before = await checkedAt()
    await waitUntil(async () => (await checkedAt()) > before)
  }
}

it('vaults, books and order table agree while orders are deposited and delivered', async () => {
  const never = { minDelaySeconds: 3_500, maxDelaySeconds: 3_600 }
  const waiting = await placeOrder(stack, { ...wish(), sealed: never })
  const paid = await placeOrder(stack, wish())
  await deposit(stack, waiting)
  await deposit(stack, paid)
  await waitForStatus(stack, paid, 'delivered')
  await lookedAgain()
  expect((await readState(stack, waiting)).status).toBe('deposited')
  expect(engine.reports.alerts).toEqual([])
  expect(await agrees()).toBe(true)
  expect(await halted()).toBeNull()
})

it('a difference that only one comparison shows causes no halt', async () => {
  let looks = 0
  told = (asset) => {
    looks += 1
    return looks <= 2 ? { ...asset, held: 0n, owed: amount(1n) } : asset
  }
  await waitUntil(async () => looks > 2)
  told = (asset) => asset
  await lookedAgain()
  expect(engine.reports.alerts).toEqual([])
  expect(await halted()).toBeNull()
})

it('new orders stay halted after a restart if notes are missing in the order table', async () => {
  told = (asset) => ({ ...asset, owed: amount(asset.owed + 1n), held: asset.held + 1n })
  await waitUntil(async () => (await halted()) === 'books_differ')
  expect(engine.reports.alerts).toContain('books_differ')
  await engine.stop()
  engine = startEngine(stack, disturb)
  expect(await halted()).toBe('books_differ')
  await expect(stack.operate('pool', 'resume')).rejects.toThrow(/runbooks\/books-differ.md/)
  told = (asset) => asset
  await waitUntil(async () => (await agrees()) === true)
  expect(await halted()).toBe('books_differ')
  await stack.operate('pool', 'resume')
  expect(await halted()).toBeNull()
})

it('the books differ if the chain still owes the note of an order that has ended in the table', async () => {
  const [row] = await stack.database.query<{ id: Uint8Array; leaf_index: string }>(
    "SELECT id, leaf_index FROM orders WHERE status = 'deposited' ORDER BY leaf_index LIMIT 1",
    [],
  )
  await stack.database.query("UPDATE orders SET status = 'refunded' WHERE id = $1", [row!.id])
  await waitUntil(async () => (await halted()) === 'books_differ')
  await stack.database.query("UPDATE orders SET status = 'deposited' WHERE id = $1", [row!.id])
  await waitUntil(async () => (await agrees()) === true)
  await stack.operate('pool', 'resume')
})

it('new orders halt if a vault does not cover the books', async () => {
  told = (asset) => ({ ...asset, held: asset.owed + asset.fees + asset.inventory - 1n })
  await waitUntil(async () => (await halted()) === 'books_differ')
  told = (asset) => asset
  await waitUntil(async () => (await agrees()) === true)
  await stack.operate('pool', 'resume')
  expect(await halted()).toBeNull()
})

/** A client of a node that refuses to list accounts. */
const refusing = (rpc: ChainRpc): ChainRpc =>
  new Proxy(rpc, {
    get: (of, name, on) =>
      name === 'getProgramAccounts'
        ? () => ({ send: () => Promise.reject(new Error('forbidden')) })
        : (Reflect.get(of, name, on) as unknown),
  })

it('`pool show` shows the books of every asset on a node that refuses to list accounts', async () => {
  const usual = await stack.operate<{ assets: readonly object[] }>('pool', 'show')
  expect(usual).toMatchObject({ assetsFrom: 'chain' })
  expect(usual.assets.length).toBeGreaterThan(1)
  const base = { rpc: refusing(stack.rpc), program: PROGRAM, database: stack.database }
  const shown = await runOperator(
    { ...base, clock: systemClock, prices: FREE },
    ...['pool', 'show'],
  )
  expect(shown).toMatchObject({ assetsFrom: 'database', assets: usual.assets })
})
