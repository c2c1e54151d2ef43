import {
  isSolanaError,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_FILTER_TRANSACTION_NOT_FOUND,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  type RpcTransport,
} from '@solana/kit'
import type { Clock } from '../../ports/clock.ts'
import { RemoteError } from '../remote/remote-error.ts'
import type { RpcNode } from './rpc-node.ts'
import type { RpcNodes } from './rpc-nodes.ts'

/** Longer than any answer takes that is still of use; nodes that hang count as down. */
const TIMEOUT_MS = 15_000
/** For one try, so that a request that was lost on its way is asked again in time. */
const TRY_MS = 5_000
/** Nodes go through all their accounts for these. */
const SLOW_METHODS: ReadonlySet<unknown> = new Set(['getProgramAccounts'])
/** Before each further try at the same nodes: behind one URL there are often several, and another answers. */
const PAUSES_MS = [50, 200, 600]
/** The node is unhealthy, or behind the slot that was asked for. */
const PASSING_CODES: ReadonlySet<string> = new Set(['-32005', '-32016'])
/** The node doesn't know the signature that a listing is to begin or end at; another may, this one never will. */
const UNKNOWN_SIGNATURE = String(SOLANA_ERROR__JSON_RPC__SERVER_ERROR_FILTER_TRANSACTION_NOT_FOUND)
/** A node with a shorter history says so by null; another may have it. */
const NULLABLE: ReadonlySet<unknown> = new Set(['getTransaction'])
const TOO_MANY_REQUESTS = 429
const SERVER_ERROR = 500

type Request = Parameters<RpcTransport>[0]
type Answer = { readonly error?: { readonly code?: unknown }; readonly result?: unknown }
/** What came of asking one node. */
type Outcome =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** An answer that another node may know better. */
  | { readonly kind: 'lacking'; readonly answer: Answer }
  | { readonly kind: 'fault'; readonly error: unknown; readonly isFinal: boolean }

/**
 * Asks the nodes one after another until one answers, up to four rounds; all of it ends in time. Settling
 * one order takes some twenty requests: if one in five fails and each failure ended its step, hardly any
 * order would ever be settled. Whatever the service asks may be asked again.
 */
export function readTransport(
  nodes: RpcNodes,
  clock: Clock,
): (request: Request) => Promise<unknown> {
  return async (request) => {
    const given = request.signal === undefined ? [] : [request.signal]
    const limits = [AbortSignal.timeout(TIMEOUT_MS), ...given]
    let last: Outcome | undefined
    for (const pauseMs of [...PAUSES_MS, undefined]) {
      const lacking: Outcome[] = []
      for (const node of await nodes.readable()) {
        last = await askOne(nodes, node, request, limits)
        if (last.kind === 'answer') return last.answer
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

function settle(outcome: Outcome | undefined): unknown {
  if (outcome === undefined) throw new RemoteError('rpc', 'no_node_up_to_date')
  if (outcome.kind === 'fault') throw outcome.error
  return outcome.answer
}

/** One node's answer, and what it means for the node. */
export async function askOne(
  nodes: RpcNodes,
  node: RpcNode,
  request: Request,
  limits: readonly AbortSignal[],
): Promise<Outcome> {
  const { method } = request.payload as { readonly method?: unknown }
  const tried = SLOW_METHODS.has(method) ? [] : [AbortSignal.timeout(TRY_MS)]
  try {
    const signal = AbortSignal.any([...limits, ...tried])
    const answer = await node.transport<Answer>({ ...request, signal })
    if (answer !== undefined && isPassing(answer)) {
      nodes.lacked(node)
      return { kind: 'lacking', answer }
    }
    nodes.answered(node)
    const isMissing =
      (NULLABLE.has(method) && answer.result === null) || codeOf(answer) === UNKNOWN_SIGNATURE
    return { kind: isMissing ? 'lacking' : 'answer', answer }
  } catch (error) {
    // Who asked gave up: that says nothing of the node.
    if (!limits.slice(1).some(({ aborted }) => aborted)) nodes.failed(node)
    return { kind: 'fault', error, isFinal: isFinalRefusal(error) }
  }
}

const codeOf = ({ error }: Answer): string | undefined =>
  error === undefined ? undefined : String(error.code)

/** The same node may answer in a moment. */
const isPassing = (answer: Answer): boolean => PASSING_CODES.has(codeOf(answer) ?? '')

/** A refusal that another try at the same node would meet again. */
function isFinalRefusal(error: unknown): boolean {
  if (!isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) return false
  const { statusCode } = error.context
  return statusCode < SERVER_ERROR && statusCode !== TOO_MANY_REQUESTS
}
