import {
  amount,
  unixSeconds,
  type Address,
  type Amount,
  type LeafTerms,
  type Note,
} from '@sotto/protocol'

/** What an order or a deposit says of its note. */
export interface NoteTerms {
  readonly sender: Address
  readonly sourceMint: Address
  readonly destinationMint: Address
  readonly amountOut: bigint
  readonly fee: bigint
  readonly expiry: bigint
  /** What a deposit's instruction says; an order is a swap if its mints differ. */
  readonly isSwap?: boolean
}

/**
 * What a refund pays in addition to the amount. A send's fee goes back to the sender; a swap's is kept: it was
 * paid in another asset than the note is.
 */
function feeBackOf({ sourceMint, destinationMint, fee, ...terms }: NoteTerms): Amount {
  const isSwap = terms.isSwap ?? sourceMint !== destinationMint
  return amount(isSwap ? 0n : fee)
}

/** The note that an order's deposit makes. */
export function noteOf(terms: NoteTerms, secret: Pick<Note, 'nk' | 'recipient'>): Note {
  return {
    nk: secret.nk,
    recipient: secret.recipient,
    sender: terms.sender,
    mint: terms.destinationMint,
    amountOut: amount(terms.amountOut),
    feeBack: feeBackOf(terms),
    expiry: unixSeconds(terms.expiry),
  }
}

/** What the program computes the leaf of a deposit from. */
export function leafTermsOf(terms: NoteTerms & Pick<LeafTerms, 'inner'>): LeafTerms {
  const { amountOut, expiry, sender, inner } = terms
  return {
    mint: terms.destinationMint,
    amountOut,
    feeBack: feeBackOf(terms),
    expiry,
    sender,
    inner,
  }
}
