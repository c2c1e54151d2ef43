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
 * Limits of the search for a deposit. Its sender can hide it with earlier transactions. Then the order's status lacks
 * the signature, and nothing else changes. Without these limits, the loop that follows the chain would read thousands of
 * transactions.
 */
const DEPOSIT_BOUNDS = { count: 4, pagesMax: 10 }
/**
 * Limits of the search for a settlement. The pages are those of the tree's history: to fill them, an attacker would pay
 * 100 SOL in fees.
 */
const SETTLEMENT_BOUNDS = { count: Infinity, pagesMax: 20_000 }

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

/**
 * Sorts transactions by the time between their block and `atSeconds`. Equal ones keep their order. A transaction without
 * a time may be at any time, so it comes first.
 */
function nearestFirst(
  listed: readonly ListedSignature[],
  atSeconds: UnixSeconds | undefined,
): readonly ListedSignature[] {
  if (atSeconds === undefined) return listed
  const distanceOf = ({ unixSeconds = atSeconds }: ListedSignature) =>
    wholeNumber(unixSeconds > atSeconds ? unixSeconds - atSeconds : atSeconds - unixSeconds)
  return listed.toSorted((one, other) => distanceOf(one) - distanceOf(other))
}

/**
 * Returns the finalized transaction that settled a nullifier, no matter who sent it. Those who know the note's secrets
 * can name the Nullifier's address in any number of earlier transactions. So all transactions that name it are read,
 * oldest first, because later anyone can name it. If a node has shown the settlement's time `atSeconds`, the
 * transactions at this time come first, so that others are rarely read.
 */
export async function findSettlement(
  rpc: ChainRpc,
  program: Address,
  mintOf: (asset: Address) => Promise<Address>,
  nullifier: bigint,
  atSeconds?: UnixSeconds,
): Promise<FoundSettlement | undefined> {
  const account = await nullifierAddress(program, nullifier)
  const listed = nearestFirst(await listOldest(rpc, account, SETTLEMENT_BOUNDS), atSeconds)
  const settled = await firstOf(rpc, listed, (record) =>
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
