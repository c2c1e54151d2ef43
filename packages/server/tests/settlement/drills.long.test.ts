import type { RecentLeaf } from '@sotto/protocol'
import { settleNote } from '@sotto/recovery'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { wasmPoseidon } from '@sotto/poseidon'
import { unixSeconds } from '@sotto/protocol'
import { sqlMarketStore } from '../../src/adapters/store/market-store.ts'
import type { AlertCode } from '../../src/domain/log-names.ts'
import type { SettlementChain } from '../../src/ports/settlement-chain.ts'
import { startEngine, type Engine } from './stack/engine.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import { deposit, placeOrder, readState, waitForStatus, type PlacedOrder } from './stack/orders.ts'
import { startStack, waitUntil, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

const NEVER = { minDelaySeconds: 3_500, maxDelaySeconds: 3_600 }
/**
 * Number of seconds in which the chain makes enough blocks for an unreadable attempt to count as dead. A slot takes a
 * tenth of a second.
 */
const PAST_UNREADABLE_SECONDS = 150
/** This number of seconds is longer than a worker's wait for the transaction of a settlement. */
const PAST_HISTORY_SECONDS = 130

let stack: Stack
let engine: Engine | undefined
beforeAll(async () => {
  stack = await startStack()
})
afterEach(() => engine?.stop())
afterAll(() => stack?.close())

const cut = async (): Promise<never> => {
  throw new Error('cut off')
}
const raised = (running: Engine, code: AlertCode) =>
  waitUntil(async () => running.reports.alerts.includes(code))

async function deposited(sealed = {}): Promise<PlacedOrder> {
  const recipient = makeWallet().address
  const order = await placeOrder(stack, { amountOut: 30_000_000n, fee: 80_000n, recipient, sealed })
  await deposit(stack, order)
  return order
}

/** Runs a worker with faults until an order has a status, then stops the worker. */
async function bring(
  order: PlacedOrder,
  status: string,
  disturb: (chain: SettlementChain) => SettlementChain,
): Promise<void> {
  const worker = startEngine(stack, disturb)
  await waitForStatus(stack, order, status)
  await worker.stop()
}

async function haltReason(): Promise<string | null> {
  return (await stack.operate<{ halted: string | null }>('pool', 'show')).halted
}

async function resumed(): Promise<void> {
  await waitUntil(() =>
    stack.operate('pool', 'resume').then(
      () => true,
      () => false,
    ),
  )
  expect(await haltReason()).toBeNull()
}

it('drill root_mismatch: the tree is followed again as soon as the node shows the right leaves', async () => {
  let isHiding = true
  let aheadMs = 0
  const order = await deposited()
  const told = <Entry extends RecentLeaf | undefined>(entry: Entry): Entry =>
    isHiding && entry !== undefined ? { ...entry, leaf: 1n } : entry
  const hiding = (chain: SettlementChain): SettlementChain => ({
    ...chain,
    readEntries: async (...range) => (await chain.readEntries(...range)).map(told),
    readTree: async (slotMin) => {
      const shown = await chain.readTree(slotMin)
      return { ...shown, entry: (index) => told(shown.entry(index)) }
    },
  })
  engine = startEngine(stack, hiding, { nowMs: () => Date.now() + aheadMs })
  await raised(engine, 'root_mismatch')
  expect(await haltReason()).toBeNull()
  // New orders halt only if the mismatch lasts for minutes. So the test advances the worker's clock by a minute for
  // each failed round.
  const running = engine
  await waitUntil(async () => {
    const rounds = running.reports.failures.filter((one) => one.startsWith('follow:'))
    aheadMs = 60_000 * rounds.length
    return (await haltReason()) === 'root_mismatch'
  })
  isHiding = false
  await waitForStatus(stack, order, 'delivered')
  await resumed()
})

it('drill leaf_differs: the order is delivered after its row is corrected', async () => {
  const order = await deposited()
  await bring(order, 'deposited', (chain) => ({ ...chain, readPayee: cut }))
  const write = (value: bigint) =>
    stack.database.query('UPDATE orders SET value = $2 WHERE id = $1', [
      order.terms.orderId,
      `${value}`,
    ])
  await write(order.terms.value + 1n)
  engine = startEngine(stack)
  await raised(engine, 'leaf_differs')
  await engine.stop()
  await write(order.terms.value)
  engine = startEngine(stack)
  await waitForStatus(stack, order, 'delivered')
  // The wrong row had also halted new orders, so the test resumes them.
  await resumed()
})

it('drill attempt_unknown: an unreadable attempt counts as dead once it is too old', async () => {
  const order = await deposited()
  await bring(order, 'delivering', (chain) => ({ ...chain, broadcast: cut }))
  await stack.database.query("UPDATE attempts SET sealed = '\\x00' WHERE state = 'live'", [])
  engine = startEngine(stack)
  await raised(engine, 'attempt_unknown')
  expect((await readState(stack, order)).attempts).toEqual(['deliver live'])
  await stack.localnet.local('localnet_advanceTime', [PAST_UNREADABLE_SECONDS])
  const { attempts } = await waitForStatus(stack, order, 'delivered')
  expect(attempts).toEqual(['deliver dead', 'deliver landed'])
})

it('drill outcome_contradicts_status: the order ends as delivered once a node shows its delivery', async () => {
  const order = await deposited(NEVER)
  // The order's delay is so long that no worker begins the delivery. So the order has no settlement row yet.
  await bring(order, 'deposited', (chain) => chain)
  const secrets = (await stack.secrets.read(order.epoch))!
  await stack.database.query(
    "INSERT INTO settlements (pseudonym, status) VALUES ($1, 'refunding')",
    [secrets.pseudonym(order.terms.orderId)],
  )
  const payer = makeWallet()
  await stack.airdrop(payer.address, 1_000_000_000n)
  await settleNote({
    rpc: stack.rpc,
    poseidon: wasmPoseidon,
    prove: (inputs) => stack.prover.prove(inputs),
    ticket: { program: PROGRAM, orderId: order.terms.orderId, note: order.note },
    kind: 'deliver',
    payer: await createKeyPairSignerFromBytes(new Uint8Array(payer.keypair)),
  })
  await stack.localnet.local('localnet_advanceTime', [PAST_HISTORY_SECONDS])
  engine = startEngine(stack, (chain) => ({ ...chain, findSettlement: async () => undefined }))
  await raised(engine, 'outcome_contradicts_status')
  expect((await readState(stack, order)).status).toBe('refunding')
  await engine.stop()
  engine = startEngine(stack)
  await waitForStatus(stack, order, 'delivered')
})

it('drill settlement_refused: the order is delivered after the cause of the refusal is removed', async () => {
  let isRefusing = true
  const order = await deposited()
  engine = startEngine(stack, (chain) => ({
    ...chain,
    simulate: async (signed) => (isRefusing ? 'refused' : chain.simulate(signed)),
  }))
  await raised(engine, 'settlement_refused')
  expect((await readState(stack, order)).attempts).toEqual([])
  isRefusing = false
  await waitForStatus(stack, order, 'delivered')
})

it('drill relayers_low and relayers_dry: deliveries continue as soon as the relayers have lamports again', async () => {
  const relayers = [makeWallet(), makeWallet()]
  engine = startEngine({ ...stack, relayers })
  await raised(engine, 'relayers_low')
  // Reads the liquidity as the API processes do.
  const isLiquid = async () =>
    (await sqlMarketStore(stack.database).readMarket(0n, unixSeconds(0n))).liquidity?.isLiquid
  expect(await isLiquid()).toBe(false)
  const order = await deposited()
  await raised(engine, 'relayers_dry')
  expect((await readState(stack, order)).attempts).toEqual([])
  // One relayer that can pay is enough for deposited orders. New orders are accepted only when the relayers can pay for
  // more settlements.
  await stack.airdrop(relayers[1]!.address, 12_000_000n)
  await waitForStatus(stack, order, 'delivered')
  expect(await isLiquid()).toBe(false)
  await stack.airdrop(relayers[0]!.address, 1_000_000_000n)
  await waitUntil(async () => (await isLiquid()) === true)
})
