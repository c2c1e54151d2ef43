import type { Order, Quote } from '@sotto/contract'
import type { Address, DepositTerms, Poseidon, ProgramFacts, Ticket } from '@sotto/protocol'
import type { ChainFacts, FactsRpc } from './chain-facts.ts'
import type { AcceptedPrograms } from './check-program.ts'
import type { DeliveryTerms } from './check-terms.ts'
import type { ExpectedTransfer } from './expected-transfer.ts'

export interface OrderToVerify extends AcceptedPrograms {
  readonly order: Order
  readonly quote: Quote
  readonly expected: ExpectedTransfer
  /** The program, chosen beforehand. It must never be one that the service names. */
  readonly programId: Address
  /** A node that the sender or the partner chose. Not needed if `facts` are given. */
  readonly rpc?: FactsRpc | undefined
  readonly facts?: ChainFacts | undefined
  /**
   * `null` for a new order. For a refresh, the order as first verified: only the transaction may differ from it. If
   * `null` were passed for a refresh, a different order would be accepted, and both orders could be paid.
   */
  readonly refreshed: RefreshedOrder | null
  /** Maximum priority fee in lamports; the default is 200,000. */
  readonly priorityFeeMaxLamports?: bigint | undefined
  readonly poseidon?: Poseidon | undefined
}

/** The members that stay the same when an order's transaction is refreshed. */
export type RefreshedOrder = Pick<Order, 'trackingId' | 'recovery' | 'expiration'>

/** An order that is exactly the requested one. Only `verifyOrder` makes an order that can be signed. */
export interface VerifiedOrder {
  readonly trackingId: string
  /** The verified message to sign. */
  readonly message: Uint8Array
  readonly blockhash: string
  readonly lastValidBlockHeight: bigint
  readonly terms: DepositTerms
  /** The recipient's amount and the note's expiry. The transaction shows neither. */
  readonly delivery: DeliveryTerms
  readonly ticket: Ticket
  /** The ticket's text. Its holder can settle the transfer, and sees both sender and recipient. */
  readonly recovery: string
  /**
   * The deployed program, one of the accepted ones. If `upgradeAuthority` is not null, its holder can still
   * replace the rules that guarantee the payment.
   */
  readonly program: ProgramFacts
  /** Verifies another message for the same order against the same expectations. */
  readonly verifyAgain: (message: Uint8Array) => Promise<VerifiedOrder>
}

const known = new WeakSet<VerifiedOrder>()

/** Marks an order as verified and makes it immutable. */
export function seal(order: VerifiedOrder): VerifiedOrder {
  const sealed = Object.freeze(order)
  known.add(sealed)
  return sealed
}

/** Checks that `verifyOrder` made the object. @throws TypeError for any other object, whatever its members. */
export function assertVerified(order: VerifiedOrder): void {
  if (!known.has(order)) throw new TypeError('sign only the object that verifyOrder returned')
}
