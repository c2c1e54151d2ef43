import { encodeTicket, decodeTicket, ownerOf, type Ticket } from '@sotto/protocol'
import { newestOfBalance, readChainClock } from '@sotto/recovery'
import { systemHost } from './src/host/host.ts'
import type { OrderSigner } from './src/sign/order-signer.ts'
import { memoryTickets } from './src/tickets/ticket-store.ts'
import { assertProgram } from './src/transfer/own-program.ts'
import { transfer } from './src/transfer/transfer.ts'
import type { AcceptedPrograms } from './src/verify/check-program.ts'
import type { VerifiedOrder } from './src/verify/verified-order.ts'
import { Balance } from './src/balance/balance.ts'
import type { BalanceContext } from './src/balance/balance-context.ts'
import { balanceHash } from './src/balance/balance-hash.ts'
import { BalanceRecord, drawSecret, hexOf, secretIn } from './src/balance/balance-state.ts'
import { memoryBalance, type BalanceStore } from './src/balance/balance-store.ts'
import { BalanceError } from './src/balance/errors.ts'
import { Pace } from './src/balance/pace.ts'
import { unrecordedOf } from './src/balance/unrecorded.ts'
import { readState, type BalanceState } from './src/balance/read-state.ts'
import { beginAgain, depositFor, provenIndex, unpaid, type TopUp } from './src/balance/top-up.ts'

export { Balance, type CloseOptions, type KeyedPayment } from './src/balance/balance.ts'
export type { ListProgress, PaymentList } from './src/balance/payment-list.ts'
export type { BalanceService } from './src/balance/balance-context.ts'
export type { Payment, PaymentOrder, SignatureRequest } from '@sotto/contract'
export type { PaymentOrderTerms } from './src/balance/payment-order.ts'
export {
  givenAwayBy,
  type GivenAwayBy,
  type PayingBalance,
  type PlannedPayment,
} from './src/balance/given-away.ts'
export { noteFinder, type SearchedChain } from './src/balance/find-note.ts'
export type { TopUp } from './src/balance/top-up.ts'
export { drawResidue } from './src/balance/residue.ts'
export { isLike as isLikeUnrecorded } from './src/balance/unrecorded.ts'
export { drawPaymentTime } from './src/balance/wait.ts'
export type { PaymentName } from './src/balance/payment-keys.ts'
export type { BalanceState } from './src/balance/read-state.ts'
export {
  storedBalance,
  type StoredBalance,
  type StoredPayment,
} from './src/balance/stored-balance.ts'
export type { PaidPayment, PaymentRequest, UnrecordedPayment } from './src/balance/balance-state.ts'
export { BalanceTakenError, memoryBalance, type BalanceStore } from './src/balance/balance-store.ts'
export { BalanceError, PaymentRefusedError, type BalanceErrorCode } from './src/balance/errors.ts'
export {
  forgetIndexedBalance,
  forgetIndexedBalanceIf,
  indexedBalance,
  indexedBalanceNames,
  type IndexedDatabases,
} from './src/balance/indexed-store.ts'
export {
  shownBalanceIn,
  shownNoteIn,
  type ShownBalance,
  type ShownNote,
  type ShownPayment,
} from './src/balance/shown-balance.ts'
export { publishedLeaves, RecoveryError, type LeafSource } from '@sotto/recovery'

type Needed = Pick<BalanceContext, 'service' | 'rpc' | 'programId' | 'approve'>
type Defaulted = Pick<BalanceContext, 'leaves' | 'pollMs' | 'host'>

/** The options that every function for balances needs. */
export interface BalanceOptions extends Needed, Partial<Defaulted> {
  readonly store: BalanceStore
  readonly signal?: AbortSignal | undefined
}

