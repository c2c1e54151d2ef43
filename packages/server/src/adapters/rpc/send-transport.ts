import type { RpcTransport } from '@solana/kit'
import type { Clock } from '../../ports/clock.ts'
import { RemoteError } from '../remote/remote-error.ts'
import { askOne } from './read-transport.ts'
import type { RpcNodes } from './rpc-nodes.ts'

const TIMEOUT_MS = 15_000
const PAUSES_MS = [50, 200, 600]
/** Maximum number of nodes that get a transaction. More nodes would only increase the load. */
const NODES_MAX = 4

/**
 * Sends a transaction to several nodes at once, and returns as soon as one node has accepted it. The requests to the
 * other nodes continue, so no time is lost if one node drops the transaction. Sending a transaction twice is harmless.
 */
export function sendTransport(
  nodes: RpcNodes,
  clock: Clock,
  nodesMax = NODES_MAX,
): (request: Parameters<RpcTransport>[0]) => Promise<unknown> {
  return async (request) => {
    // The caller's signal may abort after the first node has answered. The signal isn't used, because the other
    // requests must continue.
    const limits = [AbortSignal.timeout(TIMEOUT_MS)]
    let last: unknown = new RemoteError('rpc', 'no_node_up_to_date')
    for (const pauseMs of [...PAUSES_MS, undefined]) {
      const asked = (await nodes.sendable()).slice(0, nodesMax).map(async (node) => {
        const outcome = await askOne(nodes, node, request, limits)
        if (outcome.kind === 'answer') return outcome.answer
        if (outcome.kind === 'lacking') throw new RemoteError('rpc', 'node_behind')
        throw new NodeFault(outcome.error, outcome.isFinal)
      })
      try {
        return await preferTaken(asked)
      } catch (error) {
        const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : []
        last = first instanceof NodeFault ? first.cause : (first ?? last)
        if (first instanceof NodeFault && first.isFinal) break
      }
      if (pauseMs !== undefined) await clock.sleep(pauseMs)
    }
    throw last
  }
}

/** The error of one node. */
class NodeFault extends Error {
  override readonly name = 'NodeFault'
  readonly isFinal: boolean

  constructor(cause: unknown, isFinal: boolean) {
    super('no node accepted the transaction', { cause })
    this.isFinal = isFinal
  }
}

/** Returns the first answer that isn't an error. If all nodes refuse the transaction, returns one of the refusals. */
async function preferTaken(
  asked: readonly Promise<{ readonly error?: unknown }>[],
): Promise<unknown> {
  const taken = asked.map(async (one) => {
    const answer = await one
    if (answer.error !== undefined) throw new RefusedError(answer)
    return answer
  })
  try {
    return await Promise.any(taken)
  } catch (error) {
    const errors = error instanceof AggregateError ? (error.errors as unknown[]) : []
    const refused = errors.find((one) => one instanceof RefusedError)
    if (refused !== undefined) return refused.answer
    throw error
  }
}

/** A node's own refusal of a transaction. */
class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly answer: unknown

  constructor(answer: unknown) {
    super('a node refused a transaction')
    this.answer = answer
  }
}
