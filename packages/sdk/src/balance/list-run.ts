import { parseAmount, U64_MAX } from '@sotto/protocol'
import { DisagreementError } from '../transfer/errors.ts'
import type { BalancePayer } from './balance-payer.ts'
import type { PaidPayment, PaymentRequest } from './balance-state.ts'
import { BalanceError } from './errors.ts'
import { keyOfLine } from './payment-keys.ts'
import type { ListProgress, PaymentList } from './payment-list.ts'
import { planLines, type Room, type WaitingLine } from './plan-lines.ts'
import { assertNotMade } from './unrecorded.ts'
import { unspentNote } from './unspent-note.ts'

/**
 * The codes of errors that mean that the balance has too little, or nothing, left for a line. Then another balance may
 * pay the line.
 */
const TOO_SMALL = 'BALANCE_TOO_SMALL'
const NOTHING_LEFT: ReadonlySet<unknown> = new Set(['BALANCE_EMPTY', 'BALANCE_ENDED'])

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined

/** One of the balances that pay the list. */
interface Member {
  readonly payer: BalancePayer
  /** The line that the balance is paying now; undefined if there is none. */
  current: number | undefined
  /** True if the balance can't pay any more. */
  isOver: boolean
  /** The lines that the balance can't afford, fees included. */
  readonly tooLarge: Set<number>
}

const memberOf = (payer: BalancePayer): Member => ({
  ...{ payer, current: undefined, isOver: false },
  tooLarge: new Set(),
})

/**
 * Pays the lines of one list. Each balance pays at most one line at a time. Before you call this, take the turn
 * (`inTurn`) of every balance.
 */
export class ListRun {
  readonly #members: readonly Member[]
  readonly #id: string
  readonly #lines: readonly PaymentRequest[]
  readonly #onPaid: (progress: ListProgress) => void
  readonly #paid = new Map<number, PaidPayment>()
  #failure: { readonly error: unknown } | undefined
  /** Resolves when a payment ends or a failure is recorded. A new signal then replaces it. */
  #changed = signal()

  constructor(
    payers: readonly BalancePayer[],
    { id, lines }: PaymentList,
    onPaid: (progress: ListProgress) => void,
  ) {
    this.#members = payers.map(memberOf)
    this.#id = id
    this.#lines = lines
    this.#onPaid = onPaid
  }

