import {
  isUnknownSignature,
  lastRefundClock,
  nullifierAddress,
  settlementsOf,
  shownNullifier,
  unixSeconds,
  type Address,
  type Note,
  type RanSettlement,
  type Ticket,
  type UnixSeconds,
} from '@sotto/protocol'
import type { Signature } from '@solana/kit'
import { readAccount, readTransaction, type RecoveryRpc } from './read-accounts.ts'

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
 * True if a note can't be settled any more. Soon afterwards, its Nullifier account may be closed. Then only the
 * transactions that name the account's address still show whether the note was settled.
 */
export const mayBeClosed = ({ expiry }: Note, clock: UnixSeconds): boolean =>
  clock > lastRefundClock(expiry)

/** A settlement, with the transaction that made it. */
export interface FoundSettlement {
  readonly signature: Signature
  /**
   * Seconds since 1970 by the chain's clock. If the endpoint doesn't know the block's time, this is the settlement's
   * public time.
   */
  readonly atSeconds: UnixSeconds
  readonly settlement: RanSettlement
}

/**
 * How a note was settled, according to the transaction alone. The Nullifier account may be closed, so it isn't read.
 */
export function settledBy({ note }: Ticket, found: FoundSettlement): SettledNote {
  const { atSeconds, settlement } = found
  if (settlement.isRefund) return { kind: 'refunded', payee: settlement.payee, atSeconds }
  const kind = note.claim.kind === 'transfer' ? 'delivered' : 'paid'
  return { kind, payee: settlement.payee, atSeconds }
}

/**
 * The transaction that settled a note; undefined if the endpoint's history doesn't contain it. `atSeconds` is the
 * time in the note's Nullifier account, or undefined if that account may be closed.
 */
export async function findSettlement(
  rpc: RecoveryRpc,
  program: Address,
  nullifier: bigint,
  atSeconds: UnixSeconds | undefined,
): Promise<FoundSettlement | undefined> {
  const account = await nullifierAddress(program, nullifier)
  for (const { signature, blockTime } of await listAt(rpc, account, atSeconds)) {
    const record = await readTransaction(rpc, signature)
    if (record === null) continue
    const settlement = settlementsOf(program, record).find((one) => one.nullifier === nullifier)
    if (settlement === undefined) continue
    return { signature, atSeconds: unixSeconds(blockTime ?? settlement.time), settlement }
  }
  return undefined
}

const PAGE = 1_000
/**
 * Maximum number of pages that are read. It is the same as for the tree. An attacker would pay 100 SOL in fees to name
 * one Nullifier account in that many transactions.
 */
const PAGES_MAX = 20_000
/**
 * Maximum difference between a transaction's block time and the settlement's time. Normally both are the program's
 * clock in that block, but some nodes compute a block's time differently.
 */
const NEARBY_SECONDS = 120n

interface Listed {
  readonly signature: Signature
  readonly blockTime: bigint | null | undefined
}

/**
 * The landed transactions that name this account around a time, oldest first. Anyone can name the account in any number
 * of transactions after the settlement. Before it, those who know the note's secrets can: the note's owner and the
 * service. Without a time, all transactions are listed, because any of them may be the settlement. Only the number of
 * pages is limited.
 */
async function listAt(
  rpc: RecoveryRpc,
  account: Address,
  atSeconds: UnixSeconds | undefined,
): Promise<Listed[]> {
  const nearby: Listed[] = []
  let before: Signature | undefined
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const page = await listPage(rpc, account, before)
    for (const { signature, err, blockTime } of page) {
      if (err === null && isNear(blockTime, atSeconds)) nearby.push({ signature, blockTime })
    }
    before = page.at(-1)?.signature
    if (page.length < PAGE) break
  }
  return nearby.reverse()
}

function isNear(blockTime: bigint | null | undefined, atSeconds: UnixSeconds | undefined): boolean {
  if (atSeconds === undefined) return true
  const offset = BigInt(blockTime ?? atSeconds) - atSeconds
  return offset <= NEARBY_SECONDS && -offset <= NEARBY_SECONDS
}

/**
 * One page of the listing. An endpoint may consist of several nodes. If another node returned the previous page, this
 * node may not know the transaction at which that page ended. The result is then an empty page.
 */
async function listPage(rpc: RecoveryRpc, account: Address, before: Signature | undefined) {
  const range = before === undefined ? {} : { before }
  const options = { limit: PAGE, commitment: 'confirmed', ...range } as const
  try {
    return await rpc.getSignaturesForAddress(account, options).send()
  } catch (error) {
    if (before !== undefined && isUnknownSignature(error)) return []
    throw error
  }
}
