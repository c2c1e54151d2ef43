import { amount, STEP_MAX, UNIT_PRICES } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startCongestedNode, type CongestedNode } from '../../../../testing/stage/congested-node.ts'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { createRpcClient } from '../../src/adapters/rpc/rpc-client.ts'
import { startEngine } from './stack/engine.ts'
import { deposit, lamportsOf, placeOrder, readState, type PlacedOrder } from './stack/orders.ts'
import { startStack, type Stack } from './stack/stack.ts'
import { makeWallet } from './stack/wallet.ts'

const AMOUNT = 120_000_000n
const ORDERS = 6
/**
 * Seconds by which the test advances the time in each round. In this time, the local chain makes more than the 150
 * blocks for which a blockhash is valid. The time is also longer than the first pauses between the attempts for an
 * order.
 */
const ADVANCE_SECONDS = 40
/**
 * The settlements of all orders must have landed after at most this number of rounds. In each round, the blockhash of
 * the last attempt expires. An attempt that expires raises the price by one step, and six steps lead to the highest
 * price.
 */
const ROUNDS_MAX = 16
const SEED = 7

let stack: Stack
let node: CongestedNode
beforeAll(async () => {
  stack = await startStack()
  node = await startCongestedNode(stack.localnet.rpcUrl, SEED)
})
afterAll(async () => {
  await node?.stop()
  await stack?.close()
})

const place = async (): Promise<PlacedOrder> => {
  const recipient = makeWallet().address
  const order = await placeOrder(stack, { amountOut: AMOUNT, fee: 400_000n, recipient })
  await deposit(stack, order)
  return order
}

/** Fees of the landed transactions, in lamports. */
async function feesOf({ seen }: CongestedNode): Promise<bigint[]> {
  const landed = [...seen].filter(([, { isDropped }]) => !isDropped)
  const found = await Promise.all(
    landed.map(([signature]) =>
      stack.rpc
        .getTransaction(signature, { encoding: 'json', maxSupportedTransactionVersion: 0 })
        .send(),
    ),
  )
  return found.flatMap((transaction) => transaction?.meta?.fee ?? [])
}

it('every settlement lands even if the node drops most transactions below a changing price', async () => {
  const orders = await Promise.all(Array.from({ length: ORDERS }, place))
  const at = { lagSlots: 20, clock: systemClock }
  const rpc = createRpcClient({ ...at, urls: [stack.localnet.rpcUrl] }, { ...at, urls: [node.url] })
  let aheadMs = 0
  const engine = startEngine(
    { ...stack, rpc },
    undefined,
    { nowMs: () => systemClock.nowMs() + aheadMs },
    { prices: { floor: 0, ceiling: STEP_MAX, percentile: 75, orderMax: amount(786_432n) } },
  )
  const states = () => Promise.all(orders.map((one) => readState(stack, one)))
  let rounds = 0
  for (; rounds < ROUNDS_MAX; rounds += 1) {
    const rows = await states()
    if (rows.every(({ status }) => status === 'delivered')) break
    await systemClock.sleep(4_000)
    await stack.localnet.local('localnet_advanceTime', [ADVANCE_SECONDS])
    aheadMs += ADVANCE_SECONDS * 1_000
  }
  await engine.stop()
  const rows = await states()
  const fees = await feesOf(node)
  const prices = [...node.seen.values()].map(({ unitPrice }) => unitPrice)
  const total = fees.reduce((sum, fee) => sum + fee, 0n)
  console.log(
    `congestion: ${ORDERS} orders delivered in ${rounds} rounds; ${node.seen.size} attempts, of which ` +
      `${fees.length} landed and paid ${total} lamports of fees; offered prices: ${[...new Set(prices)].join(', ')}`,
  )
  expect(rows.map(({ status }) => status)).toEqual(orders.map(() => 'delivered'))
  for (const { attempts } of rows) expect(attempts.at(-1)).toBe('deliver landed')
  for (const { recipient } of orders) expect(await lamportsOf(stack, recipient)).toBe(AMOUNT)
  // The price rose, and every offered price is in the list `UNIT_PRICES`. No landed transaction cost more than the base
  // fee plus the maximum priority fee.
  expect(prices.some((price) => price > 0n)).toBe(true)
  for (const price of prices) expect(UNIT_PRICES).toContain(price)
  for (const fee of fees) expect(fee).toBeLessThanOrEqual(5_000n + 262_144n)
  expect([...node.methods]).toEqual(['sendTransaction'])
})
