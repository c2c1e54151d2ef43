import type { Address, Signature } from '@solana/kit'
import { isUnknownSignature, type TransactionRecord } from '@sotto/protocol'
import { readTransaction, type RecoveryRpc } from '../read-accounts.ts'
import { RecoveryError } from '../recovery-error.ts'
import { inParallel } from '../in-parallel.ts'
import { patiently } from './patiently.ts'
import { batchReader } from './read-batches.ts'
import { TRANSACTION_VERSION_MAX } from '../transaction-version.ts'

/** Signatures on a page of a node's listing. */
export const SIGNATURES_PER_PAGE = 1_000

/** A transaction in the listing of an account. */
export interface ListedTransaction {
  readonly signature: Signature
  readonly slot: bigint
  readonly hasFailed: boolean
}

/** The range of a listing's page: after one signature and before another. Neither of the two is listed itself. */
export interface Between {
  readonly before?: Signature | undefined
  readonly until?: Signature | undefined
}

/** The requests to a node for reading the history, at `confirmed`. */
export interface HistoryNode {
  /**
   * Transactions that named an account, newest first, at most `SIGNATURES_PER_PAGE` of them.
   *
   * @throws an error that `isUnknownSignature` recognises if the node doesn't know a signature of `between`.
   */
  readonly list: (account: Address, between: Between) => Promise<readonly ListedTransaction[]>
  /**
   * Reads transactions and returns the result of `use` for each. Each transaction is passed to `use` as soon as it is
   * read, while others are on their way. @throws RecoveryError HISTORY_MISSING if the node lists one of them but
   * doesn't have it.
   */
  readonly read: <Result extends object>(
    signatures: readonly Signature[],
    use: (record: TransactionRecord) => Promise<Result>,
  ) => Promise<readonly Result[]>
  /** Signatures of all transactions of a block, in their order. */
  readonly blockOrder: (slot: bigint) => Promise<readonly Signature[]>
}

export interface HistoryNodeOptions {
  /** The endpoint's URL. If it is given, transactions are requested in batches, if the endpoint supports that. */
  readonly url?: string | undefined
  /** Maximum number of concurrent requests; the default is 24. */
  readonly width?: number | undefined
}

const WIDTH = 24

/** Reads through the client library's interface. Each request is repeated a few times before it fails. */
export function historyNode(rpc: RecoveryRpc, options: HistoryNodeOptions = {}): HistoryNode {
  const { url, width = WIDTH } = options
  const readOne = (signature: Signature) => patiently(() => readListed(rpc, signature))
  const batches = url === undefined ? undefined : batchReader(url)
  return {
    list: (account, between) =>
      patiently(() => listPage(rpc, account, between), isUnknownSignature),
    read: async (signatures, use) => {
      const used = await batches?.(signatures, use)
      return inParallel(
        signatures,
        width,
        async (one) => used?.get(one) ?? (await use(await readOne(one))),
      )
    },
    blockOrder: (slot) => patiently(() => readOrder(rpc, slot)),
  }
}

async function listPage(
  rpc: RecoveryRpc,
  account: Address,
  { before, until }: Between,
): Promise<ListedTransaction[]> {
  const page = await rpc
    .getSignaturesForAddress(account, {
      limit: SIGNATURES_PER_PAGE,
      commitment: 'confirmed',
      ...(before === undefined ? {} : { before }),
      ...(until === undefined ? {} : { until }),
    })
    .send()
  return page.map(({ signature, slot, err }) => ({ signature, slot, hasFailed: err !== null }))
}

async function readListed(rpc: RecoveryRpc, signature: Signature): Promise<TransactionRecord> {
  const record = await readTransaction(rpc, signature)
  if (record !== null) return record
  const message = 'the endpoint lists a transaction that it cannot show'
  throw new RecoveryError('HISTORY_MISSING', message)
}

async function readOrder(rpc: RecoveryRpc, slot: bigint): Promise<readonly Signature[]> {
  const block = await rpc
    .getBlock(slot, {
      transactionDetails: 'signatures',
      rewards: false,
      commitment: 'confirmed',
      maxSupportedTransactionVersion: TRANSACTION_VERSION_MAX,
    })
    .send()
  if (block !== null) return block.signatures as readonly string[] as readonly Signature[]
  throw new RecoveryError('HISTORY_MISSING', 'the endpoint cannot show a block')
}
