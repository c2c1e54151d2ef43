import {
  isSolanaError,
  SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_CLEANED_UP,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_NOT_AVAILABLE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_FILTER_TRANSACTION_NOT_FOUND,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_KEY_EXCLUDED_FROM_SECONDARY_INDEX,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_HISTORY_NOT_AVAILABLE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  type RpcTransport,
} from '@solana/kit'
import { answeredCode, isKnownRpcCode, rateLimitOf } from '@sotto/protocol'
import type { Clock } from '../../ports/clock.ts'
import { RemoteError } from '../remote/remote-error.ts'
import type { RpcNode } from './rpc-node.ts'
import type { NodeList } from './rpc-nodes.ts'

/**
 * Time limit of a request with all its tries. A later answer would be useless. A node that hasn't answered by then
 * counts as down.
 */
const TIMEOUT_MS = 15_000
/** Time limit of one try. It leaves time to repeat a request that was lost. */
const TRY_MS = 5_000
/**
 * If a node hasn't answered after this time, the next node is asked too, if there is one. Nodes usually answer sooner.
 * A request that takes longer is usually lost, and waiting for it would delay other steps.
 */
const SILENT_MS = 1_000
/** Time limit of a request that only serves to compare one node with other nodes. */
const WITNESS_MS = 2_500
/** Methods for which a node scans all its accounts. */
export const SLOW_METHODS: ReadonlySet<unknown> = new Set(['getProgramAccounts'])
/**
 * The pauses before further tries with the same nodes. One URL often leads to several machines, so another machine may
 * answer a further try.
 */
const PAUSES_MS = [50, 200, 600]
/** Error codes of a node that is unhealthy, hasn't reached the requested slot, or has an internal error. */
const PASSING_CODES: ReadonlySet<number> = new Set([-32_005, -32_016, -32_603])
/**
 * The longest pause that a node may ask for. During a longer pause, the caller's request would time out, so the node
 * isn't used.
 */
const PACE_MAX_MS = 10_000
/**
 * Error codes of a node that can't return this result, although another node may have it. The node may not know the
 * signature at which a listing starts or ends. It may not support a transaction's version, have no history or have
 * pruned the block. It may have no index of the account, or its operator may have disabled the method.
 */
const MISSING_CODES: ReadonlySet<number> = new Set([
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_FILTER_TRANSACTION_NOT_FOUND,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_TRANSACTION_HISTORY_NOT_AVAILABLE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_CLEANED_UP,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_NOT_AVAILABLE,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_KEY_EXCLUDED_FROM_SECONDARY_INDEX,
  SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND,
  // Some providers use this non-standard code for a disabled method.
  -32_000,
])
/** Methods for which a node with a short history may return null. Another node may have the result. */
const NULLABLE: ReadonlySet<unknown> = new Set(['getTransaction', 'getBlock', 'getBlockTime'])
/** Methods for which a node with a short history may return an empty list. Another node may have the result. */
const LISTINGS: ReadonlySet<unknown> = new Set(['getSignaturesForAddress'])
const TOO_MANY_REQUESTS = 429
const SERVER_ERROR = 500

type Request = Parameters<RpcTransport>[0]
type Answer = { readonly error?: { readonly code?: unknown }; readonly result?: unknown }
/** The result of a request to one node. */
type Outcome =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** An answer that lacks something. Another node may have a better answer. */
  | { readonly kind: 'lacking'; readonly answer: Answer }
  | { readonly kind: 'fault'; readonly error: unknown; readonly isFinal: boolean }

/**
 * Asks the nodes one after another until one answers, in up to four rounds within the time limit. Settling one order
 * takes about twenty requests. If one request in five failed and each failure ended its step, hardly any order would be
 * settled. All requests of the service can be repeated without harm.
 */
export function readTransport(
  nodes: NodeList,
  clock: Clock,
): (request: Request) => Promise<unknown> {
  return async (request) => {
    const given = request.signal === undefined ? [] : [request.signal]
    const limits = [AbortSignal.timeout(TIMEOUT_MS), ...given]
    let last: Outcome | undefined
    for (const pauseMs of [...PAUSES_MS, undefined]) {
      const lacking: Outcome[] = []
      const free = freeFirst(await nodes.readable(), request)
      for (const [place, node] of free.entries()) {
        last = await askUntilHeard(nodes, [node, free[place + 1]], request, limits)
        if (last.kind === 'answer') return settle(last)
        if (last.kind === 'lacking') lacking.push(last)
        if (limits.some(({ aborted }) => aborted)) return settle(last)
      }
      const missing = lacking.find((one) => one.kind === 'lacking' && !isPassing(one.answer))
      if (missing !== undefined) return settle(missing)
      if (pauseMs === undefined || (last?.kind === 'fault' && last.isFinal)) break
      await clock.sleep(pauseMs)
    }
    return settle(last)
  }
}

/**
 * Asks one node once, to compare its answer with another node's answer. The time limit is short, so that no step waits
 * for a slow node.
 *
 * @throws Error if the node is down or slow.
 */
export function witnessTransport(nodes: NodeList): (request: Request) => Promise<unknown> {
  return async (request) => {
    const [node] = await nodes.readable()
    if (node === undefined || node.pace.waitMs(methodOf(request)) > WITNESS_MS)
      return settle(undefined)
    // The second limit ends the request sooner. A node that exceeds only it doesn't count as failed, because it may be
    // slow.
    const limits = [AbortSignal.timeout(TIMEOUT_MS), AbortSignal.timeout(WITNESS_MS)]
    const outcome = await askOne(nodes, node, request, limits)
    if (outcome.kind === 'lacking' && isPassing(outcome.answer)) return settle(undefined)
    return settle(outcome)
  }
}

