import type { Address } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEngine, type Engine } from './stack/engine.ts'
import {
  deposit,
  placeOrder,
  readState,
  tokensOf,
  waitForStatus,
  type PlacedOrder,
} from './stack/orders.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import {
  closeToken2022,
  makeMint2022,
  METADATA_POINTER,
  mintTokens2022,
  setFrozen,
} from './stack/token-2022.ts'
import { makeWallet } from './stack/wallet.ts'

const PAST_EXPIRY_SECONDS = 1_800 + 600 + 3_600 + 600
/**
 * Milliseconds by which the test advances the worker's clock. The longest pause between two tries of a refund is
 * shorter.
 */
const PAUSE_MS = 5 * 3_600_000

let stack: Stack
let engine: Engine
let mint: Address
/** An order whose recipient's account is frozen. */
let frozen: PlacedOrder
/** An order for which both the recipient's account and the sender's account are frozen. */
let twiceFrozen: PlacedOrder
/** An order whose sender closed the account that the money came from. */
let closed: PlacedOrder
let clockMs = 0

beforeAll(async () => {
  stack = await startStack()
  mint = await makeMint2022(stack, METADATA_POINTER, true)
  await mintTokens2022(stack, stack.admin.address, mint, 1_000_000_000n)
  await stack.operate(
    ...['asset', 'add', '--admin', stack.adminFile, '--mint', mint, '--symbol', 'FRZ'],
    ...['--name', 'Freezable', '--service-bps', '20', '--network-fee-exists', '1000'],
    ...['--network-fee-created', '2000', '--input-max', '100000000000'],
    ...['--swap-cap', '100000000000', '--swap-period', '3600'],
  )
  const recipient = makeWallet().address
  await mintTokens2022(stack, recipient, mint, 1n)
  await setFrozen(stack, recipient, mint, true)
  const wish = { mint, amountOut: 7_000_000n, fee: 30_000n, recipient, fund: mintTokens2022 }
  ;[frozen, twiceFrozen, closed] = [
    await placeOrder(stack, wish),
    await placeOrder(stack, wish),
    await placeOrder(stack, wish),
  ]
  for (const order of [frozen, twiceFrozen, closed]) await deposit(stack, order)
  await setFrozen(stack, twiceFrozen.sender.address, mint, true)
  await closeToken2022(stack, closed.sender, mint)
  engine = startEngine(stack, (chain) => chain, { nowMs: () => Date.now() + clockMs })
  for (const order of [frozen, twiceFrozen, closed]) await waitForStatus(stack, order, 'deposited')
  const named = () => engine.reports.named.filter((one) => one.startsWith('recipient_not_payable'))
  await waitUntil(async () => new Set(named()).size === 3)
  await stack.localnet.local('localnet_advanceTime', [PAST_EXPIRY_SECONDS])
})
afterAll(async () => {
  await engine?.stop()
  await stack?.close()
})

/** An alert with this code for the order `closed`, in the form in which the engine reports it. */
async function nameIn(code: string): Promise<string> {
  const secrets = (await stack.secrets.read(closed.epoch))!
  return `${code} ${Buffer.from(secrets.pseudonym(closed.terms.orderId)).toString('hex')}`
}

const REFUND = { kind: 'refund', reason: 'recipient_not_payable', amount: 7_030_000n }

it('an order is refunded if the recipient’s account is frozen', async () => {
  const { outcome } = await waitForStatus(stack, frozen, 'refunded')
  expect(outcome).toMatchObject(REFUND)
  expect(await tokensOf(stack, frozen.sender.address, mint)).toBe(7_030_000n)
})

it('a refund waits until the sender’s closed account is opened again', async () => {
  await waitForStatus(stack, closed, 'refunding')
  await waitUntil(async () => engine.reports.named.includes(await nameIn('sender_not_payable')))
  expect(await tokensOf(stack, closed.sender.address, mint)).toBeUndefined()
  expect((await readState(stack, closed)).attempts).toEqual([])
  // The test's own payer opens the account, so no relayer pays for it.
  await mintTokens2022(stack, closed.sender.address, mint, 0n)
  clockMs += PAUSE_MS
  const { outcome } = await waitForStatus(stack, closed, 'refunded')
  expect(outcome).toMatchObject(REFUND)
  expect(await tokensOf(stack, closed.sender.address, mint)).toBe(7_030_000n)
})

it('a refund to a frozen account is paid after the account is thawed', async () => {
  await waitUntil(async () => engine.reports.alerts.includes('sender_not_payable'))
  await waitForStatus(stack, twiceFrozen, 'refunding')
  await setFrozen(stack, twiceFrozen.sender.address, mint, false)
  clockMs += PAUSE_MS
  const { outcome } = await waitForStatus(stack, twiceFrozen, 'refunded')
  expect(outcome).toMatchObject(REFUND)
  expect(await tokensOf(stack, twiceFrozen.sender.address, mint)).toBe(7_030_000n)
})
