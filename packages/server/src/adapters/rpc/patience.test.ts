import { address } from '@solana/kit'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Clock } from '../../ports/clock.ts'
import { createRpcClient, type ChainRpc } from './rpc-client.ts'

const PATIENCE_MS = 600_000

/** A clock whose sleeps take no real time. */
function virtualClock(): Clock {
  let nowMs = 1_000_000
  return { nowMs: () => nowMs, sleep: async (ms: number) => void (nowMs += ms) }
}

let server: Server
/** The node's answers: a status and, for some, the number of seconds in Retry-After. */
let answers: { readonly status: number; readonly retryAfter?: string }[]
let asked: number
beforeEach(async () => {
  asked = 0
  server = createServer((request, response) => {
    const { status, retryAfter } = answers[asked] ?? { status: 200 }
    asked += 1
    const headers = retryAfter === undefined ? {} : { 'Retry-After': retryAfter }
    const body = status === 200 ? '{"jsonrpc":"2.0","id":1,"result":7}' : ''
    request.on('end', () => response.writeHead(status, headers).end(body)).resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => server.close())

/** Sends one request that waits for limited nodes. Returns its result or error, and the reported waits. */
async function ask(
  request: (rpc: ChainRpc) => Promise<unknown> = (rpc) => rpc.getBlockHeight().send(),
) {
  const waits: number[] = []
  const rpc = createRpcClient({
    urls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
    ...{ lagSlots: 0, clock: virtualClock() },
    patience: { totalMs: PATIENCE_MS, waiting: (ms) => void waits.push(ms) },
  })
  const outcome = await request(rpc).catch((error: unknown) => error)
  return { outcome, waits }
}

it('waits as long as the only node demands, and reports the wait', async () => {
  answers = [{ status: 429, retryAfter: '60' }]
  const { outcome, waits } = await ask()
  expect(outcome).toBe(7n)
  // The request's usual short pauses have already passed, so the remaining wait is slightly below 60 seconds.
  expect(waits.map((ms) => Math.ceil(ms / 1_000))).toEqual([60])
  expect(asked).toBe(2)
})

it('fails with the code of the rate limit after ten minutes of waiting', async () => {
  answers = Array.from({ length: 50 }, () => ({ status: 429, retryAfter: '120' }))
  const { outcome, waits } = await ask()
  expect(outcome).toMatchObject({ code: 'rpc_rate_limited' })
  expect(waits).toHaveLength(5)
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(PATIENCE_MS)
  expect(asked).toBe(6)
})

it('does not wait for a node that fails for another reason', async () => {
  answers = Array.from({ length: 50 }, () => ({ status: 503 }))
  const { outcome, waits } = await ask()
  expect(outcome).toBeInstanceOf(Error)
  expect(waits).toEqual([])
})

it('does not wait for a list of accounts', async () => {
  answers = Array.from({ length: 50 }, () => ({ status: 429, retryAfter: '60' }))
  const program = address('SysvarC1ock11111111111111111111111111111111')
  const { outcome, waits } = await ask((rpc) => rpc.getProgramAccounts(program).send())
  expect(outcome).toBeInstanceOf(Error)
  expect(waits).toEqual([])
})
