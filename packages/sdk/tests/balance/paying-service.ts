import type { PaymentOrder, SignatureRequest } from '@sotto/contract'
import { wasmPoseidon as poseidon } from '@sotto/poseidon'
import {
  amount,
  ceilToGrid,
  decodeTicket,
  eddsaVerify,
  leafOfNote,
  leftOf,
  paymentMessage,
  settleInputs,
  unixSeconds,
  type Address,
  type Ticket,
} from '@sotto/protocol'
import { locateNote, readPool, settlementTime } from '@sotto/recovery'
import type { SharedProver } from '../../../../testing/prover/shared-prover.ts'
import type { Chain } from '../../../../program/tests/fixtures/chain.ts'
import { sendSettlement } from '../../../recovery/src/send-settlement.ts'
import type { LiteNode } from '../../../recovery/tests/lite-node.ts'
import type { BalanceService, PaymentOrderTerms } from '../../balance.ts'

export const FEE = 6_000_000n
/** Lifetime of a signature. It is long enough for a signature that is made and sent immediately. */
const VALID_SECONDS = 600n

interface Ordered {
  readonly ticket: Ticket
  readonly made: PaymentOrder
}

/**
 * Simulates a service for payments from balances, on a chain in this process. It quotes, returns the terms to
 * sign, proves the signed payment, and lands it. A test may change a response, or prevent a payment from landing.
 */
export class PayingService {
  readonly #node: LiteNode
  readonly #chain: Chain
  readonly #prover: SharedProver
  readonly #orders = new Map<string, Ordered>()
  readonly #done = new Set<string>()
  change: (made: PaymentOrder) => PaymentOrder = (made) => made
  isStuck = false
  quotesMade = 0

  constructor(node: LiteNode, chain: Chain, prover: SharedProver) {
    this.#node = node
    this.#chain = chain
    this.#prover = prover
  }

  get ordersMade(): number {
    return this.#orders.size
  }

  /** Only the members that a balance calls. A balance never calls the other members. */
  get service(): BalanceService {
    const service: Pick<BalanceService, 'quote' | 'orderPayment' | 'signPayment'> = {
      quote: ({ amount: units, mode, balance }) => {
        this.quotesMade += 1
        const exactIn = mode === 'exact_in'
        const [amountIn, amountOut] = exactIn
          ? [BigInt(units), BigInt(units) - FEE]
          : [BigInt(units) + FEE, BigInt(units)]
        if (amountIn > decodeTicket(balance ?? '').note.value) {
          const refusal = { code: 'BALANCE_TOO_SMALL', retry: 'never' }
          return Promise.reject(Object.assign(new Error('it cannot pay this amount'), refusal))
        }
        const quoteId = `quote-${crypto.randomUUID()}`
        const fee = `${amountIn - amountOut}`
        const quote = { quoteId, amountIn: `${amountIn}`, amountOut: `${amountOut}`, fee }
        return Promise.resolve({ quote } as never)
      },
      orderPayment: (terms) => this.#order(terms),
      signPayment: async (trackingId, signed) => {
        await this.#pay(trackingId, signed)
        return { trackingId } as never
      },
    }
    return service as BalanceService
  }

  async #order({ quote, recipientAddress, balance }: PaymentOrderTerms): Promise<PaymentOrder> {
    const known = this.#orders.get(quote.quoteId)
    if (known !== undefined) return this.change(known.made)
    const ticket = decodeTicket(balance)
    if (ticket.secret !== undefined) throw new Error('the service must never get the secret')
    if (this.#isInUse(ticket)) {
      const refusal = { code: 'NOTE_IN_USE', retry: 'new_quote', retryAfterSeconds: 1_200 }
      throw Object.assign(new Error('another payment of the note is under way'), refusal)
    }
    const { position } = await locateNote(this.#node.rpc, poseidon, ticket)
    const [amountIn, amountOut] = [BigInt(quote.amountIn), BigInt(quote.amountOut)]
    const validUntil = ceilToGrid(this.#chain.time + VALID_SECONDS)
    const end = new Date(Number.parseInt(`${validUntil}000`, 10)).toISOString()
    const made: PaymentOrder = {
      trackingId: quote.quoteId,
      ...{ amountIn: `${amountIn}`, amountOut: `${amountOut}` },
      ...{ sourceSymbol: 'SOL', destinationSymbol: 'SOL' },
      ...{ eta: 10, expiration: end, deliverBy: end },
      payment: {
        leafIndex: Number.parseInt(`${position.leafIndex}`, 10),
        payee: recipientAddress,
        payout: `${amountOut}`,
        fee: `${amountIn - amountOut}`,
        change: `${ticket.note.value - amountIn}`,
        validUntil: end,
      },
    }
    this.#orders.set(quote.quoteId, { ticket, made })
    return this.change(made)
  }

  /**
   * True if a payment reserves the note. A payment reserves its note until the payment has landed or its last valid
   * second has passed.
   */
  #isInUse({ note }: Ticket): boolean {
    return [...this.#orders.values()].some(
      ({ ticket, made }) =>
        ticket.note.nk === note.nk &&
        !this.#done.has(made.trackingId) &&
        Date.parse(made.payment.validUntil) >= Number.parseInt(`${this.#chain.time}000`, 10),
    )
  }

  async #pay(trackingId: string, { changeNk, signature }: SignatureRequest): Promise<void> {
    const ordered = this.#orders.get(trackingId)
    if (ordered === undefined) throw new Error('no such payment')
    if (this.isStuck || this.#done.has(trackingId)) return
    const { ticket, made } = ordered
    const { note } = ticket
    const { rpc } = this.#node
    const { position, root, chain } = await locateNote(rpc, poseidon, ticket)
    const [nk, S, x, y] = [changeNk, signature.S, signature.R8x, signature.R8y].map((hex) =>
      BigInt(`0x${hex}`),
    ) as [bigint, bigint, bigint, bigint]
    const { payee, ...terms } = made.payment
    const validUntil = unixSeconds(BigInt(Date.parse(terms.validUntil)) / 1_000n)
    const request = {
      kind: 'pay',
      ...{ payee: payee as Address, changeNk: nk, validUntil },
      time: settlementTime('pay', unixSeconds(this.#chain.time), note.expiry),
      payout: amount(BigInt(terms.payout)),
      fee: amount(BigInt(terms.fee)),
      signature: { S, R8: { x, y } },
    } as const
    const inputs = settleInputs(poseidon, chain.domain, note, position, request)
    const { domain } = await readPool(rpc, ticket.program)
    const left = leftOf(note, { nk, value: amount(BigInt(terms.change)), validUntil })
    const changeLeaf = leafOfNote(poseidon, domain, left)
    const message = paymentMessage(poseidon, {
      ...request,
      nullifier: inputs.nullifier,
      changeLeaf,
    })
    const owner = note.claim.kind === 'balance' ? note.claim.owner : undefined
    if (owner === undefined || !eddsaVerify(poseidon, owner, message, request.signature)) {
      throw Object.assign(new Error('the signature is invalid'), {
        ...{ code: 'SIGNATURE_INVALID', retry: 'never' },
      })
    }
    const proof = (await this.#prover.prove(inputs)).bytes
    const payer = await this.#chain.wallet()
    await sendSettlement({
      ...{ rpc, payer, chain, mint: note.mint, root, payee: request.payee, inputs, proof },
      limits: {},
    })
    this.#done.add(trackingId)
  }
}