  /** @throws the first error of any balance, once all payments that were in progress have ended. */
  async run(): Promise<PaidPayment[]> {
    await this.#all((member) => this.#begin(member))
    for (const line of this.#lines.keys()) {
      const paid = this.#paidBefore(line)
      if (paid !== undefined) this.#finish(line, paid)
    }
    await this.#all((member) => this.#payLines(member))
    return this.#lines.map((_, line) => {
      const paid = this.#paid.get(line)
      if (paid === undefined) throw new Error('a line of a complete list is not paid')
      return paid
    })
  }

  /** Runs `work` for all members. If any of them fails, throws the first failure after all members have stopped. */
  async #all(work: (member: Member) => Promise<void>): Promise<void> {
    await Promise.all(
      this.#members.map((member) =>
        work(member).catch((error: unknown) => {
          this.#failure ??= { error }
          this.#change()
        }),
      ),
    )
    if (this.#failure !== undefined) throw this.#failure.error
  }

  /**
   * Waits until payments that an earlier run signed have ended. After that, reads the balance's value from the owner's
   * node.
   */
  async #begin(member: Member): Promise<void> {
    const { payer } = member
    try {
      await payer.settleOthers(undefined)
      await unspentNote(payer.context, payer.record)
    } catch (error) {
      if (!canMove(member, error)) throw error
      member.isOver = true
    }
  }

  async #payLines(member: Member): Promise<void> {
    while (this.#failure === undefined) {
      const next = this.#nextFor(member)
      if (next === 'done') return
      if (next === 'wait') await this.#changed.done
      else await this.#payLine(member, next)
    }
  }

  async #payLine(member: Member, line: number): Promise<void> {
    member.current = line
    const paid = await this.#tryToPay(member, line).catch((error: unknown) => {
      this.#failure ??= { error }
      return undefined
    })
    member.current = undefined
    try {
      if (paid !== undefined) this.#finish(line, paid)
    } finally {
      this.#change()
    }
  }

  /**
   * Tries to pay the line from this balance. Returns undefined if the balance can't pay the line, so that another
   * balance may pay it.
   */
  async #tryToPay(member: Member, line: number): Promise<PaidPayment | undefined> {
    const { payer, tooLarge } = member
    const [key, request] = [this.#keyOf(line), this.#lines[line]]
    if (request === undefined) throw new Error('the list has no such line')
    // Another copy of the stores may have paid the line from any of the balances.
    for (const { payer: one } of this.#members) assertNotMade(one.record, key, request)
    try {
      return await payer.pay(key, request)
    } catch (error) {
      if (!canMove(member, error)) throw error
      if (hasLapsed(member, key)) throw signedBefore(line)
      if (codeOf(error) === TOO_SMALL) tooLarge.add(line)
      else member.isOver = true
      const isQuoted = payer.record.state.payments[key]?.step === 'quoted'
      if (isQuoted) await payer.record.savePayment(key, undefined)
      return undefined
    }
  }

  /**
   * The next line for a balance. `wait` means that the balance may get a line after another balance's payment has
   * ended. All balances compute the same plan. If no balance is paying, the plan gives a line to at least one of them,
   * so they can't wait for each other forever.
   */
  #nextFor(member: Member): number | 'wait' | 'done' {
    const waiting = [...this.#lines.keys()].filter((line) => !this.#isTaken(line))
    const isBusy = this.#members.some(({ current }) => current !== undefined)
    // If another balance's payment fails, its line becomes available again.
    if (waiting.length === 0) return isBusy ? 'wait' : 'done'
    const claims = new Map(waiting.map((line) => [line, this.#claimantOf(line)]))
    const claimedBy = (one: Member | undefined) =>
      waiting.filter((line) => claims.get(line) === one)
    const [own] = claimedBy(member)
    if (own !== undefined) return own
    const free = claimedBy(undefined)
    const rooms = this.#members.map((one) => this.#roomOf(one, claimedBy(one)))
    const plan = planLines(
      free.map((line) => this.#waitingLine(line)),
      rooms,
    )
    if (plan.unplaced !== undefined && !isBusy) throw this.#noPlaceFor(plan.unplaced)
    if (plan.unplaced !== undefined) return 'wait'
    const index = this.#members.indexOf(member)
    return free.find((line) => plan.lines.get(line) === index) ?? 'wait'
  }

  #waitingLine(line: number): WaitingLine {
    // A text that isn't an amount counts as the greatest amount, which is more than any balance contains.
    return { line, amount: parseAmount(this.#lines[line]?.amount ?? '0') ?? U64_MAX }
  }

  #roomOf({ payer, current, isOver, tooLarge }: Member, claimed: readonly number[]): Room {
    const taken = current === undefined ? claimed : [current, ...claimed]
    const needed = taken.reduce((sum, line) => sum + this.#waitingLine(line).amount, 0n)
    return {
      left: isOver ? 0n : payer.record.ticket.note.value - needed,
      lines: taken.length,
      mayHold: (line) => !isOver && !tooLarge.has(line),
    }
  }

  #isTaken(line: number): boolean {
    return this.#paid.has(line) || this.#members.some(({ current }) => current === line)
  }

  /**
   * The balance that has an unfinished payment for the line in its store, or that dropped a signed payment for it. Only
   * this balance may pay the line, because two payments out of the same note can't both land.
   */
  #claimantOf(line: number): Member | undefined {
    const key = this.#keyOf(line)
    const stepOf = ({ payer }: Member) => payer.record.state.payments[key]?.step
    return (
      this.#members.find((member) => stepOf(member) === 'signed') ??
      this.#members.find((member) => stepOf(member) === 'quoted') ??
      this.#members.find((member) => hasLapsed(member, key))
    )
  }

  #paidBefore(line: number): PaidPayment | undefined {
    for (const { payer } of this.#members) {
      const saved = payer.record.state.payments[this.#keyOf(line)]
      if (saved?.step === 'paid') return saved.paid
    }
    return undefined
  }

  #finish(line: number, paid: PaidPayment): void {
    this.#paid.set(line, paid)
    this.#onPaid({ line, paid })
  }

  #noPlaceFor({ line, amount }: WaitingLine): BalanceError {
    const lefts = this.#members.map((member) => this.#roomOf(member, []).left)
    const most = lefts.reduce((one, other) => (one > other ? one : other))
    const message =
      `no single balance can pay line ${line} (${amount} base units) and its fee: the largest balance has ` +
      `${most} left for all waiting lines. Add a balance, or split the line under another list id`
    return new BalanceError('BALANCES_TOO_SMALL', message)
  }

  #keyOf(line: number): string {
    return keyOfLine(this.#id, line)
  }

  #change(): void {
    this.#changed.resolve()
    this.#changed = signal()
  }
}

/**
 * True if another balance may pay the line: this balance lacks the money, and has no signed payment whose outcome is
 * unknown.
 */
function canMove({ payer }: Member, error: unknown): boolean {
  const code = codeOf(error)
  if (code !== TOO_SMALL && !NOTHING_LEFT.has(code)) return false
  const payments = Object.values(payer.record.state.payments)
  return payments.every(({ step }) => step !== 'signed')
}

const hasLapsed = ({ payer }: Member, key: string): boolean =>
  payer.record.state.lapsed?.includes(key) === true

const signedBefore = (line: number) =>
  new DisagreementError(
    `line ${line} was signed for a balance that can't pay it now. Your node showed that the signed payment can't ` +
      'land any more. But the node may be wrong, so no other balance pays the line. If the payee got nothing, pay ' +
      'the line under another list id',
  )

/** A promise, and the function that resolves it. */
function signal(): { readonly done: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined
  const done = new Promise<void>((settle) => (resolve = settle))
  return { done, resolve }
}
