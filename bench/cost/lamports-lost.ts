import { NATIVE_MINT } from '@sotto/protocol'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '@solana/kit'
import { awaitRent } from '../../testing/soak/await-rent.ts'
import { pay, place, type Market, type Placed } from '../../testing/soak/customer.ts'
import type { TransferKind } from './kinds.ts'

const POLL_MS = 200
const PATIENCE_MS = 120_000

async function lamportsOf({ stage }: Market, wallets: readonly Address[]): Promise<bigint> {
  let sum = 0n
  for (const wallet of wallets) sum += await stage.chain.balance(wallet, NATIVE_MINT)
  return sum
}

/** Places one order of a kind. If `hasAccount` is true, the recipient gets a token account before the order is paid. */
async function placeOne(market: Market, kind: TransferKind, index: number): Promise<Placed> {
  const { setup, treasury } = market.stage
  const [source, destination] = kind.assets(setup.usdc)
  const placed = await place(market, {
    ...{ index, kind: 'sol', fate: 'prompt', isExactOut: false, feeBps: undefined },
    ...{ source, destination, amount: kind.amount },
  })
  if (kind.hasAccount && destination !== NATIVE_MINT) {
    await treasury.mint(placed.recipient, destination, 1n)
  }
  return placed
}

async function awaitDelivery({ client }: Market, { order }: Placed): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
    const path = `/status/${order.trackingId}`
    const answer = await client.call<{ order: { status: string } }>('GET', path)
    if (answer.order.status === 'delivered') return
    await sleep(POLL_MS)
  }
  throw new Error('an order was never delivered')
}

/** The cost of transfers in lamports. */
export interface Lost {
  /** The cost for senders and relayers together. */
  readonly all: bigint
  /** The relayers' cost. It is the cost of settling. */
  readonly relayers: bigint
}

/**
 * Measures the cost of transfers in lamports, without the sent amounts. The measurement ends when all transfers are
 * delivered and all Orders and Nullifiers are closed.
 */
export async function lamportsLost(
  market: Market,
  kind: TransferKind,
  count: number,
): Promise<Lost> {
  const { stage } = market
  const { relayers } = stage.setup
  const placed: Placed[] = []
  for (let index = 0; index < count; index += 1) placed.push(await placeOne(market, kind, index))
  const senders = placed.map(({ sender }) => sender.address)
  const held = async () => ({
    relayers: await lamportsOf(market, relayers),
    senders: await lamportsOf(market, senders),
  })
  const before = await held()
  await Promise.all(placed.map((one) => pay(market, one)))
  await Promise.all(placed.map((one) => awaitDelivery(market, one)))
  const [rent] = await awaitRent(stage)
  if (rent !== undefined) throw new Error(rent)
  const isNative = kind.assets(stage.setup.usdc)[0] === NATIVE_MINT
  const sent = isNative ? placed.reduce((sum, { quote }) => sum + BigInt(quote.amountIn), 0n) : 0n
  const after = await held()
  const ofRelayers = before.relayers - after.relayers
  return { all: before.senders - after.senders + ofRelayers - sent, relayers: ofRelayers }
}
