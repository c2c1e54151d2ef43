import { wasmPoseidon } from '@sotto/poseidon'
import { amount, decodeTicket, encodeTicket, ownerOf, type Address } from '@sotto/protocol'
import { payFromBalance } from '@sotto/recovery'
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit'
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { readClock } from '../../src/adapters/chain/settlement/read-head.ts'
import { migrate } from '../../src/adapters/store/migrate.ts'
import type { SettlementChain } from '../../src/ports/settlement-chain.ts'
import { openMigrated } from '../migrated-database.ts'
import { countUnknown } from './stack/count-unknown.ts'
import { startEngine, type Engine } from './stack/engine.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import { deposit, lamportsOf, placeOrder, readState, waitForStatus } from './stack/orders.ts'
import {
  leaveLastHour,
  leafIndexOf,
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

it('the change of a payment pays the next payee', async () => {
  engine = startEngine(stack)
  const [first, second] = [drawPayee(), drawPayee()]
  const balance = await funded()
  await leafIndexOf(stack, balance)
  const unknown = await countUnknown(stack)
  const made = await pay(stack, balance, { payee: first, payout: PAYOUT })
  const { attempts } = await waitForPayment(stack, made, 'delivered')
  expect(attempts).toEqual(['deliver landed'])
  expect(await lamportsOf(stack, first)).toBe(PAYOUT)
  expect(made.left.note.value).toBe(VALUE - PAYOUT - 1_000n)
  const rest = { payee: second, payout: made.left.note.value - 1_000n }
  await waitForPayment(stack, await pay(stack, made.left, rest), 'delivered')
  expect(await lamportsOf(stack, second)).toBe(rest.payout)
  // Each payment appended a leaf. The service destroys no later epoch's key while a leaf is unexplained.
  expect(await countUnknown(stack)).toBe(unknown)
  expect(engine.reports.failures).toEqual([])
})

it('a worker that is woken makes a payment without waiting for its next poll', async () => {
  const follower = startEngine(stack)
  const balance = await funded()
  await leafIndexOf(stack, balance)
  await follower.stop()
  const never = { pollMs: 3_600_000, sweepMs: 3_600_000 }
  const worker = startEngine(stack, undefined, {}, never)
  engine = worker
  const made = await pay(stack, balance, { payee: drawPayee(), payout: PAYOUT })
  await waitUntil(async () => {
    worker.wake('payment')
    return (await readPaymentState(stack, made)).attempts.length > 0
  })
})

it('a payment is made exactly once if a worker dies between journal and broadcast', async () => {
  const payee = drawPayee()
  const balance = await funded()
  const worker = startEngine(stack, (chain: SettlementChain) => ({ ...chain, broadcast: cut }))
  const made = await pay(stack, balance, { payee, payout: PAYOUT })
  await waitUntil(async () => (await readPaymentState(stack, made)).attempts.length > 0)
  await worker.stop()
  expect(await readPaymentState(stack, made)).toEqual({
    ...{ status: 'delivering', attempts: ['deliver live'] },
  })
  expect(await lamportsOf(stack, payee)).toBe(0n)
  engine = startEngine(stack)
  const { attempts } = await waitForPayment(stack, made, 'delivered')
  expect(attempts).toEqual(['deliver landed'])
  expect(await lamportsOf(stack, payee)).toBe(PAYOUT)
})

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
  // The sum is the same, so the change has the same leaf. Only the payee differs.
  await payByOwnHand(balance, own, PAYOUT + 1_000n)
  await blocked.stop()
  // The node shows the transaction with a wrong payout. The worker treats it like a node without history.
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

it('only one of two services pays out of the same note', async () => {
  const other = { ...stack, database: await openMigrated() }
  await migrate(other.database)
  const balance = await funded()
  const engines = [stack, other].map((one) => startEngine(one))
  try {
    const [first, second] = [drawPayee(), drawPayee()]
    const payments = await Promise.all([
      pay(stack, balance, { payee: first, payout: PAYOUT }),
      pay(other, balance, { payee: second, payout: PAYOUT + 1n }),
    ])
    const statuses = async () => [
      (await readPaymentState(stack, payments[0])).status,
      (await readPaymentState(other, payments[1])).status,
    ]
    await waitUntil(async () => (await statuses()).every((one) => one !== 'delivering'))
    expect((await statuses()).sort()).toEqual(['delivered', 'expired'])
    const paid = [await lamportsOf(stack, first), await lamportsOf(stack, second)]
    const isFirst = (await statuses())[0] === 'delivered'
    expect(paid).toEqual(isFirst ? [PAYOUT, 0n] : [0n, PAYOUT + 1n])
  } finally {
    await Promise.all(engines.map((one) => one.stop()))
    await other.database.close()
  }
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
  // No node shows the refund's transaction. So the worker ends the order later, without it.
  await waitUntil(async () => {
    await stack.localnet.local('localnet_advanceTime', [60])
    return (await readState(stack, order)).status === 'refunded'
  })
  expect(await lamportsOf(stack, order.terms.sender)).toBe(before + rest)
  expect((await readPaymentState(stack, made)).status).toBe('delivering')
})

it('the rest of a balance returns to its sender at the balance’s end', async () => {
  engine = startEngine(stack)
  const { order, balance: first } = await opened()
  const { sender } = order.terms
  await waitForStatus(stack, order, 'deposited')
  let balance = first
  for (let payments = 0; payments < 2; payments += 1) {
    const made = await pay(stack, balance, { payee: drawPayee(), payout: PAYOUT })
    await waitForPayment(stack, made, 'delivered')
    balance = made.left
  }
  const before = await lamportsOf(stack, sender)
  await stack.localnet.local('localnet_advanceTime', [1_800 + 600 + 3_600 + 600])
  const { outcome } = await waitForStatus(stack, order, 'refunded')
  expect(outcome).toMatchObject({ kind: 'refund', amount: balance.note.value })
  expect(await lamportsOf(stack, sender)).toBe(before + balance.note.value)
})
