import type { Rpc, SendTransactionApi } from '@solana/kit'
import type { OrderSigner } from './src/sign/order-signer.ts'
import { signOrder } from './src/sign/sign-order.ts'
import { submitOrder } from './src/sign/submit-order.ts'
import { keepTicket } from './src/tickets/keep-ticket.ts'
import { storedTickets, type TicketStore } from './src/tickets/ticket-store.ts'
import { assertNewSecret } from './src/verify/check-secret.ts'
import type { VerifiedOrder } from './src/verify/verified-order.ts'

export {
  walletStandardSigner,
  type OrderSigner,
  type StandardAccount,
  type StandardWallet,
  type WireSender,
  type WireSigner,
} from './src/sign/order-signer.ts'
export {
  linkInWords,
  privacyInWords,
  type AskedCrowd,
  type AskedPrivacy,
  type PrivacyInWords,
  type StatedPrivacy,
} from './src/privacy/privacy-in-words.ts'
export { signOrder, type SignedOrder } from './src/sign/sign-order.ts'
export { submitOrder } from './src/sign/submit-order.ts'
export {
  memoryTickets,
  storedTickets,
  TicketHeldError,
  type KeyValueStorage,
  type TicketStore,
} from './src/tickets/ticket-store.ts'
export { transfer, type TransferOptions } from './src/transfer/transfer.ts'
export {
  DisagreementError,
  InsufficientFundsError,
  OverdueError,
  QuoteDeclinedError,
  SubmissionError,
  UnprovenError,
  type MissingFunds,
} from './src/transfer/errors.ts'
export {
  missingFunds,
  readBalances,
  shortfall,
  type Balances,
  type FundsToHold,
} from './src/transfer/funds.ts'
export type { TransferRpc, TransferService } from './src/transfer/transfer-context.ts'
export {
  askedFor,
  type ProvenSettlement,
  type TransferRequest,
  type TransferResult,
  type TransferState,
} from './src/transfer/transfer-state.ts'
export { pacedTransport, PROGRAM_SHA256, RateLimitedError } from '@sotto/protocol'
export { RecoveryError } from '@sotto/recovery'
export { readChainFacts, type ChainFacts, type FactsRpc } from './src/verify/chain-facts.ts'
export type { AcceptedPrograms } from './src/verify/check-program.ts'
export type { DeliveryTerms } from './src/verify/check-terms.ts'
export {
  minOutOf,
  type ExpectedPartner,
  type ExpectedTransfer,
  type Price,
} from './src/verify/expected-transfer.ts'
export {
  OrderRefusedError,
  REFUSAL_CODES,
  type Refusal,
  type RefusalCode,
} from './src/verify/refusal.ts'
export type { OrderToVerify, RefreshedOrder, VerifiedOrder } from './src/verify/verified-order.ts'
export { verifyOrder } from './src/verify/verify-order.ts'

export interface SignAndSubmit {
  readonly signer: OrderSigner
  readonly rpc: Rpc<SendTransactionApi>
  /** The store of recovery tickets. The default is the browser's `localStorage`. */
  readonly tickets?: TicketStore
}

/**
 * Saves the order's recovery ticket, then lets the sender sign, and then submits the transaction. Returns the
 * signature. The ticket is saved first, so that a sender who has paid always has it.
 *
 * @throws OrderRefusedError if the signer changed the order, if another stored ticket has the same secret, or if the
 *   store has another ticket for the order's id. After an error of the node, the deposit may still land. In that case
 *   call `hintDeposit`, and follow the order's status.
 */
export async function signAndSubmit(
  order: VerifiedOrder,
  { signer, rpc, tickets = storedTickets() }: SignAndSubmit,
): Promise<string> {
  await assertNewSecret(order, tickets)
  await keepTicket(tickets, order)
  const { signature, wire } = await signOrder(order, signer)
  if (wire !== undefined) await submitOrder(rpc, wire)
  return signature
}
