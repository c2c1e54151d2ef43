import type { QuoteResponse } from '@sotto/contract'
import type { Address } from '@sotto/protocol'
import { systemHost, type Host } from '../host/host.ts'
import type { OrderSigner } from '../sign/order-signer.ts'
import { storedTickets, type TicketStore } from '../tickets/ticket-store.ts'
import type { AcceptedPrograms } from '../verify/check-program.ts'
import type { VerifiedOrder } from '../verify/verified-order.ts'
import { abortableNode } from './abortable-node.ts'
import { refreshStep, signStep, submitStep, unwindStep } from './deposit-steps.ts'
import { orderStep, quoteStep, reopen, verifyStep } from './order-steps.ts'
import { trackStep } from './track-step.ts'
import type { TransferContext, TransferRpc, TransferService } from './transfer-context.ts'
import type { Done, TransferResult, TransferState } from './transfer-state.ts'

export interface TransferOptions extends AcceptedPrograms {
  /** `askedFor(request)` to begin, or the state saved last to resume. */
  readonly state: TransferState
  /**
   * Must resolve only once the state is stored durably. It is called before each step. A new process resumes from the
   * state that was saved last. Only one process at a time may run a transfer.
   */
  readonly save: (state: TransferState) => Promise<void>
  readonly service: TransferService
  /** A node that you chose, never one that the service names. */
  readonly rpc: TransferRpc
  readonly programId: Address
  readonly signer: OrderSigner
  /** Called for each quote. Nothing is ordered unless it returns true. */
  readonly approve: (quoted: QuoteResponse) => boolean | Promise<boolean>
  /**
   * Called with every order after its verification and before it is signed; the order contains the program's hash and
   * upgrade authority. If the function throws, the run ends without a signature.
   */
  readonly inspect?: (order: VerifiedOrder) => void | Promise<void>
  /** The default is the browser's `localStorage`. All of a sender's transfers share one store. */
  readonly tickets?: TicketStore
  /** `paid` returns as soon as the deposit is on the chain. Otherwise the run waits for the end. */
  readonly until?: 'final' | 'paid'
  readonly priorityFeeMaxLamports?: bigint
  /** Polling interval in milliseconds; the default is 3,000. */
  readonly pollMs?: number
  /** Ends the run, including a request that the service or the node leaves unanswered. */
  readonly signal?: AbortSignal
  readonly host?: Host
}

/** Maximum number of transactions that are signed for one order. A bad network alone wouldn't cause more. */
const SIGNATURES_MAX = 8
const QUOTES_MAX = 5

/**
 * Runs a transfer from quote to end, or resumes it from a saved state. However often a transfer is stopped and resumed,
 * the sender pays at most once: before a signature may exist, every request is repeated with the same key; afterwards,
 * every transaction belongs to the same order. The caller's own node proves the end at a finalized slot. Until then the
 * state contains the ticket.
 *
 * @throws OrderRefusedError, QuoteDeclinedError, InsufficientFundsError, SubmissionError, DisagreementError,
 *   UnprovenError, and the errors of service and node. The saved state stays valid.
 */
export async function transfer(options: TransferOptions): Promise<TransferResult> {
  const context = contextOf(options)
  const counts = { asked: 0, signing: 0 }
  let state = await reopen(context, options.state)
  let isFresh = false
  await options.save(state)
  for (;;) {
    options.signal?.throwIfAborted()
    if (state.step === 'done') return state.result
    if (state.step === 'deposited' && options.until === 'paid') {
      return { outcome: 'paid', trackingId: state.order.trackingId }
    }
    if (state.step === 'asked') counts.asked += 1
    if (state.step === 'signing') counts.signing += 1
    if (counts.asked > QUOTES_MAX || counts.signing > SIGNATURES_MAX) {
      throw new Error('the transfer makes no progress; its saved state can be resumed')
    }
    const { step } = state
    state = await nextState(context, state, isFresh)
    isFresh = step === 'ordered'
    await options.save(state)
  }
}

function contextOf(options: TransferOptions): TransferContext {
  const { service, rpc, programId, signer, approve, tickets, host, pollMs, signal } = options
  return {
    ...{ service, programId, signer, approve, signal },
    rpc: abortableNode(rpc, signal),
    acceptedPrograms: options.acceptedPrograms,
    isLocalChain: options.isLocalChain,
    inspect: options.inspect ?? (() => undefined),
    priorityFeeMaxLamports: options.priorityFeeMaxLamports,
    tickets: tickets ?? storedTickets(),
    pollMs: pollMs ?? 3_000,
    host: host ?? systemHost,
  }
}

function nextState(
  context: TransferContext,
  state: Exclude<TransferState, Done>,
  isFresh: boolean,
): Promise<TransferState> {
  switch (state.step) {
    case 'asked':
      return quoteStep(context, state)
    case 'quoted':
      return orderStep(context, state)
    case 'ordered':
      return verifyStep(context, state)
    case 'signing':
      return signStep(context, state, isFresh)
    case 'submitting':
      return submitStep(context, state)
    case 'refreshing':
      return refreshStep(context, state)
    case 'unwinding':
      return unwindStep(context, state)
    case 'deposited':
      return trackStep(context, state)
  }
}
