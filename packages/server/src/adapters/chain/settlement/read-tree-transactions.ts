import { depositsOf, type Address } from '@sotto/protocol'
import type {
  FinalizedHead,
  FollowedDeposit,
  TreeTransaction,
} from '../../../ports/settlement-chain.ts'
import type { KeptTransactions } from './kept-transactions.ts'
import { orderWithinSlots } from './leaf-order.ts'
import { listSignatures, type ListedSignature } from './list-signatures.ts'
import { readTransaction } from './read-transaction.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/** Transactions fetched at the same time; nodes limit requests, and one by one is slow. */
const CONCURRENCY = 8

interface At {
  readonly rpc: ChainRpc
  readonly program: Address
  readonly tree: Address
  readonly mintOf: (asset: Address) => Promise<Address>
  /** Transactions that failed reads have already fetched. */
  readonly kept: KeptTransactions
}

/** All transactions that named the tree after a signature, from one slot to the head's, oldest first. */
export async function readTreeTransactions(
  at: At,
  lastSignature: string | undefined,
  head: FinalizedHead,
  slotFrom: bigint,
): Promise<TreeTransaction[]> {
  const range = { until: lastSignature, slotMin: head.slot, slotFrom }
  const listed = (await listSignatures(at.rpc, at.tree, range)).filter(
    ({ slot }) => slot <= head.slot,
  )
  const transactions: TreeTransaction[] = []
  for (let start = 0; start < listed.length; start += CONCURRENCY) {
    const some = listed.slice(start, start + CONCURRENCY)
    transactions.push(...(await Promise.all(some.map((one) => readOne(at, one)))))
  }
  const ordered = await orderWithinSlots(at.rpc, at.program, transactions)
  at.kept.forget()
  return ordered
}

async function readOne(at: At, listed: ListedSignature): Promise<TreeTransaction> {
  const { signature, slot, unixSeconds, hasFailed } = listed
  // Still returned, so that the cursor moves past it and it isn't listed for ever.
  if (hasFailed) return { signature, slot, unixSeconds, deposits: [] }
  return at.kept.fetchOnce(signature, () => fetchOne(at, listed))
}

async function fetchOne(at: At, listed: ListedSignature): Promise<TreeTransaction> {
  const { signature, slot, unixSeconds } = listed
  const record = await readTransaction(at.rpc, signature)
  const deposits: FollowedDeposit[] = []
  for (const deposit of depositsOf(at.program, record)) {
    deposits.push({
      ...deposit,
      sourceMint: await at.mintOf(deposit.sourceAsset),
      destinationMint: await at.mintOf(deposit.destinationAsset),
    })
  }
  return { signature, slot, unixSeconds, deposits }
}
