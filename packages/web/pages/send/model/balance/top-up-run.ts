import { openBalance, shownNoteIn, type ShownNote, type TopUp } from '@sotto/sdk/balance'
import type { QuoteResponse, Token } from '@sotto/sdk/server'
import type { OrderSigner, TransferState, VerifiedOrder } from '@sotto/sdk/wallet'
import { assertDecimals } from '../assert-decimals.ts'
import { absentSigner } from '../absent-signer.ts'
import { randomName } from '../chance.ts'
import { DeclinedError, WalletMissingError, type Problem } from '../problems.ts'
import type { PageConfig } from '../service.ts'
import { holdBalance, type Hold } from '../tab-lock.ts'
import { balanceOptions } from './balance-options.ts'
import { explainBalance } from './balance-problems.ts'
import { forgetUnsigned, readBalance, watchedStore } from './own-balances.ts'

/** The current phase of a top-up, which decides the view. */
export type TopUpPhase =
  | { readonly kind: 'idle' }
  | { readonly kind: 'preparing' }
  /** Another tab is running the top-up. */
  | { readonly kind: 'elsewhere' }
  /** The person must save the file and agree before the wallet is asked to sign. */
  | {
      readonly kind: 'keep'
      readonly order: VerifiedOrder
      readonly note: ShownNote
      readonly quoted: QuoteResponse | undefined
    }
  | { readonly kind: 'running'; readonly step: TransferState['step'] }
  | { readonly kind: 'done'; readonly name: string }
  | {
      readonly kind: 'problem'
      readonly problem: Problem
      /** The name of the balance; undefined if its top-up can't be continued. */
      readonly name: string | undefined
    }

/** In these steps, no signature of the wallet has been saved yet. */
const UNSIGNED: readonly TransferState['step'][] = ['asked', 'quoted', 'ordered', 'signing']

/**
 * Makes the top-up of one balance. Before the wallet is asked to sign, the secret is in this browser's storage and in
 * a file.
 */
export class TopUpRun {
  readonly #config: PageConfig
  readonly #tokens: readonly Token[]
  readonly #changed: (phase: TopUpPhase) => void
  #stop = new AbortController()
  #answer: ((isYes: boolean) => void) | undefined
  #quoted: QuoteResponse | undefined
  #step: TransferState['step'] | undefined
  #isRunning = false

  constructor(config: PageConfig, tokens: readonly Token[], changed: (phase: TopUpPhase) => void) {
    this.#config = config
    this.#tokens = tokens
    this.#changed = changed
  }

  /** Creates a new balance. If the person clicks twice, the second click does nothing. */
  start(topUp: TopUp, signer: OrderSigner): void {
    // Asks the browser to keep the storage even if space runs out. If the browser refuses, the top-up continues
    // anyway.
    void navigator.storage?.persist?.().catch(() => undefined)
    void this.#run(randomName(), signer, topUp)
  }

  /** Continues an interrupted top-up. If its wallet isn't connected, continues up to the step that needs the wallet. */
  async resume(name: string, signer: OrderSigner | undefined): Promise<void> {
    try {
      await this.#resume(name, signer)
    } catch (error) {
      // The browser's storage may fail.
      this.#changed({ kind: 'problem', problem: explainBalance(error), name })
    }
  }

  async #resume(name: string, signer: OrderSigner | undefined): Promise<void> {
    const stored = (await readBalance(name))?.stored
    const sender = stored?.senderAddress ?? ''
    const own = signer?.address === sender ? signer : undefined
    const step = stored?.topUp?.step ?? 'deposited'
    if (own === undefined && UNSIGNED.includes(step)) {
      const problem = explainBalance(new WalletMissingError('The wallet is not connected.'), step)
      return this.#changed({ kind: 'problem', problem, name })
    }
    await this.#run(name, own ?? absentSigner(sender), undefined)
  }

  /** Passes on the person's answer to the last question. */
  answer(isYes: boolean): void {
    const answer = this.#answer
    this.#answer = undefined
    answer?.(isYes)
  }

  /**
   * Leaves the top-up. A top-up that may have been signed stays in the list of balances. Any other top-up is deleted,
   * unless another tab runs it.
   */
  leave(): void {
    this.#stop.abort(new Error('the person left the top-up'))
    this.answer(false)
  }

  /** Returns to the form after a problem. */
  dismiss(): void {
    if (!this.#isRunning) this.#changed({ kind: 'idle' })
  }

  async #run(name: string, signer: OrderSigner, topUp: TopUp | undefined): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#stop = new AbortController()
    this.#step = undefined
    this.#quoted = undefined
    this.#changed({ kind: 'preparing' })
    let hold: Hold | undefined
    let end: TopUpPhase
    try {
      hold = await holdBalance(name, () => this.#changed({ kind: 'elsewhere' }), this.#stop.signal)
      await this.#carryOut(name, signer, topUp)
      end = { kind: 'done', name }
    } catch (error) {
      end = await this.#ended(name, error, hold !== undefined)
    }
    hold?.release()
    this.#isRunning = false
    this.#changed(end)
  }

  async #carryOut(name: string, signer: OrderSigner, topUp: TopUp | undefined): Promise<void> {
    const options = balanceOptions(this.#config, () => undefined)
    let isKept = false
    await openBalance({
      ...options,
      ...{ signer, signal: this.#stop.signal },
      ...(topUp === undefined ? {} : { topUp }),
      store: watchedStore(name, ({ topUp: saved }) => {
        this.#step = saved?.step ?? 'deposited'
        const isSigned = this.#step === 'submitting' || this.#step === 'refreshing'
        if (isSigned || this.#step === 'unwinding') this.#showStep()
      }),
      // The request fixes the amount and the asset, so check only the fee. Accept only a quote without a fee.
      approve: (quoted) => {
        this.#quoted = quoted
        return quoted.quote.fee === '0'
      },
      keep: async (ticket, order) => {
        if (isKept) return
        const note = shownNoteIn(ticket)
        await assertDecimals(options.rpc, this.#tokens, [note.assetId])
        if (!(await this.#ask(order, note))) throw new DeclinedError('The order was not accepted.')
        isKept = true
        this.#changed({ kind: 'running', step: 'signing' })
      },
    })
  }

  #ask(order: VerifiedOrder, note: ShownNote): Promise<boolean> {
    this.#changed({ kind: 'keep', order, note, quoted: this.#quoted })
    return new Promise((resolve) => {
      this.#answer = resolve
    })
  }

  #showStep(): void {
    if (this.#step !== undefined) this.#changed({ kind: 'running', step: this.#step })
  }

  async #ended(name: string, error: unknown, isHeld: boolean): Promise<TopUpPhase> {
    // If this tab doesn't hold the balance, another tab runs the top-up, and the person may have saved its file there.
    const isGone = isHeld && (await forgetUnsigned(name).catch(() => false))
    // A top-up that may have been signed stays in the list of balances, so no problem has to be shown.
    if (this.#stop.signal.aborted || error instanceof DeclinedError) return { kind: 'idle' }
    const problem = explainBalance(error, this.#step)
    const isOver = isGone || problem.code === 'NOT_OPENED'
    return { kind: 'problem', problem, name: isOver ? undefined : name }
  }
}
