import { customCodeOf, type Amount } from '@sotto/protocol'
import type { Signature } from '@solana/kit'

/**
 * The reason why a settlement that was sent isn't confirmed. New codes may be added, but existing codes never change.
 */
export type LandingErrorCode =
  /** A block has the settlement, but it failed there. Nothing was paid except its fee. */
  | 'SETTLEMENT_FAILED'
  /** The node has not shown whether the settlement has landed, and the settlement may still land. */
  | 'SETTLEMENT_UNKNOWN'
  /** Every settlement up to the maximum fee is proven dead. Nothing was paid. */
  | 'SETTLEMENT_DEAD'

const MESSAGES: Readonly<Record<LandingErrorCode, (signature: string, fee: Amount) => string>> = {
  SETTLEMENT_FAILED: () => 'the settlement failed on chain',
  SETTLEMENT_UNKNOWN: (signature) =>
    `the settlement ${signature} was signed and sent, but the node has not shown its end. It may have landed, and ` +
    'it may still land. Search for the signature on the chain to see whether it landed',
  SETTLEMENT_DEAD: (_signature, fee) =>
    `no settlement landed, and it is proven that none of them will: nothing was paid. The last one offered ${fee} ` +
    'lamports of priority fee, the greatest fee allowed',
}

/** A settlement that was sent, and that wasn't confirmed. */
export class LandingError extends Error {
  override readonly name = 'LandingError'
  readonly code: LandingErrorCode
  readonly signature: Signature
  /** The program's error number, if the settlement failed because the program refused it. */
  readonly context: { readonly code?: number }

  constructor(
    code: LandingErrorCode,
    { signature }: { readonly signature: Signature },
    priorityFeeLamports: Amount,
    reason?: unknown,
  ) {
    super(MESSAGES[code](signature, priorityFeeLamports))
    this.code = code
    this.signature = signature
    const refused = customCodeOf(reason)
    this.context = refused === undefined ? {} : { code: refused }
  }
}
