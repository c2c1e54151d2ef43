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
const TRIES_MAX = 8
/** HTTP statuses of a balancer or node that is unavailable for a moment. */
const PASSING_STATUSES: ReadonlySet<number | undefined> = new Set([502, 503, 504])
/**
 * The code of a node's internal error. Some requests always cause this error, so such a request is repeated only twice.
 */
const INTERNAL_ERROR = -32_603
const INTERNAL_TRIES = 3
/** Error codes of a node that is unhealthy, or hasn't reached the requested slot. */
const PASSING_CODES: ReadonlySet<number | undefined> = new Set([-32_005, -32_016])
const PASSING_TRIES = 5
/** The pause before the first repetition after a temporary error. Each further pause is twice as long. */
const PASSING_PAUSE_MS = 300
/** Time limit of one try. Without it, a request to a node that never answers would last forever. */
const TRY_MS = 30_000
/** Maximum pause after a temporary error, even if the node demands a longer pause. */
const PASSING_PAUSE_MAX_MS = 30_000

/** The error code in a node's answer; undefined for a result. */
export function answeredCode(answer: unknown): number | undefined {
  const code = (answer as { readonly error?: { readonly code?: unknown } } | undefined)?.error?.code
  const isCode = typeof code === 'number' || typeof code === 'bigint'
  return isCode ? parseWhole(`${code}`) : undefined
}

/**
 * The rate limit in a node's error or answer; undefined if the node did not refuse a request because of a rate limit.
 */
export function rateLimitOf(outcome: unknown): RateLimit | undefined {
  const isLimit =
    rpcHttpStatus(outcome) === TOO_MANY_REQUESTS ||
    rpcErrorCode(outcome) === LIMIT_EXCEEDED ||
    answeredCode(outcome) === LIMIT_EXCEEDED
  if (!isLimit) return undefined
  return rateLimitFor(retryAfterOf(outcome))
}

/** The rate limit of a refusal with this `Retry-After` header. The header may be absent or unreadable. */
export function rateLimitFor(retryAfterHeader: string | null | undefined): RateLimit {
  const retryAfterMs = retryAfter(retryAfterHeader ?? undefined)
  return retryAfterMs === undefined ? {} : { retryAfterMs }
}

const retryAfterOf = (outcome: unknown): string | null | undefined =>
  (outcome as { readonly context?: { readonly headers?: Headers } }).context?.headers?.get(
    'retry-after',
  )

/**
 * Reads Retry-After in seconds. A date is ignored: nodes don't send dates, and the wait until a date would depend on
 * the clocks of two machines.
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
 * Returns a transport that repeats a request if the node refuses it because of a rate limit. The transport waits as
 * long as the node demands, at most two minutes, and then keeps a pace that the node allows. As long as the node
 * refuses no request, the transport doesn't delay any. It also repeats a request a few times after a temporary fault:
 * the node or its balancer is unavailable or unhealthy, lags, has an internal error, or doesn't answer within `tryMs`.
 * But if a request to send a transaction gets no JSON-RPC response because of such a fault, the transport doesn't
 * repeat it, because the node may have sent the transaction.
 *
 * @throws RateLimitedError if the node refuses a request eight times; Error with the code if the node answers with an
 *   error code that the client library doesn't know.
 */
export function pacedTransport(
  transport: RpcTransport,
  clock: PaceClock = systemPaceClock,
  tryMs = TRY_MS,
): RpcTransport {
  const pace = new RequestPace(clock)
  return async <Response>(request: Parameters<RpcTransport>[0]): Promise<Response> => {
    const { method } = request.payload as { readonly method?: unknown }
    const name = String(method)
    let passing = 0
    for (let refusals = 0; refusals < TRIES_MAX;) {
      const sentAtMs = await pace.turn(name, request.signal)
      request.signal?.throwIfAborted()
      const outcome = await attempt<Response>(transport, request, tryMs)
      request.signal?.throwIfAborted()
      const limit = rateLimitOf(outcome.error ?? outcome.answer)
      if (limit !== undefined) {
        refusals += 1
        pace.limited(name, sentAtMs, limit)
        continue
      }
      if (outcome.error === undefined) pace.answered()
      passing += 1
      if (passing >= triesOf(name, outcome)) return settled(name, outcome)
      await clock.sleep(pauseAfter(outcome, passing), request.signal)
    }
    throw new RateLimitedError()
  }
}

interface Outcome<Response> {
  readonly answer?: Response
  readonly error?: Error
}

/**
 * Number of tries after which this outcome is returned. A try that the node refuses because of its rate limit isn't
 * counted.
 */
function triesOf(method: string, { answer, error }: Outcome<unknown>): number {
  // If a balancer answers with a page instead of JSON, or if there is no answer, the node may have sent the
  // transaction. A second copy could then be refused, and the caller would believe that the first copy had not landed.
  const isPassing =
    PASSING_STATUSES.has(rpcHttpStatus(error)) ||
    error instanceof SyntaxError ||
    error?.name === 'TimeoutError'
  if (isPassing) return method === 'sendTransaction' ? 1 : PASSING_TRIES
  const code = answeredCode(answer)
  if (PASSING_CODES.has(code)) return PASSING_TRIES
  return code === INTERNAL_ERROR ? INTERNAL_TRIES : 1
}

/** The pause after a temporary error: as long as the node demands. If it demands none, each pause doubles. */
function pauseAfter({ error }: Outcome<unknown>, tries: number): number {
  const { retryAfterMs } = rateLimitFor(error && retryAfterOf(error))
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, PASSING_PAUSE_MAX_MS)
  return PASSING_PAUSE_MS * 2 ** (tries - 1)
}

function settled<Response>(method: string, { answer, error }: Outcome<Response>): Response {
  if (error !== undefined) throw error
  const code = answeredCode(answer)
  // The client library throws an error of its own for an unknown code, and that error hides the code.
  if (code !== undefined && !isKnownRpcCode(code))
    throw new Error(`the RPC node refused ${method} with error ${code}`)
  return answer as Response
}

async function attempt<Response>(
  transport: RpcTransport,
  request: Parameters<RpcTransport>[0],
  tryMs: number,
): Promise<Outcome<Response>> {
  const limit = AbortSignal.timeout(tryMs)
  try {
    return { answer: await transport<Response>(endedBy(request, limit)) }
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }
}

/** Creates a client of one node, which keeps a pace that the node allows. `stop` ends every request. */
export function createPacedRpc(url: string, stop?: AbortSignal): Rpc<SolanaRpcApi> {
  const transport = pacedTransport(createDefaultRpcTransport({ url }))
  if (stop === undefined) return createSolanaRpcFromTransport(transport)
  return createSolanaRpcFromTransport((request) => transport(endedBy(request, stop)))
}

/** A request that also ends when `signal` aborts. */
const endedBy = (
  request: Parameters<RpcTransport>[0],
  signal: AbortSignal,
): Parameters<RpcTransport>[0] => ({
  ...request,
  signal: request.signal === undefined ? signal : AbortSignal.any([request.signal, signal]),
})
