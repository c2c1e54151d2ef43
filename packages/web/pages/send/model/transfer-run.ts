import type { OrderStatusRecord, QuoteResponse, Token } from '@sotto/sdk/server'
import {
  askedFor,
  PROGRAM_SHA256,
  QuoteDeclinedError,
  storedTickets,
  transfer,
  type OrderSigner,
  type TransferRequest,
  type TransferResult,
  type TransferState,
  type VerifiedOrder,
} from '@sotto/sdk/wallet'
import { createSolanaRpc, type Address } from '@solana/kit'
import { assertDecimals } from './assert-decimals.ts'
import { DeclinedError, explain, WalletMissingError, type Problem } from './problems.ts'
import { dropTransfer, saveTransfer } from './saved-transfer.ts'
import { nodeUrl, pageService, type PageConfig } from './service.ts'

/** Where a transfer stands, for the views. */
export type Phase =
  | { readonly kind: 'idle' }
  | { readonly kind: 'preparing' }
  /** The price moved between what was shown and the order: the person is asked again. */
  | { readonly kind: 'repriced'; readonly quoted: QuoteResponse }
  | { readonly kind: 'check'; readonly order: VerifiedOrder; readonly quoted: QuoteResponse }
  | {
      readonly kind: 'running'
      readonly step: TransferState['step']
      readonly state: TransferState
      readonly status: OrderStatusRecord | undefined
    }
  | { readonly kind: 'done'; readonly result: TransferResult; readonly state: TransferState }
  | {
      readonly kind: 'problem'
      readonly problem: Problem
      /** What can be gone on with; undefined where nothing may be left to pay. */
      readonly state: TransferState | undefined
    }

/** Often enough to feel live, seldom enough that a household stays within the page's limits. */
const POLL_MS = 1_500

const isSameDeal = ({ quote: one }: QuoteResponse, { quote: other }: QuoteResponse): boolean =>
  one.amountIn === other.amountIn && one.amountOut === other.amountOut && one.fee === other.fee

/** How far the price may move against the person between the quote that was seen and the order. */
const SLIPPAGE_BPS = 100n

/** The least that a swap must pay out: what the person saw, less the slippage. */
function leastOf(request: TransferRequest, { quote }: QuoteResponse): { readonly minOut?: string } {
  if (request.sourceAssetId === request.destinationAssetId) return {}
  const least = (BigInt(quote.amountOut) * (10_000n - SLIPPAGE_BPS)) / 10_000n
  return { minOut: `${least}` }
}

type Answer = (isYes: boolean) => void

/** One transfer at a time, run by the SDK; asks the person through phases and goes on as they answer. */
export class TransferRun {
  readonly #config: PageConfig
  readonly #tokens: readonly Token[]
  readonly #changed: (phase: Phase) => void
  #answer: Answer | undefined
  #state: TransferState | undefined
  #status: OrderStatusRecord | undefined
  #isRunning = false

  /** `tokens` are what amounts were typed and are shown with. */
  constructor(config: PageConfig, tokens: readonly Token[], changed: (phase: Phase) => void) {
    this.#config = config
    this.#tokens = tokens
    this.#changed = changed
  }

  /** Begins with the quote that the person has seen; a second click begins nothing. */
  start(request: TransferRequest, shown: QuoteResponse, signer: OrderSigner): void {
    if (this.#isRunning) return
    this.#changed({ kind: 'preparing' })
    void this.#run(askedFor({ ...request, ...leastOf(request, shown) }), signer, shown)
  }

  /** Goes on from a saved state; without a signer as far as nothing must be signed. */
  resume(state: TransferState, signer: OrderSigner | undefined): void {
    void this.#run(state, signer ?? absentSigner(state), undefined)
  }

  /** The person's answer to whatever was asked last. */
  answer(isYes: boolean): void {
    const answer = this.#answer
    this.#answer = undefined
    answer?.(isYes)
  }

  /** Back to the form. The transfer is forgotten with its ticket, which the person has as a file. */
  reset(): void {
    this.answer(false)
    const state = this.#state
    if (state !== undefined && 'order' in state) {
      dropTransfer(state.order.trackingId)
      void storedTickets().remove(state.order.trackingId)
    }
    this.#changed({ kind: 'idle' })
  }

  #ask(phase: Phase): Promise<boolean> {
    this.#changed(phase)
    return new Promise((resolve) => {
      this.#answer = resolve
    })
  }

  async #run(
    state: TransferState,
    signer: OrderSigner,
    shown: QuoteResponse | undefined,
  ): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    const end = await this.#carryOut(state, signer, shown)
    this.#isRunning = false
    this.#changed(end)
  }

  async #carryOut(
    state: TransferState,
    signer: OrderSigner,
    shown: QuoteResponse | undefined,
  ): Promise<Phase> {
    this.#state = state
    this.#status = undefined
    let agreed = shown
    let isAgreed = shown === undefined
    try {
      const tickets = storedTickets()
      const rpc = createSolanaRpc(nodeUrl(this.#config) as `https://${string}`)
      const result = await transfer({
        ...{ state, signer, tickets, pollMs: POLL_MS },
        service: pageService((status) => this.#heard(status)),
        rpc,
        programId: this.#config.programId as Address,
        acceptedPrograms: [PROGRAM_SHA256],
        isLocalChain: this.#config.cluster === 'localnet',
        save: async (next) => this.#saved(next),
        approve: async (quoted) => {
          const isSeen = agreed !== undefined && isSameDeal(agreed, quoted)
          agreed = quoted
          if (isSeen) return true
          const isYes = await this.#ask({ kind: 'repriced', quoted })
          if (isYes) this.#changed({ kind: 'preparing' })
          return isYes
        },
        inspect: async (order) => {
          // Asked once: a refreshed transaction of the same order was verified like the first.
          if (isAgreed || agreed === undefined) return
          const { sourceAssetId, destinationAssetId } = state.request
          await assertDecimals(rpc, this.#tokens, [sourceAssetId, destinationAssetId])
          if (!(await this.#ask({ kind: 'check', order, quoted: agreed }))) {
            throw new DeclinedError('The order was not accepted.')
          }
          isAgreed = true
        },
      })
      if (result.outcome !== 'paid') await tickets.remove(result.trackingId)
      return { kind: 'done', result, state: this.#state }
    } catch (error) {
      return this.#failed(error)
    }
  }

  async #saved(state: TransferState): Promise<void> {
    this.#state = state
    await saveTransfer(state)
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
    this.#changed({ kind: 'running', step: state.step, state, status: this.#status })
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

/** Stands for a wallet that is not connected: whatever needs no signature goes on without it. */
function absentSigner({ request }: TransferState): OrderSigner {
  return {
    address: request.senderAddress as Address,
    signWire: async () => {
      throw new WalletMissingError('The wallet is not connected.')
    },
  }
}
