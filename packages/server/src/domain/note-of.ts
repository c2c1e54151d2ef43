import { amount, unixSeconds, type Address, type LeafTerms, type Note } from '@sotto/protocol'

/** What an order says of its note. */
export interface NoteTerms {
  readonly sender: Address
  readonly destinationMint: Address
  /** In base units of the destination; whatever isn't paid out is the settlement's fee. */
  readonly value: bigint
  readonly amountOut: bigint
  readonly deadline: bigint
  readonly expiry: bigint
}

/** The parts of a note that only the service and the ticket's holder know. */
export interface NoteSecret {
  readonly nk: bigint
  readonly recipient: Address
}

/** The note that an order's deposit makes. */
export function noteOf(terms: NoteTerms, { nk, recipient }: NoteSecret): Note {
  return {
    nk,
    claim: { kind: 'transfer', recipient, amountOut: amount(terms.amountOut) },
    sender: terms.sender,
    mint: terms.destinationMint,
    value: amount(terms.value),
    deadline: unixSeconds(terms.deadline),
    expiry: unixSeconds(terms.expiry),
  }
}

/** What the program computes the leaf of a deposit from. */
export function leafTermsOf(
  terms: Pick<NoteTerms, 'sender' | 'destinationMint' | 'value' | 'deadline'> &
    Pick<LeafTerms, 'inner'>,
): LeafTerms {
  const { destinationMint: mint, value, deadline, sender, inner } = terms
  return { mint, value, deadline, sender, inner }
}
