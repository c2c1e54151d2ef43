import type { Address, Amount, Claim, LeafTerms, Note, UnixSeconds } from '@sotto/protocol'
import { ownerOfKey } from './balance.ts'

/** The fields of an order that determine its note. */
export interface NoteTerms {
  readonly sender: Address
  readonly destinationMint: Address
  /** In base units of the destination. A part of the value pays the settlement's fee, and the payee gets the rest. */
  readonly value: Amount
  readonly amountOut: Amount
  readonly deadline: UnixSeconds
  readonly expiry: UnixSeconds
}

/** The parts of a note that only the service and the ticket's holder know. */
export interface NoteSecret {
  readonly nk: bigint
  readonly recipient: Address
  /** For a balance: the packed public key of its owner in hexadecimal digits. Undefined for a transfer. */
  readonly owner?: string | undefined
}

/** The note that an order's deposit creates. @throws RangeError if the owner isn't a valid key. */
export function noteOf(terms: NoteTerms, { nk, ...secret }: NoteSecret): Note {
  return {
    nk,
    claim: claimOf(terms, secret),
    sender: terms.sender,
    mint: terms.destinationMint,
    value: terms.value,
    deadline: terms.deadline,
    expiry: terms.expiry,
  }
}

function claimOf(
  { amountOut }: Pick<NoteTerms, 'amountOut'>,
  { recipient, owner }: Omit<NoteSecret, 'nk'>,
): Claim {
  if (owner !== undefined) return { kind: 'balance', owner: ownerOfKey(owner) }
  return { kind: 'transfer', recipient, amountOut }
}

/** The values from which the program computes a deposit's leaf. */
export function leafTermsOf(
  terms: Pick<NoteTerms, 'sender' | 'destinationMint' | 'value' | 'deadline'> &
    Pick<LeafTerms, 'inner'>,
): LeafTerms {
  const { destinationMint: mint, value, deadline, sender, inner } = terms
  return { mint, value, deadline, sender, inner }
}
