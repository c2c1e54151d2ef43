import { amount, least, NOTHING, type Amount } from '@sotto/protocol'
import { isSignature } from '@solana/kit'
import { NOT_BEGUN, unitsIn, type Entry, type Question } from '../ledger/entry.ts'
import type { Ledger } from '../ledger/ledger.ts'
import {
  declined,
  explainToolFailure,
  keyReused,
  outcomeUnknown,
  paidUnrecorded,
  spentElsewhere,
} from '../explain-tool-failure.ts'
import type { Limits } from '../limits.ts'
import type { ToolError } from '../tool-error.ts'
import { drawId } from '../../draw-id.ts'
import { forget, type Confirmation } from './confirmation.ts'
import { assertDay, assertPayment, headroomOf } from './rules.ts'
import type { Cost, Outcome, PaymentOrder, Purse } from './purse.ts'
import { Questions } from './questions.ts'

/** The result of a `send` call. */
export type Sent =
  | { readonly kind: 'question'; readonly question: Question }
  /**
   * The payment is authorised and in progress. `done` resolves to the payment's final entry, or to an error that says
   * why the outcome isn't known yet.
   */
  | { readonly kind: 'started'; readonly done: Promise<Entry | ToolError> }
  | { readonly kind: 'ended'; readonly entry: Entry }

/**
 * Decides whether an agent's payment is allowed, and makes the payment. The person who starts the server sets the
 * limits, and an agent can't change them. Decisions are made one at a time. Each decision is on the disk before money
 * moves.
 */
