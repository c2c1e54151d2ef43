import { type Signature } from '@solana/kit'
import {
  rateLimitFor,
  rateLimitOf,
  RequestPace,
  systemPaceClock,
  type PaceClock,
  type RateLimit,
  type TransactionRecord,
} from '@sotto/protocol'
import { inParallel } from '../in-parallel.ts'
import { TRANSACTION_VERSION_MAX } from '../transaction-version.ts'

/** Number of transactions in one request. The response is a few hundred kilobytes. */
const BATCH = 50
const BATCHES_AT_ONCE = 4
const PATIENCE_MS = 30_000
const METHOD = 'getTransaction'
const TOO_MANY_REQUESTS = 429

/** A node's response to one of the requests in a batch. */
interface Answer {
  readonly id: number
  readonly result?: TransactionRecord | null
}

/** A node's response to a batch. */
interface Answered {
  /** Undefined if the node refused the batch or didn't answer it. */
  readonly answers?: readonly Answer[] | undefined
  /** Set if the node refused the batch, or a request in it, because of its rate limit. */
  readonly limit?: RateLimit | undefined
}

/**
 * Reads transactions in batches, and returns the result of `use` for each. Transactions that the node doesn't return
 * are omitted, and so are transactions without their meta data.
 */
export type BatchReader = <Result extends object>(
  signatures: readonly Signature[],
  use: (record: TransactionRecord) => Promise<Result>,
) => Promise<ReadonlyMap<Signature, Result>>

/**
 * Sends the requests for many transactions in one HTTP request, as JSON-RPC allows. Single requests take several times
 * as long. Once a batch fails, or the node refuses a request in a batch because of its rate limit, the reader sends no
 * more batches. After a rate-limit error, the reader also waits as long as the node demands before it returns. So the
 * caller can continue with single requests at once.
 */
export function batchReader(
  url: string,
  fetcher: typeof fetch = fetch,
  clock: PaceClock = systemPaceClock,
): BatchReader {
  let isRefused = false
  const pace = new RequestPace(clock)
  return async <Result extends object>(
    signatures: readonly Signature[],
    use: (record: TransactionRecord) => Promise<Result>,
  ) => {
    const found = new Map<Signature, Result>()
    const batches: Signature[][] = []
    for (let at = 0; at < signatures.length; at += BATCH) {
      batches.push(signatures.slice(at, at + BATCH))
    }
    await inParallel(batches, BATCHES_AT_ONCE, async (batch) => {
      if (isRefused) return
      const sentAtMs = clock.nowMs()
      const { answers, limit } = await ask(url, fetcher, batch).catch((): Answered => ({}))
      // A node may accept a batch, but count each of its requests towards the rate limit and refuse some of them.
      // Therefore send only single requests, at the node's pace, from now on.
      isRefused ||= answers === undefined || limit !== undefined
      if (limit !== undefined) pace.limited(METHOD, sentAtMs, limit)
      for (const { id, result } of answers ?? []) {
        const signature = batch[id]
        if (signature !== undefined && result?.meta) found.set(signature, await use(result))
      }
    })
    if (pace.waitMs(METHOD) > 0) await pace.turn(METHOD)
    return found
  }
}

async function ask(
  url: string,
  fetcher: typeof fetch,
  batch: readonly Signature[],
): Promise<Answered> {
  const requests = batch.map((signature, id) => ({
    ...{ jsonrpc: '2.0', id, method: METHOD },
    params: [
      signature,
      {
        encoding: 'json',
        commitment: 'confirmed',
        maxSupportedTransactionVersion: TRANSACTION_VERSION_MAX,
      },
    ],
  }))
  const response = await fetcher(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(requests),
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  const limit = rateLimitFor(response.headers.get('retry-after'))
  if (response.status === TOO_MANY_REQUESTS) return { limit }
  const found: unknown = response.ok ? await response.json() : undefined
  if (!Array.isArray(found)) return rateLimitOf(found ?? {}) === undefined ? {} : { limit }
  const answers = found as readonly Answer[]
  const isLimited = answers.some((answer) => rateLimitOf(answer) !== undefined)
  return { answers, limit: isLimited ? limit : undefined }
}
