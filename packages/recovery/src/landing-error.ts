import { customCodeOf, type Address, type Amount, type UnixSeconds } from '@sotto/protocol'
import type { Signature } from '@solana/kit'
import type { SettlementFacts } from './settlement-end.ts'
import { isoOf } from './shown-time.ts'

/**
 * The reason why a settlement that was sent isn't known to have landed. New codes may be added, but existing codes
 * never change.
 */
export type LandingErrorCode =
  /**
   * The node shows that the settlement's transaction failed in a block. Such a transaction pays nothing except its fee.
   * But until `until`, its proof may still land in another transaction, and the node may be wrong.
   */
  | 'SETTLEMENT_FAILED'
  /**
   * The node has not shown whether the settlement has landed. Until `until`, its proof may still land, even in another
   * transaction.
   */
  | 'SETTLEMENT_UNKNOWN'
  /**
   * Every transaction up to the maximum fee is proven dead, the chain's clock is past the times of their proofs, and
   * the note's Nullifier doesn't exist. Nothing was paid.
   */
  | 'SETTLEMENT_DEAD'

/** The facts about a sent settlement that an error contains. */
export type SentSettlement = Pick<SettlementFacts, 'nullifier' | 'until'> & {
  readonly signature: Signature
}

const mayLand = ({ nullifier, until }: SentSettlement): string =>
  `It may also land later, until ${isoOf(until)}, even in another transaction. It has landed if the account ` +
  `${nullifier} exists`

const MESSAGES: Readonly<Record<LandingErrorCode, (sent: SentSettlement, fee: Amount) => string>> =
  {
    SETTLEMENT_FAILED: (sent) =>
      `the node shows that the settlement ${sent.signature} failed on chain. ${mayLand(sent)}`,
    SETTLEMENT_UNKNOWN: (sent) =>
      `the settlement ${sent.signature} was signed and sent, but the node has not shown whether it landed. ` +
      mayLand(sent),
    SETTLEMENT_DEAD: (_sent, fee) =>
      `no settlement landed, and none can land any more: nothing was paid. The last settlement offered ${fee} ` +
      'lamports of priority fee, the greatest fee allowed',
  }

const lastError = ({ message, cause }: Error): string =>
  `The last error was: ${message}${cause instanceof Error ? `: ${cause.message}` : ''}`

/** A settlement was sent, but isn't known to have landed. */
export class LandingError extends Error {
  override readonly name = 'LandingError'
  readonly code: LandingErrorCode
  readonly signature: Signature
  /** The address of the note's Nullifier account. It exists once any settlement of the note has landed. */
  readonly nullifier: Address
  /** The last second of the chain's clock at which the settlement may land. */
  readonly until: UnixSeconds
  /** The program's error number, if the settlement failed because the program refused it. */
  readonly context: { readonly code?: number }

  constructor(
    code: LandingErrorCode,
    sent: SentSettlement,
    priorityFeeLamports: Amount,
    reason?: unknown,
  ) {
    const message = MESSAGES[code](sent, priorityFeeLamports)
    if (reason instanceof Error) super(`${message}. ${lastError(reason)}`, { cause: reason })
    else super(message)
    this.code = code
    this.signature = sent.signature
    this.nullifier = sent.nullifier
    this.until = sent.until
    const refused = reason instanceof Error ? undefined : customCodeOf(reason)
    this.context = refused === undefined ? {} : { code: refused }
  }
}
