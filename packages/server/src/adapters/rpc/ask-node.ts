import {
  rateLimitFor,
  rateLimitOf,
  systemPaceClock,
  type PaceClock,
  type RequestPace,
} from '@sotto/protocol'
import { askRemote } from '../remote/ask-remote.ts'
import { RemoteError } from '../remote/remote-error.ts'
import { RateLimit, type RateLimitOptions } from '../../running/rate-limit.ts'
import { NodeBusyError } from './node-busy-error.ts'
import { sharedPaces } from './paces.ts'
import { isPassing } from './read-transport.ts'

const TIMEOUT_MS = 10_000
/**
 * Maximum number of bytes of an answer. The largest account that a web page reads is the program's account. The limit
 * is several times that account's size.
 */
const ANSWER_BYTES_MAX = 524_288
const TOO_LARGE = 'node_too_large'
/** The longest time that a page's request waits for a node. A page can repeat the request later. */
const WAIT_MAX_MS = 2_000
/** Maximum number of pages' requests that wait for one node. More of them would delay the service's own requests. */
const WAITING_MAX = 4
const TOO_MANY_REQUESTS = 429
const SECOND_MS = 1_000

/**
 * Maximum number of nodes to which one request is sent. A page can send requests that fail at every node. Without this
 * limit, all nodes would get each such request.
 */
const NODES_MAX = 2

/**
 * For this time after a refusal, all pages together get only a share of a node's requests. A refusal can stop the
 * service's own requests for two minutes, so pages may cause at most one refusal in this time.
 */
const SHARED_MS = 3_600_000
/**
 * Number of requests that may follow each other without a pause. A page sends about a dozen requests when a person
 * pays.
 */
const BURST = 12
/**
 * The rates of all pages together at a node that has refused a request: for all methods, and for one method. They are a
 * quarter of the rates that public nodes allow. The service itself uses the rest.
 */
const SHARE: RateLimitOptions = { perSecond: SECOND_MS / 440, burst: BURST }
const METHOD_SHARE: RateLimitOptions = { perSecond: SECOND_MS / 1_100, burst: BURST }

/** A limit for the requests of all pages to one node. */
class PageShare {
  readonly #clock: PaceClock
  readonly #all: RateLimit
  readonly #methods: RateLimit

  constructor(clock: PaceClock) {
    this.#clock = clock
    this.#all = new RateLimit('pages', clock, SHARE)
    this.#methods = new RateLimit('method', clock, METHOD_SHARE)
  }

