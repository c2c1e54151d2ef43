import {
  nullifierAddress,
  settlementsOf,
  shownNullifier,
  type Address,
  type Ticket,
} from '@sotto/protocol'
import { MAX_SUPPORTED_TRANSACTION_VERSION, type Signature } from '@solana/kit'
import { readAccount, type RecoveryRpc } from './read-accounts.ts'

/** How a note ended, as its Nullifier proves. */
export interface SettledNote {
  readonly kind: 'delivered' | 'refunded'
  /** Who was paid: the ticket's recipient or sender. */
  readonly payee: Address
  /** Seconds since 1970 by the chain's clock. */
  readonly atSeconds: bigint
}

/**
 * How a note was settled, by anyone; undefined if it wasn't. A delivery lands up to the note's expiry and a
 * refund after it, so the Nullifier's time shows which it was (I5).
 */
export async function readSettledNote(
  rpc: RecoveryRpc,
  { program, note }: Ticket,
  nullifier: bigint,
): Promise<SettledNote | undefined> {
  const account = await readAccount(rpc, await nullifierAddress(program, nullifier))
  const shown = shownNullifier(program, account)
  if (shown === undefined) return undefined
  const isRefund = shown.settledAt > note.expiry
  return {
    kind: isRefund ? 'refunded' : 'delivered',
    payee: isRefund ? note.sender : note.recipient,
    atSeconds: shown.settledAt,
  }
}

/** The transaction that settled a note; undefined if the endpoint's history no longer has it. */
export async function findSettlement(
  rpc: RecoveryRpc,
  program: Address,
  nullifier: bigint,
): Promise<Signature | undefined> {
  const account = await nullifierAddress(program, nullifier)
  const named = await rpc.getSignaturesForAddress(account, { commitment: 'confirmed' }).send()
  // Oldest first: other transactions with this account came after the settlement, or only sent lamports to it
  // before.
  for (const { signature, err } of named.toReversed()) {
    if (err !== null) continue
    const record = await rpc
      .getTransaction(signature, {
        encoding: 'json',
        commitment: 'confirmed',
        maxSupportedTransactionVersion: MAX_SUPPORTED_TRANSACTION_VERSION,
      })
      .send()
    const isOurs = record !== null && settlementsOf(program, record).some(isOf(nullifier))
    if (isOurs) return signature
  }
  return undefined
}

const isOf =
  (nullifier: bigint) =>
  (settlement: { readonly nullifier: bigint }): boolean =>
    settlement.nullifier === nullifier
