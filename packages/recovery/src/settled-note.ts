import {
  lastRefundClock,
  nullifierAddress,
  shownNullifier,
  type Address,
  type Note,
  type Ticket,
  type UnixSeconds,
} from '@sotto/protocol'
import type { FoundSettlement } from './find-settlement.ts'
import { readAccount, type RecoveryRpc } from './read-accounts.ts'

/** How a note was settled, as its Nullifier account or the settlement's transaction proves. */
export interface SettledNote {
  /** `paid` means a payment from a balance. Such a payment may leave a rest. */
  readonly kind: 'delivered' | 'refunded' | 'paid'
  /**
   * The ticket's recipient or sender, or the payee of a balance's payment. Undefined for a balance's payment if only
   * the Nullifier account was read, because that account doesn't name the payee.
   */
  readonly payee: Address | undefined
  /** Seconds since 1970 by the chain's clock. */
  readonly atSeconds: UnixSeconds
}

/**
 * How a note was settled, no matter who settled it; undefined if it isn't settled. Refunds land only after the note's
 * expiry. All other settlements land at the expiry or earlier (I5). So the time in the Nullifier account shows whether
 * the settlement was a refund.
 */
export async function readSettledNote(
  rpc: RecoveryRpc,
  { program, note }: Ticket,
  nullifier: bigint,
): Promise<SettledNote | undefined> {
  const account = await readAccount(rpc, await nullifierAddress(program, nullifier))
  // Anyone can send lamports to this address, so only an account that the program owns counts.
  const shown = shownNullifier(program, account)
  if (shown === undefined) return undefined
  const atSeconds = shown.settledAt
  if (atSeconds > note.expiry) return { kind: 'refunded', payee: note.sender, atSeconds }
  const { claim } = note
  return claim.kind === 'transfer'
    ? { kind: 'delivered', payee: claim.recipient, atSeconds }
    : { kind: 'paid', payee: undefined, atSeconds }
}

/**
 * True if a note can't be settled any more. After that time, its Nullifier account may be closed. Then only the
 * transactions that name the account's address still show whether the note was settled.
 */
export const mayBeClosed = ({ expiry }: Note, clock: UnixSeconds): boolean =>
  clock > lastRefundClock(expiry)

/**
 * How a note was settled, according to the transaction alone. The Nullifier account may be closed, so it isn't read.
 */
export function settledBy({ note }: Ticket, found: FoundSettlement): SettledNote {
  const { atSeconds, settlement } = found
  if (settlement.isRefund) return { kind: 'refunded', payee: settlement.payee, atSeconds }
  const kind = note.claim.kind === 'transfer' ? 'delivered' : 'paid'
  return { kind, payee: settlement.payee, atSeconds }
}
