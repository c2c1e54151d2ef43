import { NATIVE_MINT, type Address } from '@sotto/protocol'
import type { QuoteRequest } from '@sotto/contract'
import type { Ledger } from '../chain/ledger.ts'
import { tokenKey } from '../chain/ledger.ts'
import type { World } from '../run/world.ts'
import type { SeededRandom } from '../time/seeded-random.ts'
import { placeOrder, type PlacedOrder } from './place-order.ts'
import { payDeposit } from './pay-deposit.ts'
import { pollStatus } from './poll-status.ts'
import { DOLLAR_MINT, drawAddress } from './setting.ts'
import { settleWithTicket } from './settle-with-ticket.ts'

/** What a customer does once there is an order. */
export const MANNERS = [
  'honest',
  'abandons',
  'late',
  'refreshes',
  'retries',
  'holds_ticket',
] as const
export type Manner = (typeof MANNERS)[number]

export const SENDER_LAMPORTS = 3_000_000_000n
export const SENDER_DOLLARS = 2_000_000_000n
const FIRST_MS = 400_000
const BREAKING_MS = 60_000

/** Somebody who sends money once, in a manner of their own, to a recipient of their own. */
export class Customer {
  readonly world: World
  readonly name: string
  readonly random: SeededRandom
  readonly manner: Manner
  readonly sender: Address
  readonly recipient: Address
  readonly request: QuoteRequest
  /** Whether the recipient's account is there from the start. */
  readonly isExpected: boolean
  order: PlacedOrder | undefined
  hasEnded = false

  constructor(world: World, name: string, random: SeededRandom) {
    this.world = world
    this.name = name
    this.random = random
    this.manner = random.pick(MANNERS)
    this.sender = drawAddress(random)
    this.recipient = drawAddress(random)
    this.isExpected = random.chance(0.6)
    this.request = this.#draw(world.parties.partner)
  }

  #draw(partner: Address): QuoteRequest {
    const { random } = this
    const source = random.pick([NATIVE_MINT, DOLLAR_MINT])
    const other = source === NATIVE_MINT ? DOLLAR_MINT : NATIVE_MINT
    const destination = random.chance(0.25) ? other : source
    // A hundred thousandth of a SOL, or a tenth of a cent, in steps.
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

  start(): void {
    const { timeline } = this.world
    timeline.after(this.random.below(FIRST_MS), () => {
      this.#live().catch((error: unknown) => this.world.watch.fail('customer', String(error)))
    })
  }

  async #live(): Promise<void> {
    this.order = await placeOrder(this)
    if (this.order === undefined) {
      this.hasEnded = true
      return
    }
    this.#breakRecipient()
    const polled = pollStatus(this, this.order)
    const paid = payDeposit(this, this.order)
    if (this.manner === 'holds_ticket') await settleWithTicket(this, this.order)
    await Promise.all([polled, paid])
    this.hasEnded = true
  }

  /** The recipient's token account is frozen or closed by its owner, and perhaps mended later. */
  #breakRecipient(): void {
    const { world, random, recipient } = this
    if (this.request.destinationAssetId !== DOLLAR_MINT || !this.isExpected) return
    if (!world.faults.fires('recipient_breaks', this.name)) return
    const key = tokenKey(DOLLAR_MINT, recipient)
    const change = (state: 'frozen' | 'closed' | 'mended') =>
      world.chain.intervene((ledger, position) => {
        const before = ledger.tokens.read(key, position) ?? { balance: 0n, isBlocked: false }
        // An account that holds money can't be closed.
        const isClosed = state === 'closed' && before.balance === 0n
        const after = { ...before, isBlocked: state === 'frozen' }
        ledger.tokens.write(key, position, isClosed ? null : after)
      })
    world.timeline.after(random.below(BREAKING_MS), () => change(random.pick(['frozen', 'closed'])))
    if (random.chance(0.5)) {
      world.timeline.after(random.between(BREAKING_MS, 20 * BREAKING_MS), () => change('mended'))
    }
  }
}
