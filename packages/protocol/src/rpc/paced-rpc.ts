import {
  createDefaultRpcTransport,
  createSolanaRpcFromTransport,
  type Rpc,
  type RpcTransport,
  type SolanaRpcApi,
} from '@solana/kit'
import { parseWhole } from '../parse-whole.ts'
import { isKnownRpcCode, rpcErrorCode, rpcHttpStatus } from './rpc-errors.ts'
import { systemPaceClock } from './pace-clock.ts'
import { RequestPace, type PaceClock, type RateLimit } from './request-pace.ts'

const TOO_MANY_REQUESTS = 429
/** The error code for too many requests that several providers return with HTTP status 200. */
const LIMIT_EXCEEDED = -32_429
/** The code of a node's internal error, which is temporary. */
const INTERNAL_ERROR = -32_603
const TRIES_MAX = 8
const INTERNAL_TRIES = 3
const INTERNAL_PAUSE_MS = 300

/** The error code in a node's answer; undefined for a result. */
export function answeredCode(answer: unknown): number | undefined {
  const code = (answer as { readonly error?: { readonly code?: unknown } } | undefined)?.error?.code
  const isCode = typeof code === 'number' || typeof code === 'bigint'
  return isCode ? parseWhole(`${code}`) : undefined
}

/** The refusal because of too many requests that a node's error or answer contains; undefined if it contains none. */
export function rateLimitOf(outcome: unknown): RateLimit | undefined {
  const isLimit =
    rpcHttpStatus(outcome) === TOO_MANY_REQUESTS ||
    rpcErrorCode(outcome) === LIMIT_EXCEEDED ||
    answeredCode(outcome) === LIMIT_EXCEEDED
  if (!isLimit) return undefined
  const { context } = outcome as { readonly context?: { readonly headers?: Headers } }
  const retryAfterMs = retryAfter(context?.headers?.get('retry-after') ?? undefined)
  return retryAfterMs === undefined ? {} : { retryAfterMs }
}

/**
 * Reads Retry-After in seconds. A date is ignored: nodes don't send dates, and comparing one would depend on the clocks
 * of two machines.
 */
function retryAfter(text: string | undefined): number | undefined {
  return text !== undefined && /^(0|[1-9]\d{0,5})$/.test(text)
    ? parseWhole(text) * 1_000
    : undefined
}

/** A node refused a request eight times because it had received too many requests. */
export class RateLimitedError extends Error {
  override readonly name = 'RateLimitedError'

  constructor() {
    super('the RPC node refuses requests because there are too many: wait, or use another node')
  }
}

/**
 * Returns a transport that repeats a request if the node refuses it temporarily. The transport waits at least as long
 * as the node demands, and then keeps a pace that the node allows. It doesn't limit requests to a node that refuses
 * none.
 *
 * @throws RateLimitedError if the node refuses a request eight times; Error with the code if the node answers with an
 * error code of its own.
 */
export function pacedTransport(
  transport: RpcTransport,
  clock: PaceClock = systemPaceClock,
): RpcTransport {
  const pace = new RequestPace(clock)
  return async <Response>(request: Parameters<RpcTransport>[0]): Promise<Response> => {
    const { method } = request.payload as { readonly method?: unknown }
    const name = String(method)
    let internal = 0
    for (let refusals = 0; refusals < TRIES_MAX;) {
      const sentAtMs = await pace.turn(name, request.signal)
      request.signal?.throwIfAborted()
      const outcome = await attempt<Response>(transport, request)
      const limit = rateLimitOf(outcome.error ?? outcome.answer)
      if (limit !== undefined) {
        refusals += 1
        pace.limited(name, sentAtMs, limit)
        continue
      }
      if (outcome.error !== undefined) throw outcome.error
      pace.answered()
      internal += 1
      const code = answeredCode(outcome.answer)
      // For a code that the client library doesn't know, it would throw an error that hides the code.
      if (code !== undefined && !isKnownRpcCode(code))
        throw new Error(`the RPC node refused ${name} with error ${code}`)
      const isInternal = code === INTERNAL_ERROR
      if (!isInternal || internal === INTERNAL_TRIES) return outcome.answer as Response
      await clock.sleep(INTERNAL_PAUSE_MS, request.signal)
    }
    throw new RateLimitedError()
  }
}

async function attempt<Response>(
  transport: RpcTransport,
  request: Parameters<RpcTransport>[0],
): Promise<{ readonly answer?: Response; readonly error?: Error }> {
  try {
    return { answer: await transport<Response>(request) }
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }
}

/** Creates a client of one node, which keeps a pace that the node allows. */
export const createPacedRpc = (url: string): Rpc<SolanaRpcApi> =>
  createSolanaRpcFromTransport(pacedTransport(createDefaultRpcTransport({ url })))
