import { wasmPoseidon } from '@sotto/poseidon'
import {
  amount,
  changeOf,
  decodeTicket,
  encodeTicket,
  leafOfNote,
  NATIVE_MINT,
  nullifierOf,
  ownerOf,
  packOwner,
  paymentMessage,
  signPayment,
  TIME_GRID_SECONDS,
  unixSeconds,
  type Note,
  type Ticket,
} from '@sotto/protocol'
import { readPool } from '@sotto/recovery'
import { generateKeyPairSigner, type Address } from '@solana/kit'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Quote, Status } from '../../demo/src/service-api.ts'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { makeSender, orderWith, pay, type Market, type Placed } from './customer.ts'
import type { DrawnOrder } from './draw-orders.ts'
import { Refused } from './service-client.ts'

/** A run opens one balance for each group of this many orders, but at least two balances. */
const ORDERS_EACH = 20
const PAYMENTS = 5
/**
 * Maximum number of orders for one payment. A signature may expire because the time was advanced, and then the payment
 * needs another order.
 */
const TRIES = 12
/** The longest allowed life, so that no balance ends before the last wave. */
const LIFE_SECONDS = 2_592_000
const POLL_MS = 1_000
const SOL = 10_000_000n
const SECRET_BITS = 2 ** 31

/** A payment that was ordered and has ended. */
export interface EndedPayment {
  readonly payee: Address
  /** In base units, like `fee`. */
  readonly payout: bigint
  readonly fee: bigint
  readonly isPaid: boolean
}

/** A balance with its payments so far. */
export interface OpenBalance {
  readonly placed: Placed
  readonly payments: readonly EndedPayment[]
  /** The rest of the balance in base units. */
  readonly rest: bigint
  readonly wrong: readonly string[]
  /**
   * The expiry of the rest in Unix seconds. A payment postpones the expiry if it is made on a later day than the
   * deposit.
   */
  readonly expiry: bigint
}

const drawnOf = (random: SeededRandom, index: number): DrawnOrder => ({
  ...{ index, kind: 'sol', fate: 'prompt', source: NATIVE_MINT, destination: NATIVE_MINT },
  amount: SOL * 60n + BigInt(random.below(900)) * 77_777n,
  ...{ isExactOut: false, feeBps: undefined },
})

/** The owner of one balance, who deposits once and then pays from the balance. */
class Owner {
  readonly #market: Market
  readonly #random: SeededRandom
  readonly #secret: bigint
  readonly #name: string
  readonly payments: EndedPayment[] = []
  readonly wrong: string[] = []
  #placed: Placed | undefined
  #ticket: Ticket | undefined
  #domain: Uint8Array = new Uint8Array()

  constructor(market: Market, random: SeededRandom, index: number) {
    this.#market = market
    this.#random = random
    this.#secret = BigInt(1 + random.below(SECRET_BITS))
    this.#name = `balance ${index}`
  }