  /**
   * Returns true if the node has refused no request in the last hour. Otherwise, returns true only if the request is
   * within the limit, and counts the request.
   */
  allows({ limitedAtMs }: RequestPace, method: string): boolean {
    if (this.#clock.nowMs() - limitedAtMs >= SHARED_MS) return true
    if (this.#all.isSpent(ALL) || this.#methods.isSpent(method)) return false
    this.#all.take(ALL)
    this.#methods.take(method)
    return true
  }
}

/** The key of the limit for all methods together. */
const ALL = ''

interface PageNode {
  readonly url: string
  readonly pace: RequestPace
  readonly share: PageShare
  /** Number of pages' requests that wait for this node. */
  waiting: number
}

type Outcome =
  | { readonly kind: 'answer'; readonly text: string }
  /** The node is unhealthy or lags. Another node may have a better answer. */
  | { readonly kind: 'lacking'; readonly text: string }
  | { readonly kind: 'too_large' | 'limited' | 'failed' }

/** Forwards the text of one JSON-RPC request. `isTransaction` is true if the request sends a transaction. */
type Ask = (body: string, isTransaction?: boolean) => Promise<string | undefined>

/**
 * Forwards the text of one JSON-RPC request. Returns the unparsed text of the first answer. At most two nodes are
 * asked, one after the other. A node that limits requests is asked only at its pace. For an hour after a node's
 * refusal, all pages together get at most a quarter of that pace. A rate-limit error or a load balancer's page isn't
 * passed on.
 *
 * The caller chooses the accounts to read, and some accounts have megabytes. If an answer exceeds `ANSWER_BYTES_MAX`,
 * the rest of it isn't read, no other node is asked, and the result is undefined.
 *
 * If there are endpoints for sending, a transaction goes to all of them at once, and to no other node. The result is
 * the answer of the first endpoint that accepts the transaction. If no endpoint accepts it, the result is the refusal
 * of one endpoint.
 *
 * @throws NodeBusyError if no node answers and at least one node limits requests; RemoteError if no node answers for
 * other reasons. After an error, a transaction in the request may still land.
 */
export function askNodes(
  urls: readonly string[],
  sending?: readonly string[],
  paceOf = sharedPaces(systemPaceClock),
  clock = systemPaceClock,
): Ask {
  const nodeAt = (url: string): PageNode => ({
    ...{ url, pace: paceOf(url), share: new PageShare(clock), waiting: 0 },
  })
  const [nodes, senders] = [urls.map(nodeAt), sending?.map(nodeAt)]
  return async (body, isTransaction = false) => {
    if (isTransaction && senders !== undefined) return sendToAll(senders, body)
    const method = methodOf(body)
    const outcomes: Outcome[] = []
    for (const node of freeFirst(nodes, method).slice(0, NODES_MAX)) {
      const outcome = await askOne(node, method, body)
      if (outcome.kind === 'too_large') return undefined
      if (outcome.kind === 'answer') return outcome.text
      outcomes.push(outcome)
    }
    return settle(outcomes, nodes, method)
  }
}

async function sendToAll(nodes: readonly PageNode[], body: string): Promise<string> {
  const method = methodOf(body)
  const asked = nodes.map((node) => askOne(node, method, body))
  const accepted = asked.map(async (one) => {
    const outcome = await one
    if (outcome.kind === 'answer' && !isRefusal(outcome.text)) return outcome.text
    throw new RemoteError('node', 'refused')
  })
  try {
    return await Promise.any(accepted)
  } catch {
    return settle(await Promise.all(asked), nodes, method)
  }
}

/** Returns the best of several outcomes. @throws NodeBusyError, or RemoteError if there is no answer. */
function settle(outcomes: readonly Outcome[], nodes: readonly PageNode[], method: string): string {
  for (const outcome of outcomes) if ('text' in outcome) return outcome.text
  if (outcomes.every(({ kind }) => kind !== 'limited')) throw new RemoteError('node', 'timeout')
  const waitMs = Math.min(...nodes.map(({ pace }) => pace.waitMs(method)))
  throw new NodeBusyError(Math.max(1, Math.ceil(waitMs / SECOND_MS)))
}

const methodOf = (body: string): string =>
  String((JSON.parse(body) as { readonly method?: unknown }).method)

/** Sorts the nodes: first those that may be asked immediately, then those whose pace requires a pause. */
function freeFirst(nodes: readonly PageNode[], method: string): PageNode[] {
  const isFree = ({ pace }: PageNode) => pace.waitMs(method) === 0
  return [...nodes.filter(isFree), ...nodes.filter((one) => !isFree(one))]
}

/** True if an answer has no result. */
const isRefusal = (text: string): boolean => !('result' in (parsed(text) ?? {}))

/** Returns a JSON-RPC answer; undefined for any other text. */
function parsed(text: string): object | undefined {
  try {
    const answer: unknown = JSON.parse(text)
    if (typeof answer !== 'object' || answer === null) return undefined
    return 'result' in answer || 'error' in answer ? answer : undefined
  } catch {
    return undefined
  }
}

async function askOne(node: PageNode, method: string, body: string): Promise<Outcome> {
  const { pace, share, url } = node
  if (!share.allows(pace, method)) return { kind: 'limited' }
  const waitMs = pace.waitMs(method)
  if (waitMs > WAIT_MAX_MS || (waitMs > 0 && node.waiting >= WAITING_MAX))
    return { kind: 'limited' }
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  node.waiting += 1
  const sentAtMs = await pace.turn(method, limit).finally(() => (node.waiting -= 1))
  if (limit.aborted) return { kind: 'limited' }
  const headers = { 'content-type': 'application/json' }
  const limits = { timeoutMs: TIMEOUT_MS, bytesMax: ANSWER_BYTES_MAX }
  try {
    const asked = { service: 'node', url, method: 'POST', headers, body, ...limits }
    const { status, text, retryAfter } = await askRemote(asked)
    const answer = parsed(text)
    const refused =
      status === TOO_MANY_REQUESTS ? rateLimitFor(retryAfter) : rateLimitOf(answer ?? {})
    if (refused !== undefined) {
      pace.limited(method, sentAtMs, refused)
      return { kind: 'limited' }
    }
    if (status < 200 || status >= 300 || answer === undefined) return { kind: 'failed' }
    pace.answered()
    return { kind: isPassing(answer) ? 'lacking' : 'answer', text }
  } catch (error) {
    const isTooLarge = error instanceof RemoteError && error.code === TOO_LARGE
    // The service's own requests to the node report its failures, so a failure isn't reported here.
    return { kind: isTooLarge ? 'too_large' : 'failed' }
  }
}
