import { least, type Amount } from '@sotto/protocol'
import { drawId } from '../../draw-id.ts'
import { NOT_BEGUN, unitsIn, type Entry, type Question } from '../ledger/entry.ts'
import { declined } from '../explain-tool-failure.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Limits } from '../limits.ts'
import { forget, type Confirmation } from './confirmation.ts'
import type { Cost, PaymentOrder } from './purse.ts'
import { assertConfirmable, headroomOf, QUESTION_MS } from './rules.ts'

/** A question without a person's "yes", or the maximum that may leave the balance according to the person's "yes". */
type Confirmed =
  | { readonly kind: 'question'; readonly question: Question }
  | { readonly kind: 'yes'; readonly most: Amount }

/** Asks a person about payments, and keeps the person's answers in the ledger. */
export class Questions {
  readonly #ledger: Ledger
  readonly #limits: Limits

  constructor(ledger: Ledger, limits: Limits) {
    this.#ledger = ledger
    this.#limits = limits
  }

  /**
   * Records every refusal that the ledger doesn't contain yet. Call this before each decision. A refusal counts
   * whenever the agent calls again, and under any key. Otherwise an agent could lose the refusal: it could wait until
   * the question has ended, or go on with other keys.
   */
  async recordRefusals(confirmation: Confirmation): Promise<void> {
    for (const [key, entry] of this.#ledger.entries) {
      if (entry.state !== 'asked' || entry.question === null) continue
      if (!this.#mayAnswer(entry.question)) continue
      if ((await confirmation.answer(entry.question)) !== 'no') continue
      await this.#ledger.write(key, { ...entry, ...NOT_BEGUN, most: '0', state: 'declined' })
      await forget(entry, confirmation)
    }
  }

  /** Records every new refusal. @throws ToolError DECLINED if a person has refused the payment with this key. */
  async assertNotRefused(key: string, confirmation: Confirmation): Promise<void> {
    await this.recordRefusals(confirmation)
    if (this.#ledger.find(key)?.state === 'declined') throw declined()
  }

  /** Reads the person's answer. Asks a new question if none is open that covers this cost. @throws ToolError. */
  async confirm(
    order: PaymentOrder,
    cost: Cost,
    known: Entry | undefined,
    confirmation: Confirmation,
  ): Promise<Confirmed> {
    const question = known?.question ?? undefined
    const isOpen =
      question !== undefined &&
      question.expiresAtMs > this.#ledger.nowMs &&
      BigInt(question.most) >= cost.total &&
      this.#mayAnswer(question)
    if (!isOpen) return { kind: 'question', question: await this.#ask(order, cost, confirmation) }
    const answer = await confirmation.answer(question)
    return answer === 'yes'
      ? { kind: 'yes', most: unitsIn(question.most) }
      : { kind: 'question', question }
  }

  /**
   * True if an answer counts. If the limits require a terminal, a host's answer doesn't count, even if the server asked
   * the host when it ran with other limits.
   */
  #mayAnswer({ by }: Question): boolean {
    return by === 'terminal' || this.#limits.confirm === 'client'
  }

  async #ask(order: PaymentOrder, cost: Cost, confirmation: Confirmation): Promise<Question> {
    const { key, to, amount } = order
    const { nowMs } = this.#ledger
    // The new question replaces the payment's own question, so that one isn't counted.
    assertConfirmable(this.#ledger.count('asked', key), this.#ledger.count('declined', key))
    const isClient = this.#limits.confirm === 'client' && confirmation.canAsk
    const question = {
      id: drawId(),
      by: isClient ? ('client' as const) : ('terminal' as const),
      most: `${least<bigint>(headroomOf(cost), this.#limits.maxPayment)}`,
      expiresAtMs: nowMs + QUESTION_MS,
    }
    const former = this.#ledger.find(key)
    const entry = { to, amount: `${amount}`, most: former?.most ?? '0', ...NOT_BEGUN, question }
    await this.#ledger.write(key, { ...entry, state: 'asked' })
    await forget(former, confirmation)
    if (question.by === 'terminal') await confirmation.publish(question, order)
    return question
  }
}
