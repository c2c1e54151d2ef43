import { NATIVE_MINT, type Address } from '@sotto/protocol'
import type { QuoteRequest } from '@sotto/contract'
import { type Ledger, tokenKey } from '../chain/ledger.ts'
import type { SeededRandom } from '../time/seeded-random.ts'
import type { Api } from './api.ts'
import { MANNERS, type Client, type Manner } from './client.ts'
import type { PlacedOrder } from './placed-order.ts'
import { DOLLAR_MINT, drawAddress, SENDER_DOLLARS, SENDER_LAMPORTS } from './setting.ts'
import type { Stage } from './stage.ts'

/**
 * Customers place their order within `FIRST_MS` of the run's start. Customers of a crowd place it within `CROWD_MS`.
 */
const FIRST_MS = 400_000
const CROWD_MS = 60_000
const CROWD_AMOUNT = '500000000'

/** A customer who sends money once to a separate recipient, with random behaviour. */
export class Customer implements Client {
  readonly stage: Stage
  readonly api: Api
  readonly name: string
  readonly random: SeededRandom
  readonly manner: Manner
  readonly sender: Address
  readonly recipient: Address
  readonly request: QuoteRequest
  readonly startsWithinMs: number
  /** True if the recipient's token account exists from the start of the run. */
  readonly isExpected: boolean
  order: PlacedOrder | undefined
  hasEnded = false
  /** True if the accounts of both the sender and the recipient are frozen for days. */
  isStuck = false

  constructor(stage: Stage, api: Api, name: string, random: SeededRandom, isInCrowd: boolean) {
    this.stage = stage
    this.api = api
    this.name = name
    this.random = random
    this.manner = random.pick(MANNERS)
    this.sender = drawAddress(random)
    this.recipient = drawAddress(random)
    this.isExpected = random.chance(0.6)
    this.startsWithinMs = isInCrowd ? CROWD_MS : FIRST_MS
    this.request = isInCrowd ? this.#drawCrowd() : this.#draw(stage.parties.partner)
  }

  /**
   * All customers of a crowd send the same amount, and some of their transfers wait for the deposits of other
   * customers.
   */
  #drawCrowd(): QuoteRequest {
    const { random } = this
    const minCrowd = random.pick([undefined, undefined, 2, 2, 3, 4, 32])
    const crowd = { minCrowd, crowdMissed: random.pick(['refund', 'refund', 'deliver'] as const) }
    return {
      amount: CROWD_AMOUNT,
      sourceAssetId: NATIVE_MINT,
      destinationAssetId: NATIVE_MINT,
      senderAddress: this.sender,
      recipientAddress: this.recipient,
      ...(minCrowd === undefined ? {} : crowd),
    }
  }

  #draw(partner: Address): QuoteRequest {
    const { random } = this
    const source = random.pick([NATIVE_MINT, DOLLAR_MINT])
    const other = source === NATIVE_MINT ? DOLLAR_MINT : NATIVE_MINT
    const destination = random.chance(0.25) ? other : source
    // Amounts are multiples of 0.00001 SOL or of 0.001 dollars.
    const unit = source === NATIVE_MINT ? 10_000n : 1_000n
    const amount = unit * BigInt(random.between(3_000, 90_000))
    const share = random.chance(0.3) ? { feeBps: 100, feeRecipientAddress: partner } : {}
    return {
      amount: `${amount}`,
      sourceAssetId: source,
      destinationAssetId: destination,
      senderAddress: this.sender,
      recipientAddress: this.recipient,
      ...share,
    }
  }

  fund(ledger: Ledger, position: number): void {
    const { sender, recipient } = this
    ledger.lamports.write(sender, position, SENDER_LAMPORTS)
    const dollars = { balance: SENDER_DOLLARS, isBlocked: false }
    ledger.tokens.write(tokenKey(DOLLAR_MINT, sender), position, dollars)
    if (!this.isExpected) return
    ledger.lamports.write(recipient, position, 1_000_000n)
    const empty = { balance: 0n, isBlocked: false }
    ledger.tokens.write(tokenKey(DOLLAR_MINT, recipient), position, empty)
  }
}
