import {
  Agent,
  createServer,
  request as send,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SeededRandom } from '../../sim/time/seeded-random.ts'

/** The faults of a node, or of the network between the service and the node. */
export const FAULTS = ['refused', 'unhealthy', 'silent', 'lost', 'stale'] as const
export type Fault = (typeof FAULTS)[number]

/** A proxy for a node's RPC. It draws faults from a seed. */
export interface FaultProxy {
  readonly url: string
  /** The percentage of requests that get a fault from now on. */
  readonly setPercent: (percent: number) => void
  /** The number of requests so far, and the number of each fault. */
  readonly counts: Readonly<Record<Fault | 'asked', number>>
  readonly stop: () => Promise<void>
}

/** The time for which a silent node keeps a request before the connection breaks. */
const SILENT_MS = 3_000
/** Maximum age of a stale answer, so that it looks like the answer of a lagging node. */
const STALE_MS = 4_000
const KEPT_MAX = 2_000

interface Kept {
  readonly body: Buffer
  readonly atMs: number
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** Forwards a request. `fetch` would take more processor time away from the measured service. */
async function forward(target: string, agent: Agent, body: Buffer): Promise<Buffer> {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const forwarded = send(target, { method: 'POST', agent, headers }, resolve)
    forwarded.on('error', reject).end(body)
  })
  return bodyOf(answer)
}

/** A request's content without its id. Equal requests have equal keys. */
const keyOf = (body: Buffer): string => body.toString().replace(/"id":"?\d+"?/, '')
const withId = (answer: Buffer, question: Buffer): string => {
  const id = /"id":("?\d+"?)/.exec(question.toString())?.[1] ?? 'null'
  return answer.toString().replace(/"id":"?\d+"?/, `"id":${id}`)
}

/** Stores the node's answers, and repeats them for a few seconds, as a lagging node would. */
class LaggingAnswers {
  readonly #kept = new Map<string, Kept>()

  keep(body: Buffer, answer: Buffer): void {
    const key = keyOf(body)
    if (this.#kept.has(key)) return
    if (this.#kept.size >= KEPT_MAX) this.#kept.delete(this.#kept.keys().next().value ?? '')
    this.#kept.set(key, { body: answer, atMs: Date.now() })
  }

  find(body: Buffer): string | undefined {
    const old = this.#kept.get(keyOf(body))
    if (old === undefined || /"method":"sendTransaction"/.test(body.toString())) return undefined
    if (Date.now() - old.atMs <= STALE_MS) return withId(old.body, body)
    // The answer is too old for a lagging node, so the next answer replaces it.
    this.#kept.delete(keyOf(body))
    return undefined
  }
}

/**
 * Starts a proxy with these faults. `refused` and `unhealthy` make a request fail before it reaches the node. `silent`
 * keeps a request until the connection breaks. `lost` forwards a request and drops the answer. `stale` repeats an
 * earlier answer to the same request, as a lagging node does. The proxy calls `asked` with the body of every request.
 */
export async function startFaultProxy(
  target: string,
  seed: number,
  asked: (body: string) => void = () => undefined,
): Promise<FaultProxy> {
  const random = new SeededRandom(`faults/${seed}`)
  const counts = { asked: 0, refused: 0, unhealthy: 0, silent: 0, lost: 0, stale: 0 }
  const lagging = new LaggingAnswers()
  const agent = new Agent({ keepAlive: true })
  let percent = 0

  const ask = async (body: Buffer): Promise<Buffer> => {
    const answer = await forward(target, agent, body)
    if (percent > 0) lagging.keep(body, answer)
    return answer
  }

  const answer = async (response: ServerResponse, body: Buffer, fault: Fault | undefined) => {
    const json = { 'Content-Type': 'application/json' }
    if (fault !== undefined) counts[fault] += 1
    switch (fault) {
      case 'refused':
        return void response.writeHead(503).end()
      case 'unhealthy': {
        const error = { code: -32005, message: 'Node is unhealthy', data: {} }
        const refusal = JSON.stringify({ jsonrpc: '2.0', error, id: 0 })
        return void response.writeHead(200, json).end(withId(Buffer.from(refusal), body))
      }
      case 'silent':
        await sleep(SILENT_MS, undefined, { ref: false })
        return void response.destroy()
      case 'lost':
        await ask(body)
        return void response.destroy()
      case 'stale':
        return void response.writeHead(200, json).end(lagging.find(body) ?? (await ask(body)))
      case undefined:
        return void response.writeHead(200, json).end(await ask(body))
    }
  }

  const server = createServer((request, response) => {
    bodyOf(request)
      .then((body) => {
        counts.asked += 1
        asked(body.toString())
        const isFault = random.below(100) < percent
        const fault = isFault ? FAULTS[random.below(FAULTS.length)] : undefined
        return answer(response, body, fault)
      })
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    setPercent: (next) => void (percent = next),
    counts,
    stop: async () => {
      agent.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
