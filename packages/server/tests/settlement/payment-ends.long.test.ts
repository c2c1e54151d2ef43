import { wasmPoseidon } from '@sotto/poseidon'
import { amount, decodeTicket, encodeTicket, ownerOf, type Address } from '@sotto/protocol'
import { payFromBalance } from '@sotto/recovery'
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit'
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { readClock } from '../../src/adapters/chain/settlement/read-head.ts'
import { migrate } from '../../src/adapters/store/migrate.ts'
import { openMigrated } from '../migrated-database.ts'
import { startEngine, type Engine } from './stack/engine.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import { deposit, lamportsOf, placeOrder, readState, waitForStatus } from './stack/orders.ts'
import {
  leaveLastHour,
  openBalance,
  pay,
  readPaymentState,
  waitForPayment,
  type OpenedBalance,
} from './stack/payments.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

const VALUE = 1_000_000_000n
const PAYOUT = 120_000_000n

let stack: Stack
let engine: Engine | undefined
beforeAll(async () => {
  stack = await startStack()
})
afterEach(async () => {
  await engine?.stop()
  engine = undefined
})
afterAll(() => stack?.close())

const drawPayee = () => makeWallet().address
const cut = async (): Promise<never> => {
  throw new Error('cut off')
}

const funded = (): Promise<OpenedBalance> => openBalance(stack, VALUE)

it('a payment expires only after two nodes show that it did not land', async () => {
  let nodes = 1
  const blocked = startEngine(stack, (chain) => {
    const rooted = async () => {
      const head = await chain.readHead()
      const [last] = await chain.readEntries(head, Number(head.nextLeaf) - 1)
      return { ...head, root: last?.root }
    }
    const readHeads = () => Promise.all(Array.from({ length: nodes }, rooted))
    return { ...chain, broadcast: cut, readHeads }
  })
  const payee = drawPayee()
  const balance = await funded()
  const made = await pay(stack, balance, { payee, payout: PAYOUT })
  await waitUntil(async () => (await readPaymentState(stack, made)).attempts.length > 0)
  await stack.localnet.local('localnet_advanceTime', [1_300])
  await waitUntil(async () => {
    return (await readPaymentState(stack, made)).attempts.at(-1) === 'deliver dead'
  })
  expect((await readPaymentState(stack, made)).status).toBe('delivering')
  nodes = 2
  await waitForPayment(stack, made, 'expired')
  await blocked.stop()
  expect(await lamportsOf(stack, payee)).toBe(0n)
  engine = startEngine(stack)
  // Afterwards, the same note can still pay another payee.
  const other = drawPayee()
  await waitForPayment(
    stack,
    await pay(stack, balance, { payee: other, payout: PAYOUT }),
    'delivered',
  )
  expect(await lamportsOf(stack, other)).toBe(PAYOUT)
})

/** Pays out of a balance with only the owner's ticket. */
async function payByOwnHand(
  { orderId, note, secret }: OpenedBalance,
  payee: Address,
  payout: bigint,
): Promise<void> {
  const payer = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(randomBytes(32)))
  await stack.airdrop(payer.address, 1_000_000_000n)
  const text = encodeTicket({ program: PROGRAM, orderId, note, secret })
  await payFromBalance({
    ...{ rpc: stack.rpc, poseidon: wasmPoseidon, payer, payee },
    ticket: decodeTicket(text, ownerOf),
    ...{ payout: amount(payout), isLocalChain: true },
    prove: (inputs) => stack.prover.prove(inputs),
  })
  await waitUntil(async () => (await lamportsOf(stack, payee)) > 0n)
}

it.each([
  ['and left the same rest', PAYOUT + 1_000n],
  ['and left another rest', PAYOUT + 1_001n],
])(
  'a payment expires before its end if the owner spent its note without the service %s',
  async (_rest, paid) => {
    const blocked = startEngine(stack, (chain) => ({ ...chain, simulate: cut }))
    const [payee, own] = [drawPayee(), drawPayee()]
    const balance = await funded()
    const made = await pay(stack, balance, { payee, payout: PAYOUT })
    await payByOwnHand(balance, own, paid)
    await blocked.stop()
    engine = startEngine(stack)
    await waitForPayment(stack, made, 'expired')
    expect(await readClock(stack.rpc)).toBeLessThan(made.validUntil)
    expect(await lamportsOf(stack, payee)).toBe(0n)
    expect(await lamportsOf(stack, own)).toBe(paid)
  },
)

