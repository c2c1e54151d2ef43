import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FormCollector, type Forms, type RpcError } from './forms.ts'

/** A proxy for a chain's RPC. It collects the forms of all answers. */
export interface Recorder {
  readonly url: string
  readonly forms: () => Forms
  readonly stop: () => Promise<void>
}

interface Asked {
  readonly method: string
  readonly params?: readonly unknown[]
}

interface Answer {
  readonly result?: unknown
  readonly error?: RpcError
}

/** The request options that change the form of a method's answers. */
const OPTIONS = ['encoding', 'transactionDetails'] as const

function kindOf({ method, params = [] }: Asked): string {
  const objects = params.filter((one): one is object => typeof one === 'object' && one !== null)
  const options: Record<string, unknown> = Object.assign({}, ...objects)
  const named = OPTIONS.flatMap((name) => (name in options ? [String(options[name])] : []))
  return [method, ...named].join(' ')
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

/** Starts the proxy on a free port. */
export async function startRecorder(target: string): Promise<Recorder> {
  const collectors = new Map<string, FormCollector>()
  const record = (asked: Asked, answer: Answer): void => {
    const kind = kindOf(asked)
    const collector = collectors.get(kind) ?? new FormCollector()
    collectors.set(kind, collector)
    if (answer.error === undefined) collector.add(answer.result)
    else collector.addError(answer.error)
  }
  const server = createServer((request, response) => {
    const forward = async () => {
      const body = await bodyOf(request)
      const answer = await fetch(target, { method: 'POST', headers: JSON_TYPE, body })
      const text = await answer.text()
      response.writeHead(answer.status, JSON_TYPE).end(text)
      // The recorder doesn't support batches, because no client of the run sends any.
      if (answer.ok) record(JSON.parse(body) as Asked, JSON.parse(text) as Answer)
    }
    forward().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    forms: () =>
      Object.fromEntries(
        [...collectors].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, one]) => [kind, one.form]),
      ),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
