import { noteFinder } from '@sotto/sdk/balance'
import type { OrderStatusRecord, QuoteResponse, Token } from '@sotto/sdk/server'
import {
  askedFor,
  privacyInWords,
  PROGRAM_SHA256,
  QuoteDeclinedError,
  storedTickets,
  transfer,
  type OrderSigner,
  type TransferRequest,
  type TransferResult,
  type TransferState,
} from '@sotto/sdk/wallet'
import type { Address } from '@solana/kit'
import { absentSigner } from './absent-signer.ts'
import { assertDecimals, haveDecimals } from './assert-decimals.ts'
import { dropUnsigned, isTicketDone } from './needed-tickets.ts'
import { KeptTransfer } from './kept-transfer.ts'
import { nodeRpc } from './node-rpc.ts'
import { DeclinedError, explain } from './problems.ts'
import { ownLeaves, pageService, type PageConfig } from './service.ts'
import { bounded, keepsTerms } from './swap-terms.ts'
import { holdTransfer, type Hold } from './tab-lock.ts'
import type { Phase } from './transfer-phase.ts'

/**
 * Polling interval in milliseconds. It is short enough that the page feels live, and long enough that all browsers of
 * one household together stay within the page's request limits.
 */
const POLL_MS = 1_500

/** The payment's signature; undefined before the wallet has returned it. */
export const signatureOf = (state: TransferState): string | undefined =>
  'signature' in state ? (state.signature ?? undefined) : undefined

type Answer = (isYes: boolean) => void

/**
 * Runs one transfer at a time with the SDK. If the person must answer a question, this class reports the question as a
 * phase, and continues after the answer.
 */
export class TransferRun {
  readonly #config: PageConfig
  readonly #tokens: readonly Token[]
  readonly #changed: (phase: Phase) => void
  readonly #kept = new KeptTransfer()
  #answer: Answer | undefined
  #state: TransferState | undefined
  #request: TransferRequest | undefined
  #status: OrderStatusRecord | undefined
  #signature: string | undefined
  /** The tokens whose decimals the chain confirms in this run. */
  #known: readonly Token[] = []
  /** The terms that the person accepted last. Later quotes are compared with them. */
  #agreed: QuoteResponse | undefined
  #quoted: QuoteResponse | undefined
  /** A quote that the SDK has received but not yet passed to `approve`. */
  #declined: QuoteResponse | undefined
  #suggestedOut: string | undefined
  #isAloneAccepted = false
  #isRunning = false
  #hold: Hold | undefined
  #stop = new AbortController()

  /** `tokens` contains the decimals with which amounts are typed and shown. */
  constructor(config: PageConfig, tokens: readonly Token[], changed: (phase: Phase) => void) {
    this.#config = config
    this.#tokens = tokens
    this.#changed = changed
  }

  /**
   * Starts a transfer with the quote that the person has seen. If the person clicks twice, the second click does
   * nothing. For a swap, `suggestedOut` is the amount that the chosen suggestion delivers.
   */
  start(
    request: TransferRequest,
    shown: QuoteResponse,
    signer: OrderSigner,
    suggestedOut?: string,
  ): void {
    if (this.#isRunning) return
    this.#changed({ kind: 'preparing' })
    const state = askedFor(bounded(request, shown, suggestedOut))
    void this.#run(() => this.#carryOut(state, signer), shown, suggestedOut)
  }

  /**
   * Continues a saved transfer as soon as no other tab runs it. Without a signer, continues up to the step that needs a
   * signature.
   */
  resume(state: TransferState, signer: OrderSigner | undefined): void {
    const own = signer ?? absentSigner(state.request.senderAddress)
    void this.#run(() => this.#goOn(state, own))
  }

  /** Passes on the person's answer to the last question. */
  answer(isYes: boolean): void {
    const answer = this.#answer
    this.#answer = undefined
    answer?.(isYes)
  }

  /** Returns to the form. If the chain hasn't shown how the transfer ended, its state and ticket are kept. */
  reset(): void {
    this.answer(false)
    this.#stop.abort(new Error('the person left the transfer'))
    this.#kept.leave(this.#state)
    this.#changed({ kind: 'idle' })
  }

  #ask(phase: Phase): Promise<boolean> {
    this.#changed(phase)
    return new Promise((resolve) => {
      this.#answer = resolve
    })
  }

