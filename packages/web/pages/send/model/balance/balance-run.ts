import {
  BalanceError,
  forgetIndexedBalance,
  openBalance,
  type Balance,
  type KeyedPayment,
  type PaidPayment,
  type ShownPayment,
} from '@sotto/sdk/balance'
import type { QuoteResponse, Token } from '@sotto/sdk/server'
import { assertDecimals } from '../assert-decimals.ts'
import { randomMs, randomName } from '../chance.ts'
import { nodeRpc } from '../node-rpc.ts'
import type { PageConfig } from '../service.ts'
import { costsNoMore } from '../swap-terms.ts'
import { holdBalance, type Hold } from '../tab-lock.ts'
import { balanceOptions } from './balance-options.ts'
import type { BalancePhase, NewPayment, PayStep, WantedPayment } from './balance-phase.ts'
import { explainBalance, explainReplaced } from './balance-problems.ts'
import { firstUnchecked, isUncertain } from './unrecorded-payments.ts'
import { readBalance, watchedStore } from './own-balances.ts'
import { WAIT_SPREAD_MS } from './time-of-payment.ts'

/**
 * Interval in milliseconds at which a waiting payment reads the clock. It is short, so that the payment is made at once
 * if the computer wakes up after the chosen moment.
 */
const CLOCK_MS = 1_000

/**
 * One balance of this browser, which only this tab uses. If the person must answer a question, this class reports the
 * question as a phase.
 */
export class BalanceRun {
  readonly name: string
  readonly #config: PageConfig
  readonly #tokens: readonly Token[]
  readonly #changed: (phase: BalancePhase) => void
  readonly #stop = new AbortController()
  #hold: Hold | undefined
  #balance: Balance | undefined
  #wanted: WantedPayment | undefined
  /** The terms that the person has seen and accepted. */
  #agreed: QuoteResponse | undefined
  /**
   * The amount that stays in the pool when the rest is returned. Undefined if the page has shown no such amount. In
   * that case, the SDK draws the amount.
   */
  #kept: bigint | undefined
  #answer: ((isYes: boolean) => void) | undefined
  #wait: { isOver: boolean } | undefined
  #isPaying = false

  /** `tokens` contains the decimals with which amounts are typed and shown. */
  constructor(
    name: string,
    config: PageConfig,
    tokens: readonly Token[],
    changed: (phase: BalancePhase) => void,
  ) {
    this.name = name
    this.#config = config
    this.#tokens = tokens
    this.#changed = (phase) => {
      if (!this.#stop.signal.aborted) changed(phase)
    }
  }

