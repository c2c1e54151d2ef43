import {
  isUnknownSignature,
  nullifierAddress,
  settlementsOf,
  unixSeconds,
  type Address,
  type RanSettlement,
  type TransactionRecord,
  type UnixSeconds,
} from '@sotto/protocol'
import type { GetSignaturesForAddressApi, GetTransactionApi, Rpc, Signature } from '@solana/kit'
import { readTransaction } from './read-accounts.ts'

export type HistoryRpc = Rpc<GetSignaturesForAddressApi & GetTransactionApi>

export interface FoundSettlement {
  readonly signature: Signature
  readonly slot: bigint
  /**
   * The block's time, in seconds since 1970. If the endpoint doesn't know this time, `atSeconds` is the public time in
   * the settlement's proof, which may differ by up to an hour.
   */
  readonly atSeconds: UnixSeconds
  readonly record: TransactionRecord
  readonly settlement: RanSettlement
  /** Every settlement that the transaction made. */
  readonly all: readonly RanSettlement[]
}

type Level = 'confirmed' | 'finalized'

/**
 * The transaction that settled a note, no matter who sent it; undefined if the endpoint's history doesn't contain it.
 * `atSeconds` is the time in the note's Nullifier account, or undefined if that account may be closed.
 */
export async function findSettlement(
  rpc: HistoryRpc,
  program: Address,
  nullifier: bigint,
  atSeconds: UnixSeconds | undefined,
  commitment: Level = 'confirmed',
): Promise<FoundSettlement | undefined> {
  const account = await nullifierAddress(program, nullifier)
  for await (const candidates of listCandidates(rpc, account, atSeconds, commitment)) {
    for (const { signature, slot, blockTime } of candidates) {
      const record = await readTransaction(rpc, signature, commitment)
      if (record === null) continue
      const all = settlementsOf(program, record)
      const settlement = all.find((one) => one.nullifier === nullifier)
      if (settlement === undefined) continue
      const at = unixSeconds(blockTime ?? settlement.time)
      return { signature, slot, atSeconds: at, record, settlement, all }
    }
  }
  return undefined
}

const PAGE = 1_000
/**
 * Maximum number of pages that are read. The listing of the tree's transactions has the same limit. An attacker would
 * pay 100 SOL in fees to name one Nullifier account in 20,000 pages of transactions.
 */
const PAGES_MAX = 20_000
/**
 * Maximum difference between a transaction's block time and the settlement's time. Normally, both times equal the
 * chain's clock in that block, but some nodes compute a block's time differently.
 */
const NEARBY_SECONDS = 120n

interface Candidate {
  readonly signature: Signature
  readonly slot: bigint
  readonly blockTime: bigint | null | undefined
  /** Seconds between the transaction's block time and the settlement's time. */
  readonly distance: bigint
}

/**
 * The landed transactions that may be the settlement, the likeliest first. After the settlement, anyone can name the
 * account in any number of transactions. Before the settlement, only those who know the note's secrets can name it: the
 * note's owner and the service. If the settlement's time is known, the list contains only transactions near that time,
 * the closest first. Otherwise it contains all transactions, the oldest first, because any of them may be the
 * settlement. Only the number of pages is limited.
 *
 * A page with fewer than `PAGE` transactions is most likely the last page, so the transactions up to this page are
 * searched first. But some nodes return smaller pages, so only an empty page is surely the end.
 */
async function* listCandidates(
  rpc: HistoryRpc,
  account: Address,
  at: UnixSeconds | undefined,
  commitment: Level,
): AsyncGenerator<readonly Candidate[]> {
  let newestFirst: Candidate[] = []
  let before: Signature | undefined
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const page = await listPage(rpc, account, before, commitment)
    for (const { signature, slot, err, blockTime } of page) {
      const offset = at === undefined ? 0n : BigInt(blockTime ?? at) - at
      const distance = offset < 0n ? -offset : offset
      if (err === null && distance <= NEARBY_SECONDS) {
        newestFirst.push({ signature, slot, blockTime, distance })
      }
    }
    const last = page.at(-1)
    const isOlder = at !== undefined && BigInt(last?.blockTime ?? at) < at - NEARBY_SECONDS
    const isOver = last === undefined || last.signature === before || isOlder
    before = last?.signature
    if (page.length === PAGE && !isOver) continue
    yield likeliestFirst(newestFirst)
    if (isOver) return
    newestFirst = []
  }
  yield likeliestFirst(newestFirst)
}

const likeliestFirst = (newestFirst: readonly Candidate[]): readonly Candidate[] =>
  newestFirst
    .toReversed()
    .sort((one, other) =>
      one.distance === other.distance ? 0 : one.distance < other.distance ? -1 : 1,
    )

/**
 * One page of the listing. An endpoint may consist of several nodes. If another node returned the previous page, this
 * node may not know the transaction at which that page ended. The result is then an empty page.
 */
async function listPage(
  rpc: HistoryRpc,
  account: Address,
  before: Signature | undefined,
  commitment: Level,
) {
  const range = before === undefined ? {} : { before }
  const options = { limit: PAGE, commitment, ...range } as const
  try {
    return await rpc.getSignaturesForAddress(account, options).send()
  } catch (error) {
    if (before !== undefined && isUnknownSignature(error)) return []
    throw error
  }
}
