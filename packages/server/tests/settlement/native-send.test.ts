import { NATIVE_MINT } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEngine, type Engine } from './stack/engine.ts'
import { deposit, lamportsOf, placeOrder, readState, waitForStatus } from './stack/orders.ts'
import { startStack, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'
import { sqlPaidPayees } from '../../src/adapters/store/paid-payees.ts'
import { openMigratedPglite } from '../migrated-pglite.ts'

let stack: Stack
let engine: Engine
const recipient = makeWallet().address
beforeAll(async () => {
  stack = await startStack(openMigratedPglite)
  engine = startEngine(stack)
})
afterAll(async () => {
  await engine?.stop()
  await stack?.close()
})

it('a native send pays the exact amount to a wallet that does not exist yet', async () => {
  const order = await placeOrder(stack, { amountOut: 250_000_000n, fee: 1_500_000n, recipient })
  expect((await readState(stack, order)).status).toBe('awaiting_deposit')
  await deposit(stack, order)
  const { attempts, outcome } = await waitForStatus(stack, order, 'delivered')
  expect(await lamportsOf(stack, recipient)).toBe(250_000_000n)
  expect(attempts).toEqual(['deliver landed'])
  expect(outcome).toMatchObject({ kind: 'delivery', amount: 250_000_000n })
  expect(engine.reports.alerts).toEqual([])
  expect(engine.reports.failures).toEqual([])
})

it('the settlement’s mint, gross and time are recorded', async () => {
  const shown = await stack.database.query<{ mint: string; gross: string; settled_at: string }>(
    'SELECT mint, gross, settled_at FROM shown_settlements',
    [],
  )
  expect(shown).toEqual([
    { mint: NATIVE_MINT, gross: '251500000', settled_at: expect.anything() as string },
  ])
})

it('the recipient counts as paid, and another wallet does not', async () => {
  const { wasPaid } = sqlPaidPayees(stack.database, { nowMs: () => 0 })
  const answers = [recipient, makeWallet().address].map((one) => wasPaid(one, 'asker'))
  expect(await Promise.all(answers.map(async (one) => one))).toEqual([true, false])
})

it('unsealed columns do not reveal when an order was delivered', async () => {
  const [row] = await stack.database.query<{ status: string; final_hour: Date | null }>(
    'SELECT status, final_hour FROM orders',
    [],
  )
  expect(row).toEqual({ status: 'deposited', final_hour: null })
  const [side] = await stack.database.query<{ final_hour: Date; lease_until: null }>(
    "SELECT final_hour, lease_until FROM settlements WHERE status = 'delivered'",
    [],
  )
  expect(side!.final_hour.getTime() % 3_600_000).toBe(0)
  expect(side!.lease_until).toBeNull()
})
