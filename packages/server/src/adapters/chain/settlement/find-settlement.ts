import {
  appendedOf,
  nullifierAddress,
  orderAddress,
  settlementsOf,
  type Address,
  type TransactionRecord,
} from '@sotto/protocol'
import { hexOf } from '../../../domain/hex.ts'
import type { FoundDeposit, FoundSettlement } from '../../../ports/settlement-chain.ts'
import { listOldest, secondsOf } from './list-signatures.ts'
import { readTransaction } from './read-transaction.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/**
 * Limits of the search for the transaction that created an account. Few senders know the account's address before the
 * account exists, so this transaction is one of the first that name the address. Later, anyone can name the address in
 * any number of transactions.
 */
const BOUNDS = { count: 4, pagesMax: 10 }

/**
 * Applies `pick` to the oldest transactions of an address, oldest first. Returns the first result of `pick`; undefined
 * if there is none.
 */
async function findIn<T>(
  rpc: ChainRpc,
  address: Address,
  pick: (record: TransactionRecord) => T | undefined,
): Promise<(FoundDeposit & { readonly found: T }) | undefined> {
  for (const listed of await listOldest(rpc, address, BOUNDS)) {
    const { signature, slot } = listed
    const found = pick(await readTransaction(rpc, signature))
    if (found === undefined) continue
    return { signature, slot, unixSeconds: await secondsOf(rpc, listed), found }
  }
  return undefined
}

/** Returns the finalized transaction that settled a nullifier, no matter who sent it. */
export async function findSettlement(
  rpc: ChainRpc,
  program: Address,
  mintOf: (asset: Address) => Promise<Address>,
  nullifier: bigint,
): Promise<FoundSettlement | undefined> {
  const account = await nullifierAddress(program, nullifier)
  const settled = await findIn(rpc, account, (record) =>
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
  const deposited = await findIn(rpc, account, (record) =>
    appendedOf(program, record).find(
      (one) => one.kind === 'deposit' && hexOf(one.data.orderId) === key,
    ),
  )
  if (deposited === undefined) return undefined
  const { found: _found, ...transaction } = deposited
  return transaction
}
