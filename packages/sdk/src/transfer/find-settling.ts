import {
  isUnknownSignature,
  settlementsOf,
  type Address,
  type RanSettlement,
  type TransactionRecord,
} from '@sotto/protocol'
import type { Signature } from '@solana/kit'
import type { TransferContext } from './transfer-context.ts'

export interface SoughtSettlement {
  /** The address of the note's Nullifier account. */
  readonly account: Address
  readonly nullifier: bigint
  /** The time of the settlement, in seconds of the chain's clock; undefined if the Nullifier account is closed. */
  readonly at: bigint | undefined
}

/** The transaction that settled a note. */
export interface FoundSettling {
  readonly signature: Signature
  readonly slot: bigint
  readonly record: TransactionRecord
  /** Every settlement that the transaction made. */
  readonly all: readonly RanSettlement[]
  /** The settlement of the requested note. */
  readonly ours: RanSettlement
}

type Reader = Pick<TransferContext, 'rpc' | 'programId'>

/**
 * Anyone may settle a note, with a transaction of any version. Version 1 is cast to 0, because the types of older kit
 * releases don't include it.
 */
const VERSION_MAX = 1 as 0

/** Finds the transaction that settled a note; undefined if the node doesn't show that transaction. */
export async function findSettling(
  { rpc, programId }: Reader,
  { account, nullifier, at }: SoughtSettlement,
): Promise<FoundSettling | undefined> {
  for (const { signature, slot } of await listCandidates(rpc, account, at)) {
    const record = await rpc
      .getTransaction(signature, {
        ...{ commitment: 'finalized', encoding: 'json' },
        maxSupportedTransactionVersion: VERSION_MAX,
      })
      .send()
    if (record === null) continue
    const all = settlementsOf(programId, record)
    const ours = all.find((settlement) => settlement.nullifier === nullifier)
    if (ours !== undefined) return { signature, slot, record, all, ours }
  }
  return undefined
}

const PAGE = 1_000
/**
 * Maximum number of pages that are read. To fill that many pages with transactions that name one account, an attacker
 * would pay 100 SOL in fees.
 */
const PAGES_MAX = 20_000
/**
 * Maximum difference between a transaction's block time and the settlement's time. Normally both are the program's
 * clock in that block, but some nodes compute a block's time differently.
 */
const NEARBY_SECONDS = 120n
/** Maximum number of transactions that are read if the settlement's time is unknown. */
const UNTIMED_MAX = 1_000

interface Candidate {
  readonly signature: Signature
  readonly slot: bigint
  /** Seconds between the transaction's block time and the settlement's time. */
  readonly distance: bigint
}

/**
 * Lists the successful, finalized transactions that may be the settlement. For 5,000 lamports each, an attacker can add
 * transactions that name the account, both before and after the settlement. If the settlement's time is known, the list
 * contains only transactions close to that time, the closest first. Otherwise it contains the oldest transactions.
 */
async function listCandidates(
  rpc: TransferContext['rpc'],
  account: Address,
  at: bigint | undefined,
): Promise<readonly Candidate[]> {
  let newestFirst: Candidate[] = []
  let before: Signature | undefined
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const listed = await listPage(rpc, account, before)
    for (const { signature, slot, err, blockTime } of listed) {
      const offset = at === undefined || blockTime === null ? 0n : blockTime - at
      const distance = offset < 0n ? -offset : offset
      if (err === null && distance <= NEARBY_SECONDS)
        newestFirst.push({ signature, slot, distance })
    }
    if (at === undefined) newestFirst = newestFirst.slice(-UNTIMED_MAX)
    const last = listed.at(-1)
    before = last?.signature
    const isOlder = at !== undefined && (last?.blockTime ?? at) < at - NEARBY_SECONDS
    if (listed.length < PAGE || isOlder) break
  }
  return newestFirst
    .toReversed()
    .sort((one, other) =>
      one.distance === other.distance ? 0 : one.distance < other.distance ? -1 : 1,
    )
}

/**
 * One page of the listing. An endpoint may consist of several nodes. If another node returned the previous page, this
 * node may not know the transaction at which that page ended. The page is then empty.
 */
async function listPage(
  rpc: TransferContext['rpc'],
  account: Address,
  before: Signature | undefined,
) {
  const range = before === undefined ? {} : { before }
  const options = { commitment: 'finalized', limit: PAGE, ...range } as const
  try {
    return await rpc.getSignaturesForAddress(account, options).send()
  } catch (error) {
    if (before !== undefined && isUnknownSignature(error)) return []
    throw error
  }
}
