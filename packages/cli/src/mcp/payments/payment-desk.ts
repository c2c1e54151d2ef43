import { amount, NOTHING, type Amount } from '@sotto/protocol'
import type { Entry, Question } from '../ledger/entry.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { explainToolFailure, outcomeUnknown, paidUnrecorded } from '../explain-tool-failure.ts'
import type { Limits } from '../limits.ts'
import { ToolError } from '../tool-error.ts'
import { drawId } from '../../draw-id.ts'
import { assertConfirmable, assertDay, assertPayment, headroomOf, QUESTION_MS } from './rules.ts'
import type { Cost, PaymentOrder, Purse } from './purse.ts'

/** How this call can ask a person for confirmation. */
export interface Confirmation {
  /** True if the agent's host can show a question. */
  readonly canAsk: boolean
  /** The person's answer to a question; undefined if there is no answer yet. */
  readonly answer: (question: Question) => Promise<'yes' | 'no' | undefined>
  /** Publishes a new question for the person at the terminal. */
  readonly publish: (question: Question, order: PaymentOrder) => Promise<void>
  /** Deletes a published question that is decided or replaced. */
  readonly forget: (question: Question) => Promise<void>
}

/** The result of a `send` call. */
export type Sent =
  | { readonly kind: 'question'; readonly question: Question }
  /**
   * The payment is authorised and in progress. `done` resolves to the payment's final entry, or to an error that says
   * why the outcome isn't known yet.
   */
  | { readonly kind: 'started'; readonly done: Promise<Entry | ToolError> }
  | { readonly kind: 'ended'; readonly entry: Entry }

const NOT_BEGUN = { question: null, paid: null, attempt: null } as const

/**
 * Decides whether an agent's payment is allowed, and makes the payment. The person who starts the server sets the
 * limits, and an agent can't change them. Decisions are made one at a time. Each decision is on the disk before money
 * moves.
 */