  /** Opens the balance as soon as no other tab uses it. First completes a signed payment that was interrupted. */
  async open(): Promise<void> {
    this.#changed({ kind: 'opening', pending: undefined })
    try {
      const busy = () => this.#changed({ kind: 'elsewhere' })
      this.#hold ??= await holdBalance(this.name, busy, this.#stop.signal)
      const pending = (await this.#stored()).payments.find(({ step }) => step !== 'paid')
      this.#changed({ kind: 'opening', pending })
      const balance = await openBalance({
        ...balanceOptions(this.#config, (step) => this.#stepped(step)),
        store: watchedStore(this.name, () => undefined),
        approve: (quoted) => this.#agree(quoted),
        signal: this.#stop.signal,
      })
      // The page must not say that an earlier payment was not made while that payment may still land.
      await balance.resume()
      this.#balance = balance
      if (pending === undefined) await this.ready()
      else await this.#showEnd(pending)
    } catch (error) {
      if (isUncertain(error)) await this.#showReplaced()
      else this.#failed(error)
    }
  }

  /** Stops using the balance in this tab. A signed payment continues without this tab. */
  close(): void {
    this.#stopWaiting()
    this.#stop.abort(new Error('the balance was closed'))
    this.answer(false)
    this.#hold?.release()
  }

  /** Reads the remaining value from the chain. */
  async ready(): Promise<void> {
    const balance = this.#balance
    if (balance === undefined) return this.open()
    this.#wanted = undefined
    try {
      const state = await balance.state()
      const readMs = Date.now()
      this.#changed({ kind: 'ready', state, readMs, stored: await this.#stored() })
    } catch (error) {
      this.#failed(error)
    }
  }

  /** Deletes the balance from this browser, including its secret and its record of payments. */
  async forget(): Promise<void> {
    try {
      await forgetIndexedBalance(this.name)
    } catch (error) {
      this.#failed(error)
    }
  }

  /** Makes a payment on the terms that the person has seen. */
  pay(payment: NewPayment, shown: QuoteResponse): void {
    this.#stopWaiting()
    this.#agreed = shown
    void this.#carryOut({ key: randomName(), isClosing: false, ...payment })
  }

  /** Waits until `fromMs` by the browser's clock and then for a random time, and then makes the payment. */
  payLater(payment: NewPayment, shown: QuoteResponse, fromMs: number): void {
    this.#stopWaiting()
    const atMs = fromMs + randomMs(WAIT_SPREAD_MS)
    const wait = { isOver: false }
    this.#wait = wait
    this.#changed({ kind: 'waiting', payment, shown, atMs })
    const check = () => {
      // If the timer fires late or twice, it must not pay a second time.
      if (wait.isOver) return
      if (Date.now() >= atMs) this.pay(payment, shown)
      else setTimeout(check, CLOCK_MS)
    }
    setTimeout(check, CLOCK_MS)
  }

  /** Stops waiting, without making the payment. */
  dontWait(): void {
    this.#stopWaiting()
    void this.ready()
  }

  #stopWaiting(): void {
    if (this.#wait !== undefined) this.#wait.isOver = true
    this.#wait = undefined
  }

  /**
   * Closes the balance: pays the rest to the wallet that paid in, except for `kept` base units, which stay in the
   * pool.
   */
  takeBack(shown: QuoteResponse, to: string, amount: string, kept: bigint): void {
    this.#agreed = shown
    this.#kept = kept
    void this.#carryOut({ key: undefined, isClosing: true, to, amount, mode: 'exact_in' })
  }

  /** Makes the payment that was interrupted or that failed. It is made at most once. */
  again(): void {
    this.#agreed = undefined
    if (this.#wanted === undefined || this.#balance === undefined) void this.open()
    else void this.#carryOut(this.#wanted)
  }

  /** Drops a payment that was interrupted before it was signed. */
  async drop(): Promise<void> {
    try {
      await this.#balance?.dropUnsigned()
      await this.ready()
    } catch (error) {
      this.#failed(error)
    }
  }

  /** Passes on the person's answer to the last question. */
  answer(isYes: boolean): void {
    const answer = this.#answer
    this.#answer = undefined
    answer?.(isYes)
  }

  async #carryOut(wanted: WantedPayment): Promise<void> {
    const balance = this.#balance
    // If the person clicks twice, the second click must not pay again.
    if (balance === undefined || this.#isPaying) return
    this.#isPaying = true
    this.#wanted = wanted
    this.#stepped('preparing')
    try {
      this.#paid(wanted, await this.#carryOutOnce(balance, wanted))
    } catch (error) {
      this.#failed(error)
    }
    this.#isPaying = false
  }

  /** Makes the payment. First asks the person about each payment on the chain that may be this one. */
  async #carryOutOnce(balance: Balance, wanted: WantedPayment): Promise<PaidPayment> {
    for (const checked: (string | null)[] = []; ;) {
      try {
        return await carryOut(balance, wanted, { kept: this.#kept, except: checked })
      } catch (error) {
        if (!isUncertain(error)) throw error
        const { unrecorded } = await this.#stored()
        const made = firstUnchecked(unrecorded, wanted, checked)
        if (made === undefined) throw error
        if (!(await this.#ask({ kind: 'uncertain', payment: wanted, made }))) {
          throw new BalanceError('QUOTE_DECLINED', 'the person does not want to pay once more')
        }
        checked.push(made.signature)
      }
    }
  }

  #paid(payment: WantedPayment, paid: PaidPayment): void {
    this.#changed({ kind: 'paid', payment, paid })
  }

  /** Shows how an interrupted payment ended. */
  async #showEnd(pending: ShownPayment): Promise<void> {
    const { payments } = await this.#stored()
    const { key, isClosing, to, amount, mode } = pending
    const now = payments.find((one) => one.key === key && one.isClosing === isClosing)
    this.#wanted = { key, isClosing, to, amount, mode }
    if (now?.paid !== undefined) return this.#paid(this.#wanted, now.paid)
    this.#changed({ kind: 'unpaid', payment: this.#wanted })
  }

  /**
   * Reports that a transaction other than the signed one may have made an interrupted payment, and names it. After this
   * problem, the balance can be opened again.
   */
  async #showReplaced(): Promise<void> {
    const { unrecorded } = await this.#stored()
    this.#changed({ kind: 'problem', problem: explainReplaced(unrecorded.at(-1)?.signature) })
  }

  #stepped(step: PayStep): void {
    const payment = this.#wanted
    if (payment !== undefined) this.#changed({ kind: 'paying', payment, step })
  }

  async #agree(quoted: QuoteResponse): Promise<boolean> {
    // The SDK compares only base units. If the decimals are wrong, these base units aren't the amount that the person
    // typed.
    const { assetId } = await this.#stored()
    await assertDecimals(nodeRpc(this.#config), this.#tokens, [assetId])
    const payment = this.#wanted
    if (this.#agreed !== undefined && costsNoMore(this.#agreed, quoted)) return true
    if (payment === undefined) return false
    const isAgreed = await this.#ask({ kind: 'repriced', quoted, payment })
    if (isAgreed) this.#agreed = quoted
    return isAgreed
  }

  async #ask(question: BalancePhase): Promise<boolean> {
    this.#changed(question)
    const isYes = await new Promise<boolean>((resolve) => {
      this.#answer = resolve
    })
    this.#stepped('preparing')
    return isYes
  }

  #failed(error: unknown): void {
    if (this.#stop.signal.aborted) return
    const problem = explainBalance(error)
    if (problem.code === 'QUOTE_DECLINED') void this.ready()
    else this.#changed({ kind: 'problem', problem })
  }

  async #stored() {
    const own = await readBalance(this.name)
    if (own === undefined) throw new BalanceError('NO_BALANCE', 'the browser deleted the balance')
    if (own.stored === undefined) throw new Error('another version of this page wrote this balance')
    return own.stored
  }
}

function carryOut(
  balance: Balance,
  { key, isClosing, to, amount, mode }: WantedPayment,
  { kept, except }: { readonly kept: bigint | undefined; readonly except: KeyedPayment['except'] },
): Promise<PaidPayment> {
  if (isClosing) return balance.close(kept === undefined ? {} : { kept })
  if (key === undefined)
    throw new Error('this payment is a line of a list, which this page did not make')
  return balance.send({ key, to, amount, mode, except })
}
