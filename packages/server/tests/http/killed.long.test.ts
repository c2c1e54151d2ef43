import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { builtProgram } from '../../../../demo/src/stack/built-program.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import { startPostgres, type StartedPostgres } from '../start-postgres.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import type { KillPoint } from './killed-server.ts'
import {
  codeOf,
  countOrders,
  order,
  orderBody,
  quoteOf,
  solSend,
  type Answer,
} from './partner-client.ts'

const PROGRAM = fileURLToPath(new URL('./killed-server.ts', import.meta.url))

let postgres: StartedPostgres
let url: string
let stack: HttpStack
beforeAll(async () => {
  postgres = await startPostgres()
  url = await postgres.createDatabase()
  stack = await startHttpStack(async () => openPostgres(url))
})
afterAll(async () => {
  await stack.close()
  await postgres.stop()
})

/** Starts a server process that kills itself at this point of its first order. */
async function startDoomed(point: KillPoint) {
  const child = spawn(process.execPath, [await builtProgram(PROGRAM), point, url], {
    env: { PATH: process.env['PATH'], ...stack.settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>
  const lines = createInterface({ input: child.stdout })
  const [baseUrl] = (await Promise.race([
    once(lines, 'line'),
    ended.then(() => Promise.reject(new Error('the server ended before it listened'))),
  ])) as [string]
  return { baseUrl, ended }
}

/** Sends the request again until it is answered, as a client does after a retryable error. */
async function settled(body: unknown, key: string | undefined): Promise<Answer> {
  const answer = await order(stack, body, key)
  return codeOf(answer) === 'ORDER_IN_PROGRESS' ? settled(body, key) : answer
}

it.each([
  // A retry returns the order if it was committed, and creates it otherwise.
  ['before-insert', 'send', 'a key', 'false'],
  ['after-commit', 'send', 'a key', 'true'],
  ['after-commit', 'send', 'no key', 'true'],
  ['before-commit', 'swap', 'a key', 'false'],
  ['after-commit', 'swap', 'a key', 'true'],
  // The order may or may not have been committed when the process was killed. In both cases there must be exactly one
  // order.
  ['under-way', 'send', 'a key', undefined],
] as const)(
  'a retry gives exactly one order after a kill at the point %s of a %s with %s',
  async (point, what, how, isReplay) => {
    const key = how === 'no key' ? undefined : `${point} ${what}`
    const request = solSend(stack, what === 'swap' ? { destinationAssetId: stack.usdc } : {})
    const doomed = await startDoomed(point)
    const body = orderBody((await quoteOf(stack, request)).quote, request)
    const before = await countOrders(stack)
    await expect(order({ ...stack, baseUrl: doomed.baseUrl }, body, key)).rejects.toThrow()
    expect((await doomed.ended)[1]).toBe('SIGKILL')
    const first = await settled(body, key)
    expect(first.status).toBe(200)
    if (isReplay !== undefined) expect(first.headers.get('idempotent-replayed')).toBe(isReplay)
    const again = await order(stack, body, key)
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
    expect(await countOrders(stack)).toBe(before + 1)
  },
)