export interface OpenBalanceOptions extends BalanceOptions, AcceptedPrograms {
  /**
   * You may omit this only if the store already contains a balance whose deposit has landed or may land. If an earlier
   * deposit provably can't land any more, `openBalance` makes a new deposit with these terms.
   */
  readonly topUp?: TopUp | undefined
  readonly signer?: OrderSigner | undefined
  readonly priorityFeeMaxLamports?: bigint
  /**
   * The SDK calls `keep` with every verified order of the deposit, before it asks the wallet to sign that order.
   * `ticket` contains the owner's secret, so anyone who has the ticket can spend the balance once the deposit has
   * landed. Save the ticket outside this store. If `keep` throws, the run ends without a signature.
   */
  readonly keep?: ((ticket: string, order: VerifiedOrder) => void | Promise<void>) | undefined
}

/**
 * Opens the balance in the store. If the store is empty, the function creates a new balance from `topUp`, and stores
 * its secret before it asks the wallet to sign. If the process crashes, a later call continues the same deposit, so the
 * wallet never pays twice. The function also completes an interrupted payment. If the service doesn't know this payment
 * or refuses its signature, the function returns the balance anyway. The balance's method `state` then works, but
 * `send` throws PAYMENT_MAY_LAND until the chain shows that the payment can't land any more.
 *
 * @throws BalanceError NO_BALANCE, NOT_OPENED; RecoveryError PROGRAM_OTHER if the balance belongs to another program;
 *   and the errors of `transfer`. After an error the store stays valid, so you can call the function again.
 */
export async function openBalance(options: OpenBalanceOptions): Promise<Balance> {
  const context = contextOf(options)
  const found = await BalanceRecord.read(options.store)
  const record = found ?? (await BalanceRecord.create(options.store, firstState(options)))
  if (record.state.ticket !== null) assertProgram(record.ticket.program, context.programId)
  if (found !== undefined) await beginAgain(record, options.topUp)
  if (record.state.topUp !== null) await deposit(options, context, record)
  const balance = new Balance(context, record)
  await balance.resume().catch((error: unknown) => {
    const isWaiting = error instanceof BalanceError && error.code === 'PAYMENT_MAY_LAND'
    if (!isWaiting) throw error
  })
  return balance
}

export interface ReadBalanceOptions
  extends Pick<BalanceOptions, 'store' | 'rpc' | 'programId'>, Partial<Pick<Defaulted, 'leaves'>> {}

/**
 * Returns the state of the balance in the store, as your own node shows it at a finalized slot. The function writes
 * nothing and needs no service, so you can call it while another process makes payments from the balance.
 *
 * @throws BalanceError NO_BALANCE, NOT_OPENED; RecoveryError PROGRAM_OTHER, WRONG_CLUSTER; and the errors of the node.
 */
export async function readBalance(options: ReadBalanceOptions): Promise<BalanceState> {
  const { store, rpc, programId, leaves = [] } = options
  // Use a copy in memory, because only the process that makes payments may write to the store.
  const record = await BalanceRecord.read(memoryBalance(await store.read()))
  if (record === undefined) throw new BalanceError('NO_BALANCE', 'the store holds no balance')
  assertProgram(record.ticket.program, programId)
  return readState({ rpc, programId, leaves }, record)
}

function contextOf(options: BalanceOptions & Pick<BalanceContext, 'isLocalChain'>): BalanceContext {
  const { service, rpc, programId, approve, leaves, pollMs, host, signal, isLocalChain } = options
  return {
    ...{ service, rpc, programId, approve, signal, isLocalChain },
    leaves: leaves ?? [],
    pollMs: pollMs ?? 3_000,
    pace: new Pace(),
    host: host ?? systemHost,
  }
}

function firstState({ topUp }: OpenBalanceOptions) {
  if (topUp === undefined) {
    throw new BalanceError('NO_BALANCE', 'the store contains no balance: pass topUp to open one')
  }
  const secret = drawSecret()
  const empty = { ticket: null, leafIndex: null, payments: {} }
  const deposit = depositFor(topUp, BigInt(`0x${secret}`))
  return { version: 1, secret, topUp: deposit, ...empty } as const
}

/**
 * Makes the deposit. Then saves the balance's ticket, which consists of the ticket of the deposit's order and the
 * owner's secret.
 */
