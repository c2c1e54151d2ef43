import {
  isUnknownSignature,
  nullifierAddress,
  settlementsOf,
  shownNullifier,
  type Address,
  type RanSettlement,
  type Ticket,
  type UnixSeconds,
} from '@sotto/protocol'
import type { Signature } from '@solana/kit'
import { readAccount, readTransaction, type RecoveryRpc } from './read-accounts.ts'

/** How a note ended, as its Nullifier proves. */
export interface SettledNote {
  /** `paid` means a payment out of a balance, which may leave a rest. */
  readonly kind: 'delivered' | 'refunded' | 'paid'
  /**
   * The ticket's recipient or sender. Undefined for a balance's payment, because only its transaction names the payee.
   */
  readonly payee: Address | undefined
  /** Seconds since 1970 by the chain's clock. */
  readonly atSeconds: UnixSeconds
}

/**
 * How a note was settled, by anyone; undefined if it wasn't. A refund lands only after the note's expiry, and any other
 * settlement at the expiry or earlier. So the Nullifier's time distinguishes them (I5).
 */
export async function readSettledNote(
  rpc: RecoveryRpc,
  { program, note }: Ticket,
  nullifier: bigint,
): Promise<SettledNote | undefined> {
  const account = await readAccount(rpc, await nullifierAddress(program, nullifier))
  // Anyone can send lamports to the address, so only an account of the program counts.
  const shown = shownNullifier(program, account)
  if (shown === undefined) return undefined
  const atSeconds = shown.settledAt
  if (atSeconds > note.expiry) return { kind: 'refunded', payee: note.sender, atSeconds }
  const { claim } = note
  return claim.kind === 'transfer'
    ? { kind: 'delivered', payee: claim.recipient, atSeconds }
    : { kind: 'paid', payee: undefined, atSeconds }
}

/** A settlement, with the transaction that made it. */
export interface FoundSettlement {
  readonly signature: Signature
  readonly settlement: RanSettlement
}

/**
 * The transaction that settled a note at the time in its Nullifier; undefined if the endpoint's history no longer has
 * it.
 */
export async function findSettlement(
  rpc: RecoveryRpc,
  program: Address,
  nullifier: bigint,
  atSeconds: UnixSeconds,
): Promise<FoundSettlement | undefined> {
  const account = await nullifierAddress(program, nullifier)
  for (const signature of await listAt(rpc, account, atSeconds)) {
    const record = await readTransaction(rpc, signature)
    if (record === null) continue
    const settlement = settlementsOf(program, record).find((one) => one.nullifier === nullifier)
    if (settlement !== undefined) return { signature, settlement }
  }
  return undefined
}

const PAGE = 1_000
/** Most pages that are read, as for the tree. Naming one Nullifier so often costs an attacker 100 SOL. */
const PAGES_MAX = 20_000
/** A block's time is the program's clock in that block. This tolerance is for nodes that compute it differently. */
const NEARBY_SECONDS = 120n

/**
 * Landed transactions with this account around a time, oldest first. Anyone can name the account in any number of
 * transactions. That must not hide the position of a balance's rest from its owner.
 */
async function listAt(
  rpc: RecoveryRpc,
  account: Address,
  atSeconds: UnixSeconds,
): Promise<Signature[]> {
  const nearby: Signature[] = []
  let before: Signature | undefined
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const page = await listPage(rpc, account, before)
    for (const { signature, err, blockTime } of page) {
      const offset = BigInt(blockTime ?? atSeconds) - atSeconds
      if (err === null && offset <= NEARBY_SECONDS && -offset <= NEARBY_SECONDS) {
        nearby.push(signature)
      }
    }
    before = page.at(-1)?.signature
    if (page.length < PAGE) break
  }
  return nearby.reverse()
}

/**
 * A page of the listing. It is empty if another node of the endpoint listed the page before and this node can't
 * continue.
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
