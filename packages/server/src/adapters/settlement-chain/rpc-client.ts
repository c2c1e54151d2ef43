import {
  createDefaultRpcTransport,
  createSolanaRpcFromTransport,
  isSolanaError,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  type Rpc,
  type RpcTransport,
  type SolanaRpcApi,
} from '@solana/kit'
import { systemClock } from '../clock/system-clock.ts'

export type ChainRpc = Rpc<SolanaRpcApi>

/** Longer than any answer takes that is still of use; a node that hangs counts as down. */
const TIMEOUT_MS = 15_000
/** For one try, so that a request that was lost on its way is asked again in time. */
const TRY_MS = 5_000
/** Nodes go through all their accounts for these. */
const SLOW_METHODS: ReadonlySet<unknown> = new Set(['getProgramAccounts'])
/** Before each further try: behind one URL there are often several nodes, and another answers. */
const PAUSES_MS = [50, 200, 600]
/** The node is unhealthy, or behind the slot that was asked for. */
const PASSING_CODES: ReadonlySet<string> = new Set(['-32005', '-32016'])
const TOO_MANY_REQUESTS = 429
const SERVER_ERROR = 500

/**
 * An RPC client whose requests all end, after up to four tries. Settling one order takes some twenty
 * requests: if one in five fails and each failure ended its step, hardly any order would ever be
 * settled. Whatever the service asks may be asked again; a transaction that is sent again is the same.
 */
export function createRpcClient(url: string): ChainRpc {
  const transport = createDefaultRpcTransport({ url })
  const bounded: RpcTransport = async (request) => {
    const given = request.signal === undefined ? [] : [request.signal]
    const limits = [AbortSignal.timeout(TIMEOUT_MS), ...given]
    const { method } = request.payload as { readonly method?: unknown }
    const ask = () => {
      const tried = SLOW_METHODS.has(method) ? [] : [AbortSignal.timeout(TRY_MS)]
      return transport({ ...request, signal: AbortSignal.any([...limits, ...tried]) })
    }
    for (const pauseMs of PAUSES_MS) {
      try {
        const answer = await ask()
        if (!isPassing(answer)) return answer as never
      } catch (error) {
        if (limits.some(({ aborted }) => aborted) || isFinalRefusal(error)) throw error
      }
      await systemClock.sleep(pauseMs)
    }
    return (await ask()) as never
  }
  return createSolanaRpcFromTransport(bounded)
}

function isPassing(answer: unknown): boolean {
  const { error } = (answer ?? {}) as { readonly error?: { readonly code?: unknown } }
  return error !== undefined && PASSING_CODES.has(String(error.code))
}

/** A refusal that another try would meet again. */
function isFinalRefusal(error: unknown): boolean {
  if (!isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) return false
  const { statusCode } = error.context
  return statusCode < SERVER_ERROR && statusCode !== TOO_MANY_REQUESTS
}