function settle(outcome: Outcome | undefined): unknown {
  if (outcome === undefined) throw new RemoteError('rpc', 'no_node_up_to_date')
  if (outcome.kind === 'fault') throw outcome.error
  const code = answeredCode(outcome.answer)
  // If the client library doesn't know a code, it would throw an error that hides the code.
  if (code !== undefined && !isKnownRpcCode(code)) throw new RemoteError('rpc', `error_${-code}`)
  return outcome.answer
}

/**
 * Asks the first node. If it doesn't answer within `SILENT_MS`, asks the second node too, if there is one. The first
 * answer counts. The other request continues in the background, and updates its node's state.
 */
async function askUntilHeard(
  nodes: NodeList,
  [node, other]: readonly [RpcNode, RpcNode | undefined],
  request: Request,
  limits: readonly AbortSignal[],
): Promise<Outcome> {
  const method = methodOf(request)
  const first = askOne(nodes, node, request, limits)
  if (other === undefined || SLOW_METHODS.has(method)) return first
  const early = await withinMs(SILENT_MS, first)
  if (early !== undefined) return early
  // A request that waits for its node's pace isn't lost, so no second request is sent. A second node that limits
  // requests gets no request either.
  if (other.pace.waitMs(method) > 0 || node.pace.waitMs(method) > 0) return first
  const second = askOne(nodes, other, request, limits)
  const heard = await Promise.race([first, second])
  if (heard.kind === 'answer') return heard
  const both = await Promise.all([first, second])
  const better = (kind: Outcome['kind']) => both.find((one) => one.kind === kind)
  return better('answer') ?? better('lacking') ?? heard
}

/** Resolves with the value, or with undefined if the value takes longer than `ms`. */
function withinMs<T>(ms: number, value: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    value.then(resolve, reject)
    AbortSignal.timeout(ms).addEventListener('abort', () => resolve(undefined))
  })
}

/** Asks one node, and updates the node's state according to the result. */
export async function askOne(
  nodes: NodeList,
  node: RpcNode,
  request: Request,
  limits: readonly AbortSignal[],
): Promise<Outcome> {
  const method = methodOf(request)
  if (node.pace.waitMs(method) > PACE_MAX_MS) return limitedFault()
  const sentAtMs = await node.pace.turn(method, limits[0])
  const tried = SLOW_METHODS.has(method) ? [] : [AbortSignal.timeout(TRY_MS)]
  try {
    const signal = AbortSignal.any([...limits, ...tried])
    const answer = await node.transport<Answer>({ ...request, signal })
    const limit = rateLimitOf(answer)
    if (limit !== undefined) {
      if (SLOW_METHODS.has(method)) nodes.lacked(node)
      else {
        node.pace.limited(method, sentAtMs, limit)
        nodes.failed(node)
      }
      return limitedFault()
    }
    node.pace.answered()
    if (answer !== undefined && isPassing(answer)) {
      nodes.lacked(node)
      return { kind: 'lacking', answer }
    }
    nodes.answered(node)
    return { kind: isMissing(method, answer) ? 'lacking' : 'answer', answer }
  } catch (error) {
    const limit = rateLimitOf(error)
    const isSlow = SLOW_METHODS.has(method)
    // Many public nodes allow slow methods rarely or never. Their refusals must not slow down payments.
    if (limit !== undefined && !isSlow) node.pace.limited(method, sentAtMs, limit)
    const isFinal = isFinalRefusal(error)
    // Two kinds of errors don't count as failures of the node: a refusal of a slow method, and a request that the
    // caller has ended.
    const isForbidden = isSlow && (isFinal || limit !== undefined)
    if (isForbidden) nodes.lacked(node)
    else if (!limits.slice(1).some(({ aborted }) => aborted)) nodes.failed(node)
    return { kind: 'fault', error, isFinal }
  }
}

/** True if another node may have a result, because that node may have a longer history or a newer index. */
function isMissing(method: string, answer: Answer): boolean {
  const { result } = answer
  if (NULLABLE.has(method) && result === null) return true
  if (LISTINGS.has(method) && Array.isArray(result) && result.length === 0) return true
  // A node that refuses to list accounts may use any of many codes.
  if (SLOW_METHODS.has(method) && answeredCode(answer) !== undefined) return true
  return MISSING_CODES.has(answeredCode(answer) ?? 0)
}

const methodOf = ({ payload }: Request): string =>
  String((payload as { readonly method?: unknown }).method)

const limitedFault = (): Outcome => ({
  ...{ kind: 'fault', isFinal: false },
  error: new RemoteError('rpc', 'rate_limited', 'wait, or configure a node with higher limits'),
})

/** Sorts the nodes: first those that may be asked immediately, then those whose pace requires a pause. */
function freeFirst(nodes: readonly RpcNode[], request: Request): RpcNode[] {
  const method = methodOf(request)
  const isFree = ({ pace }: RpcNode) => pace.waitMs(method) === 0
  return [...nodes.filter(isFree), ...nodes.filter((one) => !isFree(one))]
}

/** True if the same node may have a better answer soon. */
export const isPassing = (answer: Answer): boolean => PASSING_CODES.has(answeredCode(answer) ?? 0)

/** True for a refusal that the same node would repeat on every further try. */
function isFinalRefusal(error: unknown): boolean {
  if (!isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) return false
  const { statusCode } = error.context
  return statusCode < SERVER_ERROR && statusCode !== TOO_MANY_REQUESTS
}