  async open(index: number): Promise<void> {
    const { stage } = this.#market
    const drawn = drawnOf(this.#random, index)
    const { sender, held } = await makeSender(stage, drawn)
    const topUp = {
      balanceKey: Buffer.from(packOwner(ownerOf(this.#secret))).toString('hex'),
      balanceSeconds: LIFE_SECONDS,
    }
    const addresses = { senderAddress: sender.address, recipientAddress: sender.address }
    const request = {
      amount: String(drawn.amount),
      ...{ sourceAssetId: NATIVE_MINT, destinationAssetId: NATIVE_MINT },
    }
    const { quote, order } = await orderWith(this.#market, request, { ...addresses, ...topUp })
    const ticket = decodeTicket(order.recovery)
    const { value, expiry } = ticket.note
    const parties = { sender, recipient: sender.address, held }
    this.#placed = { drawn, ...parties, quote, order, value, expiry }
    this.#ticket = ticket
    this.#domain = (await readPool(stage.chain.rpc, ticket.program)).domain
    await pay(this.#market, this.#placed)
  }

  async payAll(): Promise<void> {
    for (let paid = 0; paid < PAYMENTS; paid += 1) {
      const { address: payee } = await generateKeyPairSigner()
      const isPaid = await this.#payOnce(payee)
      if (!isPaid) this.wrong.push(`${this.#name} could not pay`)
    }
  }

  get state(): OpenBalance {
    if (this.#placed === undefined) throw new Error('the balance was not opened')
    const { payments, wrong } = this
    const { value: rest, expiry } = this.#note
    return { placed: this.#placed, payments, rest, expiry, wrong }
  }

  get #note(): Note {
    if (this.#ticket === undefined) throw new Error('the balance was not opened')
    return this.#ticket.note
  }

  /**
   * Orders payments to a payee until one of them lands. Makes each new order only when the previous one can't land any
   * more.
   */
  async #payOnce(payee: Address): Promise<boolean> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      try {
        if (await this.#tryToPay(payee)) return true
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        // The quote or the signature expired because the time was advanced.
        if (!error.isForNewQuote && error.code !== 'PAYMENT_EXPIRED') {
          this.wrong.push(`${this.#name}: ${error.message}`)
        }
      }
      await sleep(POLL_MS)
    }
    return false
  }

  async #tryToPay(payee: Address): Promise<boolean> {
    const { client } = this.#market
    const ticket = this.#ticket
    if (ticket === undefined) return false
    const { program, orderId, note } = ticket
    const balance = encodeTicket({ program, orderId, note })
    const addresses = { senderAddress: note.sender, recipientAddress: payee }
    const request = {
      amount: String(SOL + BigInt(this.#random.below(900)) * 7_777n),
      ...{ sourceAssetId: note.mint, destinationAssetId: note.mint },
    }
    const both = { ...addresses, balance }
    const { quote, order } = await orderWith<PaymentAnswer>(this.#market, request, both, '/payment')
    const { payment } = order
    const { body, left } = this.#sign(note, payee, quote, payment)
    let refusal: unknown
    try {
      await client.call('POST', `/payment/${order.trackingId}/signature`, body)
    } catch (error) {
      refusal = error
    }
    // The answer may be lost. So only the payment's final status shows how much money the balance still has.
    const status = await this.#follow(order.trackingId)
    const isPaid = status === 'delivered'
    const sums = { payout: BigInt(payment.payout), fee: BigInt(payment.fee) }
    this.payments.push({ payee, ...sums, isPaid })
    if (isPaid) this.#ticket = { program, orderId, note: left }
    if (!isPaid && refusal instanceof Error) throw refusal
    return isPaid
  }

  #sign(note: Note, payee: Address, quote: Quote, terms: PaymentAnswer['payment']) {
    const [payout, fee] = [BigInt(terms.payout), BigInt(terms.fee)]
    const isAsQuoted =
      terms.payee === payee &&
      terms.payout === quote.amountOut &&
      payout + fee === BigInt(quote.amountIn)
    if (!isAsQuoted)
      this.wrong.push(`${this.#name} was asked to sign something other than the quote`)
    const nullifier = nullifierOf(wasmPoseidon, note.nk, BigInt(terms.leafIndex))
    const change = note.value - payout - fee
    const validUntil = unixSeconds(BigInt(Date.parse(terms.validUntil) / 1_000))
    const left = changeOf(wasmPoseidon, note, {
      ...{ nullifier, validUntil },
      secret: this.#secret,
      change: amount(change),
    })
    const message = paymentMessage(wasmPoseidon, {
      ...{ nullifier, payee, payout: amount(payout), fee: amount(fee) },
      ...{ changeLeaf: leafOfNote(wasmPoseidon, this.#domain, left), validUntil },
    })
    const { S, R8 } = signPayment(wasmPoseidon, this.#secret, message)
    const signature = { S: digitsOf(S), R8x: digitsOf(R8.x), R8y: digitsOf(R8.y) }
    return { left, body: { changeNk: digitsOf(left.nk), signature } }
  }

  async #follow(trackingId: string): Promise<string> {
    let seen = 'awaiting_signature'
    for (;;) {
      const path = `/status/${trackingId}`
      const { order } = await this.#market.client.call<{ order: Status }>('GET', path)
      const { status, final } = order
      if (status !== seen && NEXT[seen]?.includes(status) !== true) {
        this.wrong.push(`a payment of ${this.#name} went from ${seen} to ${status}`)
      }
      seen = status
      if (final) return seen
      await sleep(POLL_MS)
    }
  }
}

const NEXT: Readonly<Record<string, readonly string[]>> = {
  awaiting_signature: ['delivering', 'delivered', 'expired'],
  delivering: ['delivered', 'expired'],
}

const digitsOf = (element: bigint): string => element.toString(16).padStart(64, '0')

interface PaymentAnswer {
  readonly trackingId: string
  readonly payment: {
    readonly leafIndex: number
    readonly payee: string
    readonly payout: string
    readonly fee: string
    readonly validUntil: string
  }
}

/** Opens the balances of a run. The indices of their orders are larger than the indices of all other orders. */
export async function openBalances(market: Market, orders: number, seed: number) {
  const random = new SeededRandom(`balances/${seed}`)
  const count = Math.max(2, Math.floor(orders / ORDERS_EACH))
  const owners = Array.from({ length: count }, (_, place) => {
    return new Owner(market, random.stream(`${place}`), place)
  })
  await Promise.all(owners.map((owner, place) => owner.open(2 * orders + 1_000_000 + place)))
  const paying = Promise.all(owners.map((owner) => owner.payAll()))
  return {
    /** Resolves when every payment has ended. */
    paid: async (): Promise<readonly OpenBalance[]> => {
      await paying
      return owners.map(({ state }) => state)
    },
  }
}

/** If an order takes longer than this, it is stuck, even on a slow machine. */
const PATIENCE_MS = 300_000

/** Advances the time past the end of all balances, and waits until the rest of each balance has been returned. */
export async function endBalances(
  { stage, client }: Market,
  balances: readonly OpenBalance[],
): Promise<string[]> {
  const last = balances.reduce((max, { expiry }) => (expiry > max ? expiry : max), 0n)
  const missing = last + TIME_GRID_SECONDS + 1n - (await stage.chain.clock())
  await stage.advance(Math.max(1, Number(missing)))
  const wrong: string[] = []
  for (const { placed } of balances) {
    const path = `/status/${placed.order.trackingId}`
    let status = ''
    for (let waited = 0; status !== 'refunded' && waited < PATIENCE_MS; waited += POLL_MS) {
      status = (await client.call<{ order: Status }>('GET', path)).order.status
      if (status !== 'refunded') await sleep(POLL_MS)
    }
    if (status !== 'refunded') wrong.push(`the balance ${placed.drawn.index} stayed ${status}`)
  }
  return wrong
}
