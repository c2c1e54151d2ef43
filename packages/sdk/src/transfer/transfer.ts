import type { QuoteResponse } from '@sotto/contract'
import { decodeTicket, type Address } from '@sotto/protocol'
import { systemHost, type Host } from '../host/host.ts'
import type { OrderSigner } from '../sign/order-signer.ts'
import { storedTickets, type TicketStore } from '../tickets/ticket-store.ts'
import type { AcceptedPrograms } from '../verify/check-program.ts'
import type { VerifiedOrder } from '../verify/verified-order.ts'
import { abortableNode } from './abortable-node.ts'
import { refreshStep, signStep, submitStep, unwindStep } from './deposit-steps.ts'
import { assertProgram } from './own-program.ts'
import { orderStep, quoteStep, reopen, verifyStep } from './order-steps.ts'
import { placeNote } from './place-note.ts'
import { trackStep } from './track-step.ts'
import type { TransferContext, TransferRpc, TransferService } from './transfer-context.ts'
import type { Done, TransferResult, TransferState } from './transfer-state.ts'

export interface TransferOptions extends AcceptedPrograms {
  /** `askedFor(request)` to begin a transfer, or the last saved state to resume it. */
  readonly state: TransferState
  /**
   * The SDK calls this before each step. It must resolve only after the state is stored durably. A new process resumes
   * from the last saved state. Only one process at a time may run a transfer.
   */
  readonly save: (state: TransferState) => Promise<void>
  readonly service: TransferService
  /** A node that you chose. Never use a node that the service names. */
  readonly rpc: TransferRpc
  readonly programId: Address
  readonly signer: OrderSigner
  /**
   * The SDK calls this for each quote, and again if a transfer is resumed before anything was signed. The SDK orders
   * and signs only if the function returns true.
   */
  readonly approve: (quoted: QuoteResponse) => boolean | Promise<boolean>
  /**
   * The SDK calls this with every order, after it has verified the order and before the wallet signs. The order
   * contains the program's hash and the program's upgrade authority. If the function throws, the run ends without a
   * signature.
   */
  readonly inspect?: (order: VerifiedOrder) => void | Promise<void>
  /**
   * The store of recovery tickets. The default is the browser's `localStorage`. All transfers of a sender must share
   * one store.
   */
  readonly tickets?: TicketStore
  /**
   * Searches the tree for the note of a ticket. Resolves to the note's index, or to undefined if the whole tree was
   * read and doesn't contain the note. `noteFinder` of `@sotto/sdk/balance` makes this function. An order's account may
   * be closed a day after the deadline. This function is called only if the deposit was not seen before that. Without
   * the function, the end of such a transfer stays unproven.
   */
  readonly findNote?: ((recovery: string) => Promise<bigint | undefined>) | undefined
  /**
   * With `paid`, the run returns as soon as the deposit is on the chain. With `final` (the default), it waits until
   * the order has ended.
   */
  readonly until?: 'final' | 'paid'
  readonly priorityFeeMaxLamports?: bigint
  /** Polling interval in milliseconds. The default is 3,000. */
  readonly pollMs?: number
  /** If this signal aborts, the run ends, even while a request to the service or the node is waiting for a response. */
  readonly signal?: AbortSignal
  readonly host?: Host
}

/** Maximum number of signatures for one order in a run. A bad network alone never causes that many signatures. */
const SIGNATURES_MAX = 8
const QUOTES_MAX = 5

/**
 * Runs a transfer from the quote to its end, or resumes it from a saved state. The sender pays at most once, even if
 * the transfer is stopped and resumed several times. Before anything is signed, repeated requests have the same
 * idempotency key. From the first signature on, every transaction belongs to the same order. The caller's own node
 * proves at a finalized slot how the order ended.
 *
 * @throws OrderRefusedError, QuoteDeclinedError, InsufficientFundsError, SubmissionError, DisagreementError,
 *   UnprovenError, OverdueError, and the errors of the service and the node; RecoveryError PROGRAM_OTHER if the state's
 *   order belongs to another program, and WRONG_CLUSTER if the node doesn't show the program's pool. The saved state
 *   stays valid.
 */
export async function transfer(options: TransferOptions): Promise<TransferResult> {
  const context = contextOf(options)
  assertOwn(options)
  const counts = { asked: 0, signing: 0 }
  let state = await reopen(context, options.state, options.save)
  let isFresh = false
  await options.save(state)
  for (;;) {
    options.signal?.throwIfAborted()
    if (state.step === 'deposited' && state.leafIndex === null) {
      state = await placeNote(context, state)
      await options.save(state)
    }
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

/** Checks the program of a verified order. An order that isn't verified yet may contain anything. */
function assertOwn({ state, programId }: TransferOptions): void {
  if (!('order' in state) || state.step === 'ordered') return
  assertProgram(decodeTicket(state.order.recovery).program, programId)
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
    findNote: options.findNote,
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