  async #run(
    work: () => Promise<Phase>,
    shown?: QuoteResponse,
    suggestedOut?: string,
  ): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    this.#stop = new AbortController()
    this.#state = undefined
    this.#agreed = shown
    this.#suggestedOut = suggestedOut
    this.#isAloneAccepted = false
    this.#signature = undefined
    const end = await work()
    this.#hold?.release()
    this.#hold = undefined
    this.#isRunning = false
    this.#changed(end)
  }

  /**
   * Continues from the newest saved state, because another tab may have continued the transfer. If the state is missing
   * and this tab waited for another tab, that tab has ended the transfer. If this tab didn't wait, the browser may have
   * lost its storage. The run then continues from the given state, and the chain shows how the transfer ended.
   */
  async #goOn(state: TransferState, signer: OrderSigner): Promise<Phase> {
    if (!('order' in state)) return this.#carryOut(state, signer)
    try {
      const hasWaited = await this.#take(state.order.trackingId)
      const newest = this.#kept.newest(state)
      if (newest === undefined && hasWaited) return { kind: 'finished' }
      return await this.#carryOut(newest ?? state, signer)
    } catch (error) {
      if (this.#stop.signal.aborted) return { kind: 'idle' }
      this.#state = state
      return this.#failed(error)
    }
  }

  /** Prevents other tabs from running this transfer until this run ends. Returns true if another tab ran it before. */
  async #take(trackingId: string): Promise<boolean> {
    let hasWaited = false
    const busy = () => {
      hasWaited = true
      this.#changed({ kind: 'elsewhere' })
    }
    this.#hold ??= await holdTransfer(trackingId, busy, this.#stop.signal)
    return hasWaited
  }

  async #carryOut(state: TransferState, signer: OrderSigner): Promise<Phase> {
    this.#state = state
    this.#request = state.request
    this.#status = undefined
    this.#known = []
    // A new transfer checks the decimals before it is signed.
    const confirmed = this.#agreed === undefined ? this.#confirmDecimals(state.request) : undefined
    try {
      const result = await this.#transfer(state, signer)
      await confirmed
      const tokens = this.#known
      return { kind: 'done', result, state: this.#state, signature: this.#signature, tokens }
    } catch (error) {
      // The SDK itself declines a quote that delivers less than agreed. Then ask the person about the new quote.
      const less = error instanceof QuoteDeclinedError ? this.#declined : undefined
      if (less === undefined) {
        await this.#dropUnsigned(error).catch(() => undefined)
        return this.#failed(error)
      }
      this.#declined = undefined
      if (!(await this.#agree(less))) return { kind: 'idle' }
      return this.#carryOut(askedFor(bounded(state.request, less, this.#suggestedOut)), signer)
    }
  }

  /** If the decimals of a reloaded transfer can't be checked, the transfer continues, and the page shows no amounts. */
  async #confirmDecimals({ sourceAssetId, destinationAssetId }: TransferRequest): Promise<void> {
    const ids = [sourceAssetId, destinationAssetId]
    const isTrue = haveDecimals(nodeRpc(this.#config), this.#tokens, ids, this.#stop.signal)
    if (await isTrue) this.#known = this.#tokens
  }

  /** Rejects if the browser denies its storage. */
  async #dropUnsigned(error: unknown): Promise<void> {
    await dropUnsigned(storedTickets(), this.#state, error)
  }

  async #transfer(state: TransferState, signer: OrderSigner): Promise<TransferResult> {
    const tickets = storedTickets()
    const rpc = nodeRpc(this.#config)
    const service = pageService((status) => this.#heard(status))
    const programId = this.#config.programId as Address
    const isLocalChain = this.#config.cluster === 'localnet'
    const mustCheck = this.#agreed !== undefined
    let isChecked = false
    const result = await transfer({
      ...{ state, signer, tickets, rpc, pollMs: POLL_MS },
      service: {
        ...service,
        quote: async (request, options) => (this.#declined = await service.quote(request, options)),
      },
      programId,
      findNote: noteFinder({ rpc, programId, leaves: [ownLeaves()], isLocalChain }),
      acceptedPrograms: [PROGRAM_SHA256],
      isLocalChain,
      save: async (next) => this.#saved(next),
      approve: async (quoted) => {
        this.#declined = undefined
        return this.#agree(quoted)
      },
      inspect: async (order) => {
        // Ask the person only once. If the order's transaction is refreshed, the SDK verifies the new one too.
        if (!mustCheck || isChecked || this.#quoted === undefined) return
        const { sourceAssetId, destinationAssetId } = state.request
        await assertDecimals(rpc, this.#tokens, [sourceAssetId, destinationAssetId])
        this.#known = this.#tokens
        const asked = state.request
        if (!(await this.#ask({ kind: 'check', order, quoted: this.#quoted, asked }))) {
          throw new DeclinedError('The order was not accepted.')
        }
        isChecked = true
      },
    })
    // If the browser refuses to delete the ticket, the transfer has ended nevertheless.
    if (isTicketDone(result)) await tickets.remove(result.trackingId).catch(() => undefined)
    return result
  }

  /**
   * Returns true if the quote may be used. Asks the person first if the quote doesn't keep the accepted terms or if the
   * transfer has no privacy.
   */
  async #agree(quoted: QuoteResponse): Promise<boolean> {
    const isSeen =
      this.#agreed !== undefined && keepsTerms(this.#agreed, quoted, this.#suggestedOut)
    if (!isSeen && !(await this.#ask({ kind: 'repriced', quoted }))) return false
    if (!isSeen) this.#agreed = quoted
    const asked = this.#request ?? {}
    if (privacyInWords(quoted, asked).hiding === 'none' && !this.#isAloneAccepted) {
      if (!(await this.#ask({ kind: 'alone', quoted, asked }))) return false
      this.#isAloneAccepted = true
    }
    this.#quoted = quoted
    this.#changed({ kind: 'preparing' })
    return true
  }

  async #saved(state: TransferState): Promise<void> {
    this.#state = state
    this.#signature = signatureOf(state) ?? this.#signature
    if ('order' in state && state.step !== 'ordered') await this.#take(state.order.trackingId)
    await this.#kept.save(state)
    if (state.step === 'asked' || state.step === 'quoted' || state.step === 'done') return
    if (state.step !== 'ordered') this.#show()
  }

  #heard(status: OrderStatusRecord): void {
    this.#status = status
    this.#show()
  }

  #show(): void {
    const state = this.#state
    if (state === undefined) return
    const tokens = this.#known
    this.#changed({ kind: 'running', step: state.step, state, status: this.#status, tokens })
  }

  #failed(error: unknown): Phase {
    const state = this.#state
    const isOpen = state !== undefined && 'order' in state && state.step !== 'ordered'
    const isDeclined = error instanceof DeclinedError || error instanceof QuoteDeclinedError
    if (isDeclined && !isOpen) return { kind: 'idle' }
    const problem = explain(error, state?.step)
    return { kind: 'problem', problem, state: isOpen ? state : undefined }
  }
}