export class PaymentDesk {
  readonly #ledger: Ledger
  readonly #limits: Limits
  readonly #purse: Purse
  readonly #running = new Map<string, Promise<Entry | ToolError>>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(ledger: Ledger, limits: Limits, purse: Purse) {
    this.#ledger = ledger
    this.#limits = limits
    this.#purse = purse
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
    for (const [key, entry] of this.#ledger.entries) {
      const isOpen = entry.state === 'sending' || entry.state === 'unknown'
      if (isOpen && !this.#running.has(key)) await this.#settle(key, entry)
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
   * Makes one payment for each key, within the limits. @throws ToolError if the payment is refused. Then this call has
   * paid nothing, but with the code OUTCOME_UNKNOWN, an earlier call may have paid.
   */
  send(order: PaymentOrder, confirmation: Confirmation): Promise<Sent> {
    const turn = this.#last.then(() => this.#decide(order, confirmation))
    this.#last = turn.catch(() => undefined)
    return turn
  }

  /** Resolves once no payment is in progress, which is soon after the purse is aborted. */
  async idle(): Promise<void> {
    await this.#last
    await Promise.all(this.#running.values())
  }

  async #decide(order: PaymentOrder, confirmation: Confirmation): Promise<Sent> {
    const { key, to, amount } = order
    const known = this.#ledger.find(key)
    const continued = await this.#continue(order, known)
    if (continued !== undefined) return continued
    if (await this.#purse.mayBePaid(order)) await this.#refuseForGood(order, known, confirmation)
    const cost = this.#costOf(await this.#purse.quote(to, amount), known)
    const least = { to, amount: `${amount}` }
    assertPayment(this.#limits, cost.total)
    assertDay(this.#limits, this.#ledger.used, cost.total)
    let ceiling = this.#limits.maxPayment
    if (cost.total > this.#limits.confirmAbove) {
      const confirmed = await this.#confirm(order, cost, known, confirmation)
      if (confirmed.kind === 'question') return confirmed
      ceiling = confirmed.most
    } else if (this.#limits.confirmAbove < ceiling) ceiling = this.#limits.confirmAbove
    const left = this.#limits.maxDay - this.#ledger.used
    const most = smallest(headroomOf(cost), ceiling, left)
    const entry = { ...least, ...NOT_BEGUN, state: 'sending' as const, most: `${most}` }
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
    // The payment is signed. It counts against the limits already, so the limits aren't checked again.
    return outcome === 'unsigned' ? undefined : this.#start(order, known)
  }

  /**
   * Refuses the payment now and later. A person may pay it with `sotto balance send --again`, which deletes the
   * unrecorded payment from the balance's store. After that, only the ledger's entry keeps the agent from paying again.
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
   * allowed to cost more, its maximum counts.
   */
  #costOf(cost: Cost, known: Entry | undefined): Cost {
    const former = BigInt(known?.most ?? 0)
    return former > cost.total ? { ...cost, total: amount(former), fee: NOTHING } : cost
  }

  async #confirm(
    order: PaymentOrder,
    cost: Cost,
    known: Entry | undefined,
    confirmation: Confirmation,
  ): Promise<{ kind: 'question'; question: Question } | { kind: 'yes'; most: Amount }> {
    const { key, to, amount } = order
    const question = known?.question ?? undefined
    const isOpen =
      question !== undefined &&
      question.expiresAtMs > this.#ledger.nowMs &&
      BigInt(question.most) >= cost.total
    if (!isOpen) return { kind: 'question', question: await this.#ask(order, cost, confirmation) }
    const answer = await confirmation.answer(question)
    if (answer === undefined) return { kind: 'question', question }
    if (answer === 'yes') return { kind: 'yes', most: unitsIn(question.most) }
    const entry = { to, amount: `${amount}`, most: '0', ...NOT_BEGUN }
    await this.#ledger.write(key, { ...entry, state: 'declined' })
    await forget(known, confirmation)
    throw declined()
  }

  async #ask(order: PaymentOrder, cost: Cost, confirmation: Confirmation): Promise<Question> {
    const { key, to, amount } = order
    const { nowMs } = this.#ledger
    assertConfirmable(this.#ledger.count('asked'), this.#ledger.count('declined'))
    const isClient = this.#limits.confirm === 'client' && confirmation.canAsk
    const question = {
      id: drawId(),
      by: isClient ? ('client' as const) : ('terminal' as const),
      most: `${smallest(headroomOf(cost), this.#limits.maxPayment)}`,
      expiresAtMs: nowMs + QUESTION_MS,
    }
    const former = this.#ledger.find(key)
    const entry = { to, amount: `${amount}`, most: former?.most ?? '0', ...NOT_BEGUN, question }
    await this.#ledger.write(key, { ...entry, state: 'asked' })
    await forget(former, confirmation)
    if (question.by === 'terminal') await confirmation.publish(question, order)
    return question
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
      const paid = { payout: made.payout, fee, trackingId: plainId(trackingId), signature }
      return await this.#ledger.write(key, { ...begun, state: 'paid', question: null, paid })
    } catch (error) {
      const failure = explainToolFailure(error)
      try {
        const isUncertain = failure.code === 'OUTCOME_UNKNOWN'
        if (isUncertain) await this.#ledger.write(key, { ...begun, state: 'uncertain' })
        else await this.#release(key, begun)
      } catch {
        // The store can't be read, or the ledger can't be written. So the payment still counts against the limits.
      }
      return failure
    }
  }

  /**
   * Removes a payment from the sum that counts against the limits, if it was certainly never signed. Every other payment
   * keeps counting.
   */
  async #release(key: string, entry: Entry): ReturnType<Purse['outcome']> {
    const { attempt } = entry
    const outcome = attempt === null ? 'unsigned' : await this.#purse.outcome(key, attempt)
    const isOver = outcome === 'unsigned' || outcome === 'unknown'
    const state = outcome === 'unsigned' ? 'not_paid' : 'unknown'
    if (isOver && entry.state !== state) await this.#ledger.write(key, { ...entry, state })
    return outcome
  }

  async #settle(key: string, entry: Entry): Promise<void> {
    const outcome = await this.#release(key, entry)
    const { to, amount } = entry
    if (outcome === 'paid') await this.#pay({ key, to, amount: unitsIn(amount) }, entry)
  }
}

async function forget(entry: Entry | undefined, confirmation: Confirmation): Promise<void> {
  const question = entry?.question ?? undefined
  if (question?.by === 'terminal') await confirmation.forget(question)
}

function smallest(first: bigint, ...others: readonly bigint[]): bigint {
  return others.reduce((least, other) => (other < least ? other : least), first)
}

/** Converts the ledger's digits to base units. */
const unitsIn = (digits: string): Amount => amount(BigInt(digits))

/**
 * The id, if it has only letters, digits, `_` and `-`; null otherwise. The service chooses the ids, so an id could
 * contain an instruction for the agent.
 */
const plainId = (id: string): string | null => (/^[A-Za-z0-9_-]{1,64}$/.test(id) ? id : null)

const keyReused = () =>
  new ToolError(
    'KEY_REUSED',
    'this key belongs to a payment of another amount or to another recipient; nothing was paid',
    'use a new key for a new payment, or repeat the earlier one with the same arguments',
  )

const declined = () =>
  new ToolError(
    'DECLINED',
    'a person has declined this payment; nothing was paid',
    'do not ask for it again; ask the person what to do instead',
  )