async function deposit(
  options: OpenBalanceOptions,
  context: BalanceContext,
  record: BalanceRecord,
): Promise<void> {
  const { signer } = options
  const state = record.state.topUp
  if (state === null) return
  if (signer === undefined) {
    throw new BalanceError('NOT_OPENED', 'the deposit has not been made yet: pass the signer')
  }
  const { service, rpc, programId, approve, pollMs, host, signal } = context
  const result = await transfer({
    ...{ service, rpc, programId, approve, pollMs, host, signer, state },
    ...(signal === undefined ? {} : { signal }),
    ...(options.priorityFeeMaxLamports === undefined
      ? {}
      : { priorityFeeMaxLamports: options.priorityFeeMaxLamports }),
    acceptedPrograms: options.acceptedPrograms,
    isLocalChain: options.isLocalChain,
    // `transfer` compares an order with the tickets of other transfers, and refuses an order of another transfer. This
    // check isn't needed here. This balance has a new owner key, so verification refuses every order for another
    // balance.
    tickets: memoryTickets(),
    until: 'paid',
    inspect: (order) => options.keep?.(ownTicket(record, order.recovery), order),
    save: (topUp) => record.save({ topUp }),
  })
  const { topUp } = record.state
  if (result.outcome !== 'paid' || topUp?.step !== 'deposited') throw unpaid(result)
  const text = ownTicket(record, topUp.order.recovery)
  const ticket = decodeTicket(text, ownerOf)
  const leafIndex = await provenIndex(context, record, ticket)
  const landedBy = `${await readChainClock(rpc)}`
  await record.save({ topUp: null, ticket: text, leafIndex, landedBy, ...firstOf(ticket) })
}

/** The value and the deadline of the first known note, as strings of digits. */
const firstOf = ({ note: { value, deadline } }: Ticket) => ({
  paidIn: `${value}`,
  firstDeadline: `${deadline}`,
})

/**
 * Adds the balance's secret to an order's ticket. `transfer` has already checked that the ticket matches the order or
 * the order's deposit, and that the ticket's owner is the public key of this secret.
 */
function ownTicket(record: BalanceRecord, recovery: string): string {
  const { program, orderId, note } = decodeTicket(recovery)
  return encodeTicket({ program, orderId, note, secret: secretIn(record.state) })
}

export interface RestoreBalanceOptions
  extends BalanceOptions, Pick<BalanceContext, 'isLocalChain'> {
  /** Any ticket of the balance that contains its secret, such as the value of `Balance.ticket`. */
  readonly ticket: string
}

/**
 * Restores a balance into an empty store, from any one of its tickets and the data on the chain. A ticket doesn't
 * contain the keys of earlier payments. `StoredBalance.unrecorded` lists the payments that the chain shows since the
 * ticket's note. The balance refuses a payment like a listed one. It doesn't know payments that are older than the
 * ticket. If you request one of these older payments again, the balance pays again.
 *
 * @throws RecoveryError if the balance is empty or belongs to another program, or if the chain can't be read;
 *   BalanceError BALANCE_EXISTS.
 */
export async function restoreBalance(options: RestoreBalanceOptions): Promise<Balance> {
  const { store, ticket: text } = options
  if ((await store.read()) !== undefined) {
    throw new BalanceError(
      'BALANCE_EXISTS',
      'the store contains a balance already: use an empty store',
    )
  }
  const context = contextOf(options)
  const { rpc, leaves, isLocalChain } = context
  const from = decodeTicket(text, ownerOf)
  assertProgram(from.program, context.programId)
  const use = { rpc, poseidon: balanceHash, ticket: from, sources: leaves, isLocalChain }
  const { ticket, position, payments } = await newestOfBalance(use)
  const record = await BalanceRecord.create(store, {
    ...{ version: 1, topUp: null, payments: {}, ...firstOf(from) },
    secret: hexOf(ticket.secret ?? 0n),
    ticket: encodeTicket(ticket),
    leafIndex: `${position.leafIndex}`,
    unrecorded: payments.map(unrecordedOf),
  })
  return new Balance(context, record)
}