export class PaymentDesk {
  readonly #ledger: Ledger
  readonly #limits: Limits
  readonly #purse: Purse
  readonly #questions: Questions
  readonly #running = new Map<string, Promise<Entry | ToolError>>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(ledger: Ledger, limits: Limits, purse: Purse) {
    this.#ledger = ledger
    this.#limits = limits
    this.#purse = purse
    this.#questions = new Questions(ledger, limits)
  }

  get limits(): Limits {
    return this.#limits
  }

  /** Base units that may still leave the balance within the limit for 24 hours. */
  get leftToday(): Amount {
    const left = this.#limits.maxDay - this.#ledger.used
    return left > 0n ? amount(left) : NOTHING
  }

  find(key: string): Entry | undefined {
    return this.#ledger.find(key)
  }

  get entries(): Ledger['entries'] {
    return this.#ledger.entries
  }

  /**
   * Finds out the outcome of each payment that an earlier process left open. Call this after a restart, once the SDK
   * has waited for the end of every signed payment. No other process can sign meanwhile, because this process has the
   * locks of ledger and balance.
   */
  async reconcile(): Promise<void> {
    for (const [key, entry] of this.#open()) {
      const outcome = await this.#release(key, entry)
      const { to, amount } = entry
      if (outcome === 'paid') await this.#pay({ key, to, amount: unitsIn(amount) }, entry)
    }
  }

  /** The current cost of a payment, and whether `send` would make it. */
  async quote(to: string, payout: Amount) {
    const cost = await this.#purse.quote(to, payout)
    const { maxPayment, confirmAbove } = this.#limits
    return {
      cost,
      isWithinLimits: cost.total <= maxPayment && cost.total <= this.leftToday,
      needsConfirmation: cost.total > confirmAbove,
    }
  }

  /**
   * Makes one payment for each key, within the limits. @throws ToolError if the payment is refused. A refused call has
   * paid nothing. But if the code is OUTCOME_UNKNOWN, an earlier call may have paid.
   */
  send(order: PaymentOrder, confirmation: Confirmation): Promise<Sent> {
    return this.#inTurn(() => this.#decide(order, confirmation))
  }

  /** Resolves once no payment is in progress. After the purse's signal aborts, this takes only a short time. */
  async idle(): Promise<void> {
    await this.#last
    await Promise.all(this.#running.values())
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => undefined)
    return turn
  }

  /** The payments whose outcome isn't known, except those in progress. */
  #open(): Ledger['entries'] {
    return this.#ledger.entries.filter(
      ([key, { state }]) => (state === 'sending' || state === 'unknown') && !this.#running.has(key),
    )
  }

  async #decide(order: PaymentOrder, confirmation: Confirmation): Promise<Sent> {
    const { key, to, amount } = order
    await this.#questions.recordRefusals(confirmation)
    const known = this.#ledger.find(key)
    const continued = await this.#continue(order, known)
    if (continued !== undefined) return continued
    if (await this.#purse.mayBePaid(order)) await this.#refuseForGood(order, known, confirmation)
    const cost = this.#costOf(await this.#purse.quote(to, amount), known)
    // The person may have refused while the service answered.
    await this.#questions.assertNotRefused(key, confirmation)
    assertPayment(this.#limits, cost.total)
    assertDay(this.#limits, this.#ledger.used, cost.total)
    let ceiling: bigint = this.#limits.maxPayment
    if (cost.total > this.#limits.confirmAbove) {
      const confirmed = await this.#questions.confirm(order, cost, known, confirmation)
      if (confirmed.kind === 'question') return confirmed
      // The limit may be lower than when the person was asked.
      ceiling = least<bigint>(confirmed.most, ceiling)
    } else ceiling = least<bigint>(this.#limits.confirmAbove, ceiling)
    const left = this.#limits.maxDay - this.#ledger.used
    const most = least(headroomOf(cost), least(ceiling, left))
    const asked = { to, amount: `${amount}` }
    const entry = { ...asked, ...NOT_BEGUN, state: 'sending' as const, most: `${most}` }
    const sending = await this.#ledger.write(key, entry)
    await forget(known, confirmation)
    return this.#start(order, sending)
  }

  /** Continues or reports an earlier payment with this key; undefined if the payment may be decided again. */
  async #continue(order: PaymentOrder, known: Entry | undefined): Promise<Sent | undefined> {
    const { key, to, amount } = order
    if (known === undefined) return undefined
    if (known.to !== to || known.amount !== `${amount}`) throw keyReused()
    const running = this.#running.get(key)
    if (running !== undefined) return { kind: 'started', done: running }
    if (known.state === 'paid') return { kind: 'ended', entry: known }
    if (known.state === 'declined') throw declined()
    if (known.state === 'unknown') throw outcomeUnknown()
    if (known.state === 'uncertain') throw paidUnrecorded()
    if (known.state !== 'sending') return undefined
    const outcome = await this.#release(key, known)
    if (outcome === 'unknown') throw outcomeUnknown()
    if (outcome === 'uncertain') throw paidUnrecorded()
    // The payment is signed. It counts against the limits already, so the limits aren't checked again.
    return outcome === 'unsigned' ? undefined : this.#start(order, known)
  }

  /**
   * Refuses the payment now and later. A person may pay it with `sotto balance send --again`, which deletes the
   * unrecorded payment from the balance's store. Then only the ledger's entry prevents a second payment.
   */
  async #refuseForGood(
    { key, to, amount }: PaymentOrder,
    known: Entry | undefined,
    confirmation: Confirmation,
  ): Promise<never> {
    const entry = { to, amount: `${amount}`, most: known?.most ?? '0', ...NOT_BEGUN }
    await this.#ledger.write(key, { ...entry, state: 'uncertain' })
    await forget(known, confirmation)
    throw paidUnrecorded()
  }

  /**
   * The cost that counts against the limits. The quote of an earlier attempt may still be used. So if that attempt was
   * allowed to cost more, that attempt's maximum counts.
   */
  #costOf(cost: Cost, known: Entry | undefined): Cost {
    const former = BigInt(known?.most ?? 0)
    return former > cost.total ? { ...cost, total: amount(former), fee: NOTHING } : cost
  }

  #start(order: PaymentOrder, entry: Entry): Sent {
    const { key } = order
    const done = this.#pay(order, entry).finally(() => this.#running.delete(key))
    this.#running.set(key, done)
    return { kind: 'started', done }
  }

  async #pay(order: PaymentOrder, entry: Entry): Promise<Entry | ToolError> {
    const { key } = order
    const id = entry.attempt ?? drawId()
    let begun = entry
    const begin = async () => {
      begun = await this.#ledger.write(key, { ...entry, attempt: id })
    }
    try {
      const made = await this.#purse.pay(order, unitsIn(entry.most), { id, begin })
      const { fee, trackingId, signature } = made
      const ids = { trackingId: plainId(trackingId), signature: plainSignature(signature) }
      const paid = { payout: made.payout, fee, ...ids }
      return await this.#ledger.write(key, { ...begun, state: 'paid', question: null, paid })
    } catch (error) {
      const failure = explainToolFailure(error)
      try {
        return await this.#fail(key, begun, failure)
      } catch {
        // The store can't be read, or the ledger can't be written. So the payment still counts against the limits.
        return failure
      }
    }
  }

  /** Records a failed payment's outcome. Returns an error with a next step that this outcome allows. */
  async #fail(key: string, entry: Entry, failure: ToolError): Promise<ToolError> {
    const outcome = await this.#release(key, entry)
    if (outcome === 'uncertain') return paidUnrecorded()
    // The server refuses this key from now on, so the agent must not be advised to call again.
    if (outcome === 'unknown') return outcomeUnknown()
    if (failure.code !== 'OUTCOME_UNKNOWN') return failure
    // Before this payment, the SDK had to finish another signed payment, and has dropped it. Record that payment's
    // outcome now, before a person can clear the equal payment that the chain shows.
    await this.#inTurn(async () => {
      for (const [other, open] of this.#open()) await this.#release(other, open)
    })
    return spentElsewhere()
  }

  /**
   * Removes a payment from the sum that counts against the limits, if it was certainly not made. Every other payment
   * keeps counting. The SDK drops a signature when another payment spends the same note. So a payment without a
   * signature in the store is `uncertain` if the chain shows an equal payment that the store has no record of.
   */
  async #release(key: string, entry: Entry): Promise<Outcome | 'uncertain'> {
    const { attempt, to } = entry
    const shown = attempt === null ? 'unsigned' : await this.#purse.outcome(key, attempt)
    const isBegunUnsigned = attempt !== null && shown === 'unsigned'
    const order = { key, to, amount: unitsIn(entry.amount) }
    const outcome = isBegunUnsigned && (await this.#purse.mayBePaid(order)) ? 'uncertain' : shown
    if (outcome === 'signed' || outcome === 'paid') return outcome
    const state = outcome === 'unsigned' ? 'not_paid' : outcome
    if (entry.state !== state) await this.#ledger.write(key, { ...entry, state })
    return outcome
  }
}

/**
 * The id, if it has the form of a tracking id; null otherwise. The service chooses the ids, so an id could contain an
 * instruction for the agent.
 */
const plainId = (id: string): string | null => (/^tr_[A-Za-z0-9_-]{22}$/.test(id) ? id : null)

/** The signature, if it is one; null otherwise. The node names it, so it could contain an instruction too. */
const plainSignature = (text: string | null): string | null =>
  text !== null && BASE58.test(text) && isSignature(text) ? text : null

const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/
