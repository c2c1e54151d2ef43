import { settleNote } from '@sotto/recovery'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { wasmPoseidon } from '@sotto/poseidon'
import { shownNullifier } from '@sotto/protocol'
import { createSettlementChain } from '../../src/adapters/chain/settlement/create-settlement-chain.ts'
import { startEngine, type Engine } from './stack/engine.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import { deposit, lamportsOf, placeOrder, waitForStatus, type PlacedOrder } from './stack/orders.ts'
import { recipientsOf } from './stack/recipients-of.ts'
import { startStack, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

const NEVER = { minDelaySeconds: 3_500, maxDelaySeconds: 3_600 }
const PAST_EXPIRY_SECONDS = 1_800 + 600 + 3_600 + 600
/** This number of seconds is longer than a worker's wait for the transaction of a settlement. */
const PAST_HISTORY_SECONDS = 130

let stack: Stack
let engine: Engine
beforeAll(async () => {
  stack = await startStack()
  engine = startEngine(stack)
})
afterAll(async () => {
  await engine?.stop()
  await stack?.close()
})

/** Settles an order with only its ticket, as any holder of the ticket can. */
async function settleFromTicket(order: PlacedOrder, kind: 'deliver' | 'refund'): Promise<string> {
  const payer = makeWallet()
  await stack.airdrop(payer.address, 1_000_000_000n)
  return settleNote({
    rpc: stack.rpc,
    poseidon: wasmPoseidon,
    prove: (inputs) => stack.prover.prove(inputs),
    ticket: { program: PROGRAM, orderId: order.terms.orderId, note: order.note },
    kind,
    payer: await createKeyPairSignerFromBytes(new Uint8Array(payer.keypair)),
  })
}

it('an order is not paid again if a delivery with its ticket landed', async () => {
  const recipient = makeWallet().address
  const wish = { amountOut: 200_000_000n, fee: 500_000n, recipient, sealed: NEVER }
  const order = await placeOrder(stack, wish)
  await deposit(stack, order)
  await waitForStatus(stack, order, 'deposited')
  const signature = await settleFromTicket(order, 'deliver')
  const { outcome, attempts } = await waitForStatus(stack, order, 'delivered')
  expect(outcome).toMatchObject({ kind: 'delivery', signature })
  expect(attempts).toEqual([])
  expect(await lamportsOf(stack, recipient)).toBe(200_000_000n)
})

it('an order ends as delivered even if its refund has begun', async () => {
  const wish = { amountOut: 200_000_000n, fee: 500_000n, recipient: makeWallet().address }
  const order = await placeOrder(stack, { ...wish, sealed: NEVER })
  await deposit(stack, order)
  await waitForStatus(stack, order, 'deposited')
  await engine.stop()
  await settleFromTicket(order, 'deliver')
  const secrets = (await stack.secrets.read(order.epoch))!
  await stack.database.query(
    `INSERT INTO settlements (pseudonym, status) VALUES ($1, 'refunding')
     ON CONFLICT (pseudonym) DO UPDATE SET status = 'refunding'`,
    [secrets.pseudonym(order.terms.orderId)],
  )
  engine = startEngine(stack)
  const { outcome, attempts } = await waitForStatus(stack, order, 'delivered')
  expect([outcome?.kind, attempts]).toEqual(['delivery', []])
  expect(engine.reports.alerts).not.toContain('outcome_contradicts_status')
})

it('the service finds a refund that landed while the service was stopped', async () => {
  const wish = { amountOut: 200_000_000n, fee: 500_000n, recipient: makeWallet().address }
  const order = await placeOrder(stack, { ...wish, sealed: NEVER })
  await deposit(stack, order)
  await waitForStatus(stack, order, 'deposited')
  await engine.stop()
  await stack.localnet.local('localnet_advanceTime', [PAST_EXPIRY_SECONDS])
  const signature = await settleFromTicket(order, 'refund')
  engine = startEngine(stack)
  const { outcome } = await waitForStatus(stack, order, 'refunded')
  expect(outcome).toMatchObject({ kind: 'refund', signature, amount: 200_500_000n })
})

it('every order ends with the right outcome even if nodes have no history', async () => {
  const recipient = makeWallet().address
  const wish = { amountOut: 200_000_000n, fee: 500_000n, sealed: NEVER }
  const delivered = await placeOrder(stack, { ...wish, recipient })
  const refunded = await placeOrder(stack, { ...wish, recipient: makeWallet().address })
  await deposit(stack, delivered)
  await deposit(stack, refunded)
  await waitForStatus(stack, delivered, 'deposited')
  await waitForStatus(stack, refunded, 'deposited')
  await engine.stop()
  await settleFromTicket(delivered, 'deliver')
  await stack.localnet.local('localnet_advanceTime', [PAST_EXPIRY_SECONDS])
  await settleFromTicket(refunded, 'refund')
  await stack.localnet.local('localnet_advanceTime', [PAST_HISTORY_SECONDS])
  engine = startEngine(stack, (chain) => ({ ...chain, findSettlement: async () => undefined }))
  const nothing = { signature: undefined, slot: undefined }
  const toRecipient = (await waitForStatus(stack, delivered, 'delivered')).outcome
  expect(toRecipient).toMatchObject({ ...nothing, kind: 'delivery', amount: 200_000_000n })
  const toSender = (await waitForStatus(stack, refunded, 'refunded')).outcome
  expect(toSender).toMatchObject({ ...nothing, kind: 'refund', amount: 200_500_000n })
  expect(engine.reports.alerts).toContain('history_missing')
  expect(await lamportsOf(stack, recipient)).toBe(200_000_000n)
})

/** A node that hides all Nullifiers and lists no transactions of any address. */
function hiding(rpc: Stack['rpc']): Stack['rpc'] {
  const accounts = (...asked: Parameters<typeof rpc.getMultipleAccounts>) => ({
    send: async () => {
      const { context, value } = await rpc.getMultipleAccounts(...asked).send()
      return { context, value: value.map((one) => (isNullifier(one) ? null : one)) }
    },
  })
  const hidden: Readonly<Record<PropertyKey, unknown>> = {
    getMultipleAccounts: accounts,
    getSignaturesForAddress: () => ({ send: async () => [] }),
  }
  return new Proxy(rpc, {
    get: (node, name) => hidden[name] ?? (Reflect.get(node, name) as unknown),
  })
}

const isNullifier = (account: unknown): boolean => {
  const { owner, data } = (account ?? {}) as { owner?: string; data?: [string, string] }
  if (owner !== PROGRAM || data === undefined) return false
  const bytes = new Uint8Array(Buffer.from(data[0], 'base64'))
  try {
    return shownNullifier(PROGRAM, { owner: PROGRAM, data: bytes }) !== undefined
  } catch {
    return false
  }
}

it('an order ends as delivered even if the first of several nodes hides the delivery', async () => {
  const wish = { amountOut: 200_000_000n, fee: 500_000n, recipient: makeWallet().address }
  const order = await placeOrder(stack, { ...wish, sealed: NEVER })
  await deposit(stack, order)
  await waitForStatus(stack, order, 'deposited')
  await engine.stop()
  await settleFromTicket(order, 'deliver')
  await stack.localnet.local('localnet_advanceTime', [PAST_EXPIRY_SECONDS])
  const first = hiding(stack.rpc)
  const { rpc, tree } = stack
  const chain = createSettlementChain({
    ...{ rpc: first, program: PROGRAM, tree, recipients: recipientsOf(rpc, PROGRAM) },
    witnesses: [first, rpc, rpc],
  })
  engine = startEngine(stack, () => chain)
  const { outcome } = await waitForStatus(stack, order, 'delivered')
  expect(outcome).toMatchObject({ kind: 'delivery', amount: 200_000_000n })
  expect(engine.reports.events).not.toContain('refund_begun')
})
