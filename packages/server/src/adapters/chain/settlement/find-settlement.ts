import {
  appendedOf,
  nullifierAddress,
  orderAddress,
  settlementsOf,
  type Address,
  type TransactionRecord,
  type UnixSeconds,
} from '@sotto/protocol'
import { hexOf } from '../../../domain/hex.ts'
import { wholeNumber } from '../../../domain/whole-number.ts'
import type { FoundDeposit, FoundSettlement } from '../../../ports/settlement-chain.ts'
import { listOldest, secondsOf, type ListedSignature } from './list-signatures.ts'
import { readTransaction } from './read-transaction.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/**
 * Limits of the search for a deposit. A deposit's sender can hide the deposit by naming the Order account in many
 * earlier transactions. Then the order's status lacks the deposit's signature, and nothing else changes. Without these
 * limits, the loop that follows the chain would read thousands of transactions.
 */
const DEPOSIT_BOUNDS = { count: 4, pagesMax: 10 }
/**
 * Limits of the search for a settlement. The number of pages is the same as for the tree's history. To fill so many
 * pages, an attacker would pay 100 SOL in fees.
 */
const SETTLEMENT_BOUNDS = { count: Infinity, pagesMax: 20_000 }
/**
 * Maximum number of transactions that one search for a settlement reads. To hide a settlement, an attacker must land
 * that many transactions nearer to its time. If the time is unknown, these transactions must land before the
 * settlement. Their fees amount to a tenth of a SOL.
 */
const READS_MAX = 20_000
/** Maximum difference between the time that a Nullifier shows and the time of the settlement's block, in seconds. */
const NEAR_SECONDS = 120n

/** Applies `pick` to listed transactions, and returns the first result; undefined if there is none. */
async function firstOf<T>(
  rpc: ChainRpc,
  transactions: readonly ListedSignature[],
  pick: (record: TransactionRecord) => T | undefined,
): Promise<(FoundDeposit & { readonly found: T }) | undefined> {
  for (const listed of transactions) {
    const { signature, slot } = listed
    const found = pick(await readTransaction(rpc, signature))
    if (found === undefined) continue
    return { signature, slot, unixSeconds: await secondsOf(rpc, listed), found }
  }
  return undefined
}

/** Seconds between a transaction's block and `atSeconds`; 0 if the transaction's time is unknown. */
const distanceTo =
  (atSeconds: UnixSeconds) =>
  ({ unixSeconds = atSeconds }: ListedSignature): bigint =>
    unixSeconds > atSeconds ? unixSeconds - atSeconds : atSeconds - unixSeconds

/**
 * Lists the transactions that may have settled a nullifier, the likeliest first. If the settlement's time is known,
 * lists only transactions near this time, sorted by the distance. Equally distant transactions are sorted by age,
 * oldest first.
 */
async function listCandidates(
  rpc: ChainRpc,
  account: Address,
  atSeconds: UnixSeconds | undefined,
): Promise<readonly ListedSignature[]> {
  if (atSeconds === undefined) return listOldest(rpc, account, SETTLEMENT_BOUNDS)
  const distanceOf = distanceTo(atSeconds)
  const isNear = (listed: ListedSignature) => distanceOf(listed) <= NEAR_SECONDS
  const near = await listOldest(rpc, account, SETTLEMENT_BOUNDS, isNear)
  return near.toSorted(
    (one, other) => wholeNumber(distanceOf(one)) - wholeNumber(distanceOf(other)),
  )
}

/**
 * Returns the finalized transaction that settled a nullifier, no matter who sent it. Before a settlement, those who
 * know the note's secrets can name the Nullifier's address in any number of transactions. After the settlement, anyone
 * can do so. Therefore, this function reads transactions that name the address until it finds the settlement, but at
 * most `READS_MAX`. `atSeconds` is the settlement's time, if a node has shown it.
 */
export async function findSettlement(
  rpc: ChainRpc,
  program: Address,
  mintOf: (asset: Address) => Promise<Address>,
  nullifier: bigint,
  atSeconds?: UnixSeconds,
): Promise<FoundSettlement | undefined> {
  const account = await nullifierAddress(program, nullifier)
  const candidates = (await listCandidates(rpc, account, atSeconds)).slice(0, READS_MAX)
  const settled = await firstOf(rpc, candidates, (record) =>
    settlementsOf(program, record).find((one) => one.nullifier === nullifier),
  )
  if (settled === undefined) return undefined
  const { found, ...transaction } = settled
  const { isRefund, changeLeaf, payee, payout } = found
  const shown = { ...found, mint: await mintOf(found.asset) }
  return { isRefund, changeLeaf, payee, payout, ...transaction, shown }
}

/** Returns the finalized transaction that deposited an order. */
export async function findDeposit(
  rpc: ChainRpc,
  program: Address,
  orderId: Uint8Array,
): Promise<FoundDeposit | undefined> {
  const account = await orderAddress(program, orderId)
  const key = hexOf(orderId)
  const oldest = await listOldest(rpc, account, DEPOSIT_BOUNDS)
  const deposited = await firstOf(rpc, oldest, (record) =>
    appendedOf(program, record).find(
      (one) => one.kind === 'deposit' && hexOf(one.data.orderId) === key,
    ),
  )
  if (deposited === undefined) return undefined
  const { found: _found, ...transaction } = deposited
  return transaction
}
