import {
  isSolanaError,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_LONG_TERM_STORAGE_SLOT_SKIPPED,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SLOT_SKIPPED,
  type Address,
  type Signature,
} from '@solana/kit'
import { isUnknownSignature, type TransactionRecord } from '@sotto/protocol'
import { readTransaction, type RecoveryRpc } from '../read-accounts.ts'
import { RecoveryError } from '../recovery-error.ts'
import { inParallel } from '../in-parallel.ts'
import { patiently } from './patiently.ts'
import { batchReader } from './read-batches.ts'
import { TRANSACTION_VERSION_MAX } from '../transaction-version.ts'

/** Maximum number of signatures on one page of a node's listing. */
export const SIGNATURES_PER_PAGE = 1_000

/** A transaction in a node's listing for an account. */
export interface ListedTransaction {
  readonly signature: Signature
  readonly slot: bigint
  readonly hasFailed: boolean
}

/**
 * The range of a listing: after one signature and before another. The listing contains neither of these two
 * signatures.
 */
export interface Between {
  readonly before?: Signature | undefined
  readonly until?: Signature | undefined
}

/** The requests to a node that are needed to read the history. All of them use the commitment `confirmed`. */
export interface HistoryNode {
  /**
   * Lists the transactions that named an account, newest first, at most `SIGNATURES_PER_PAGE` of them.
   *
   * @throws an error that `isUnknownSignature` recognises if the node doesn't know a signature of `between`.
   */
  readonly list: (account: Address, between: Between) => Promise<readonly ListedTransaction[]>
  /**
   * Reads transactions, and returns the result of `use` for each. Calls `use` as soon as a transaction has been read,
   * while other requests are still in progress. @throws RecoveryError HISTORY_MISSING if the node lists one of the
   * transactions but can't return it.
   */
  readonly read: <Result extends object>(
    signatures: readonly Signature[],
    use: (record: TransactionRecord) => Promise<Result>,
  ) => Promise<readonly Result[]>
  /**
   * The signatures of all transactions of a block, in the block's order. @throws RecoveryError HISTORY_MISSING if the
   * node has no such block.
   */
  readonly blockOrder: (slot: bigint) => Promise<readonly Signature[]>
}

export interface HistoryNodeOptions {
  /** The endpoint's URL. If it is set and the endpoint supports batches, transactions are requested in batches. */
  readonly url?: string | undefined
  /** Maximum number of transactions that are requested one by one at the same time; the default is 24. */
  readonly width?: number | undefined
}

const WIDTH = 24

/** Reads the history from a node, with `rpc` or in batches. A single request that fails is retried a few times. */
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
    blockOrder: (slot) => patiently(() => readOrder(rpc, slot), isMissing),
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

const isMissing = (error: unknown): boolean =>
  error instanceof RecoveryError && error.code === 'HISTORY_MISSING'

/** True if the node answers that the chain has no block in this slot. */
const isSkipped = (error: unknown): boolean =>
  isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SLOT_SKIPPED) ||
  isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_LONG_TERM_STORAGE_SLOT_SKIPPED)

async function readOrder(rpc: RecoveryRpc, slot: bigint): Promise<readonly Signature[]> {
  const block = await rpc
    .getBlock(slot, {
      transactionDetails: 'signatures',
      rewards: false,
      commitment: 'confirmed',
      maxSupportedTransactionVersion: TRANSACTION_VERSION_MAX,
    })
    .send()
    .catch((error: unknown) => {
      if (isSkipped(error)) return null
      throw error
    })
  if (block !== null) return block.signatures as readonly string[] as readonly Signature[]
  throw new RecoveryError('HISTORY_MISSING', 'the endpoint cannot show a block')
}
