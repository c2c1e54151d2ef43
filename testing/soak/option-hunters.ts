import { NATIVE_MINT } from '@sotto/protocol'
import { rename, writeFile } from 'node:fs/promises'
import { TERMS } from '../../demo/src/market-terms.ts'
import type { Order } from '../../demo/src/service-api.ts'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import type { Ground } from '../stage/open-ground.ts'
import { landing, outlive, place, refreshOrder, type Market, type Placed } from './customer.ts'
import type { DrawnOrder } from './draw-orders.ts'
import { Refused } from './service-client.ts'

/** A price in this file is the number of base units of USDC for this many base units of SOL. */
const MILLION = 1_000_000n
const USUAL = (TERMS.price.numerator * MILLION) / TERMS.price.denominator
const WHOLE_BPS = 10_000n
const ROUNDS = 3
/** The relative size of a price's move, in millionths. */
const MOVE = { least: 4_000, most: 9_000 }

/**
 * Writes the prices that the service reads. Writes to another file and renames it, so that the service never reads half
 * of the prices.
 */
async function setPrice({ env, setup }: Ground, price: bigint): Promise<void> {
  const rate = (source: string, destination: string, numerator: bigint, denominator: bigint) => ({
    ...{ source, destination },
    ...{ numerator: `${numerator}`, denominator: `${denominator}` },
  })
  const rates = [
    rate(NATIVE_MINT, setup.usdc, price, MILLION),
    rate(setup.usdc, NATIVE_MINT, MILLION, price),
  ]
  const file = env['SOTTO_PRICES_FILE'] as string
  await writeFile(`${file}.new`, JSON.stringify({ rates }))
  await rename(`${file}.new`, file)
}

/** The value of a note for the input of an order, by the published formula. The price is reduced by the spread. */
function worth({ quote }: Placed, price: bigint, spreadBps: bigint): bigint {
  const rest = BigInt(quote.amountIn) - BigInt(quote.feeBreakdown.partnerFee)
  return (rest * price * (WHOLE_BPS - spreadBps)) / (MILLION * WHOLE_BPS)
}

/** A user who pays for a swap only if the same swap at the market's price would give less. */
class Hunter {
  readonly placed: Placed
  /** Violations found. */
  readonly wrong: string[] = []
  readonly #market: Market
  /** The chain's time until which the swap may be paid. */
  readonly #end: bigint
  #current: Order

  constructor(market: Market, placed: Placed) {
    const { payableUntil, expiration } = placed.order
    this.#end = BigInt(Date.parse(payableUntil ?? expiration)) / 1_000n
    this.#market = market
    this.placed = placed
    this.#current = placed.order
  }

  isProfitable(price: bigint): boolean {
    return worth(this.placed, price, 0n) < this.placed.value
  }

  /** Requests a new transaction. The service must refuse the request if a new quote would give less, and only then. */
  async refresh(price: bigint): Promise<void> {
    const { drawn, value, order } = this.placed
    const isAllowed = worth(this.placed, price, TERMS.spreadBps) >= value
    const answer = await refreshOrder(this.#market, order.trackingId).catch((error: unknown) => {
      if (error instanceof Refused) return error.code
      throw error
    })
    if (typeof answer !== 'string') this.#current = answer
    const got = typeof answer === 'string' ? answer : 'a transaction'
    const wanted = isAllowed ? 'a transaction' : 'PRICE_MOVED'
    // In a slow run, the service may also refuse because the swap can't be paid any more by the chain's clock.
    const isLate = got === 'ORDER_EXPIRED' && (await this.#market.stage.chain.clock()) > this.#end
    if (got === wanted || isLate) return
    this.wrong.push(`order ${drawn.index} (hunting) got ${got} instead of ${wanted} at ${price}`)
  }

  /** Submits the newest transaction; returns whether it landed. */
  async submit(): Promise<boolean> {
    const { stage } = this.#market
    const { transaction, lastValidBlockHeight } = this.#current
    const { wire, signature } = await stage.chain.sign(transaction, this.placed.sender)
    await stage.chain.submit(wire)
    return (await landing(stage, signature, BigInt(lastValidBlockHeight))) === 'landed'
  }

  /** Waits until the newest transaction can't land any more. */
  async outlive(): Promise<void> {
    await outlive(this.#market.stage, this.#current)
  }
}

/**
 * Orders swaps, moves the price several times, and refreshes the orders after each move. At the end, each hunter gets a
 * transaction at a fair price. Then the price falls before this transaction expires. Some hunters pay with their
 * transaction. The other hunters request a new transaction, and the service refuses the request. No other user may swap
 * during this time.
 */
export async function huntOptions(market: Market, drawn: readonly DrawnOrder[], seed: number) {
  const { stage } = market
  const random = new SeededRandom(`prices/${seed}/${drawn[0]?.index}`)
  const moved = (sign: 1n | -1n) =>
    USUAL + (sign * USUAL * BigInt(random.between(MOVE.least, MOVE.most))) / MILLION
  const hunters = await Promise.all(
    drawn.map(async (one) => new Hunter(market, await place(market, one))),
  )
  const all = (work: (hunter: Hunter) => Promise<unknown>) => Promise.all(hunters.map(work))
  for (let round = 0; round < ROUNDS; round += 1) {
    const price = moved(random.chance(0.5) ? 1n : -1n)
    await setPrice(stage, price)
    // The hunters run one after another, because each hunter advances the time for all.
    for (const hunter of hunters) await hunter.outlive()
    // The hunters' transactions have expired, so a submitted transaction must not land. If it landed, the order would
    // be paid, and the service would refuse the next refresh because of the payment, not because of the price.
    await all(async (hunter) => hunter.isProfitable(price) && (await hunter.submit()))
    await all((hunter) => hunter.refresh(price))
  }
  await setPrice(stage, USUAL)
  await all((hunter) => hunter.refresh(USUAL))
  const fallen = moved(-1n)
  await setPrice(stage, fallen)
  const paid: Placed[] = []
  await all(async (hunter) => {
    const isBold = hunter.placed.drawn.index % 2 === 0
    if (isBold && hunter.isProfitable(fallen) && (await hunter.submit())) paid.push(hunter.placed)
    else await hunter.refresh(fallen)
  })
  await setPrice(stage, USUAL)
  const unpaid = hunters.flatMap(({ placed }) => (paid.includes(placed) ? [] : [placed]))
  return { paid, unpaid, wrong: hunters.flatMap(({ wrong }) => wrong) }
}