it('a payment expires after its end if no node shows how the owner spent its note', async () => {
  const blocked = startEngine(stack, (chain) => ({ ...chain, simulate: cut }))
  const [payee, own] = [drawPayee(), drawPayee()]
  const balance = await funded()
  const made = await pay(stack, balance, { payee, payout: PAYOUT })
  // The owner's payment takes the same sum out of the note, so its change has the same leaf. Only the payee differs.
  await payByOwnHand(balance, own, PAYOUT + 1_000n)
  await blocked.stop()
  // The node shows the transaction with a wrong payout. The worker treats this node like a node without history.
  engine = startEngine(stack, (chain) => ({
    ...chain,
    findSettlement: async (nullifier) => {
      const found = await chain.findSettlement(nullifier)
      const shown = found?.shown && { ...found.shown, payout: amount(found.shown.payout + 1n) }
      return found && { ...found, shown }
    },
  }))
  await stack.localnet.local('localnet_advanceTime', [1_300])
  // The tree has the same leaf as the payment's change, so two reads must agree that the payment didn't land.
  await waitUntil(async () => {
    await stack.localnet.local('localnet_advanceTime', [60])
    return (await readPaymentState(stack, made)).status === 'expired'
  })
  expect(await lamportsOf(stack, payee)).toBe(0n)
  expect(await lamportsOf(stack, own)).toBe(PAYOUT + 1_000n)
})

it('a payment that did not land expires even if an equal later payment landed', async () => {
  const other = { ...stack, database: await openMigrated() }
  await migrate(other.database)
  const blocked = startEngine(stack, (chain) => ({ ...chain, simulate: cut }))
  const balance = await leaveLastHour(stack).then(funded)
  const wish = { payee: drawPayee(), payout: PAYOUT }
  const ended = await pay(stack, balance, wish)
  await blocked.stop()
  await stack.localnet.local('localnet_advanceTime', [1_300])
  const second = startEngine(other)
  try {
    const landed = await pay(other, balance, wish)
    expect(landed.left.note).toEqual(ended.left.note)
    await waitForPayment(other, landed, 'delivered')
  } finally {
    await second.stop()
    await other.database.close()
  }
  engine = startEngine(stack)
  await waitForPayment(stack, ended, 'expired')
  expect(await lamportsOf(stack, wish.payee)).toBe(PAYOUT)
})

/** Makes an order that opens a balance. Returns the order and the balance. */
async function opened() {
  const secret = 4_711n
  const wish = { amountOut: VALUE, fee: 0n, recipient: drawPayee(), owner: ownerOf(secret) }
  const order = await placeOrder(stack, wish)
  await deposit(stack, order)
  const balance: OpenedBalance = { orderId: order.terms.orderId, note: order.note, secret }
  return { order, balance }
}

it('the change of a payment can be spent while no node shows the payment', async () => {
  const { order, balance } = await opened()
  const blocked = startEngine(stack, (chain) => ({ ...chain, simulate: cut }))
  await waitForStatus(stack, order, 'deposited')
  const made = await pay(stack, balance, { payee: drawPayee(), payout: PAYOUT })
  await payByOwnHand(balance, drawPayee(), PAYOUT + 1_000n)
  await blocked.stop()
  engine = startEngine(stack, (chain) => ({ ...chain, findSettlement: async () => undefined }))
  await stack.localnet.local('localnet_advanceTime', [200])
  const next = await pay(stack, made.left, { payee: drawPayee(), payout: PAYOUT })
  await waitForPayment(stack, next, 'delivered')
  const before = await lamportsOf(stack, order.terms.sender)
  await stack.localnet.local('localnet_advanceTime', [1_800 + 600 + 3_600 + 600])
  const rest = next.left.note.value
  // The refund must land before the test advances the clock again, because each advance makes pending transactions
  // expire.
  await waitUntil(async () => (await lamportsOf(stack, order.terms.sender)) === before + rest)
  // No node shows the refund's transaction. So the worker ends the order later, without that transaction.
  await waitUntil(async () => {
    await stack.localnet.local('localnet_advanceTime', [60])
    return (await readState(stack, order)).status === 'refunded'
  })
  expect(await lamportsOf(stack, order.terms.sender)).toBe(before + rest)
  expect((await readPaymentState(stack, made)).status).toBe('delivering')
})
