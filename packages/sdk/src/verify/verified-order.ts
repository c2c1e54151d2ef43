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
  /** The program's address, which you chose beforehand. Never use an address that the service names. */
  readonly programId: Address
  /** A node that the sender or the partner chose. You may omit it if you pass `facts`. */
  readonly rpc?: FactsRpc | undefined
  readonly facts?: ChainFacts | undefined
  /**
   * `null` for a new order. For a refresh, pass the order that was first verified. The refreshed order may have a
   * different transaction, but must otherwise be the same. If you passed `null` for a refresh, the SDK would accept a
   * different order, and both orders could be paid.
   */
  readonly refreshed: RefreshedOrder | null
  /** Maximum priority fee in lamports; the default is 200,000. */
  readonly priorityFeeMaxLamports?: bigint | undefined
  readonly poseidon?: Poseidon | undefined
}

/** The members of an order that stay the same when its transaction is refreshed. */
export type RefreshedOrder = Pick<Order, 'trackingId' | 'recovery' | 'expiration'>

/** An order that exactly matches the requested transfer. Only an object that `verifyOrder` returned can be signed. */
export interface VerifiedOrder {
  readonly trackingId: string
  readonly message: Uint8Array
  readonly blockhash: string
  readonly lastValidBlockHeight: bigint
  readonly terms: DepositTerms
  /** The recipient, the recipient's amount and the note's expiry. The transaction shows none of them. */
  readonly delivery: DeliveryTerms
  readonly ticket: Ticket
  /**
   * The text of the ticket. Anyone who has it can settle the transfer, and can see both the sender and the recipient.
   */
  readonly recovery: string
  /**
   * The deployed program. It is one of the accepted programs. If `upgradeAuthority` is not null, the holder of that key
   * can replace the program, and with it the rules that guarantee the payment.
   */
  readonly program: ProgramFacts
  /** Verifies another message for the same order, with the same expectations. */
  readonly verifyAgain: (message: Uint8Array) => Promise<VerifiedOrder>
}

const known = new WeakSet<VerifiedOrder>()

/** Marks an order as verified and makes it immutable. */
export function seal(order: VerifiedOrder): VerifiedOrder {
  const sealed = Object.freeze(order)
  known.add(sealed)
  return sealed
}

/**
 * Checks that `verifyOrder` made the object.
 * @throws TypeError for any other object, even if it has the same members.
 */
export function assertVerified(order: VerifiedOrder): void {
  if (!known.has(order)) throw new TypeError('sign only the object that verifyOrder returned')
}
