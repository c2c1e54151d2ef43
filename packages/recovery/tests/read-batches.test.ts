import type { Signature } from '@solana/kit'
import { expect, it } from 'vitest'
import type { TransactionRecord } from '@sotto/protocol'
import { batchReader } from '../src/history/read-batches.ts'

const signatures = Array.from({ length: 120 }, (_, index) => `signature${index}` as Signature)

const meta = { err: null }

interface Asked {
  readonly id: number
  readonly params: readonly [Signature]
}

/** A node that responds to a batch with the result of `answer`, and records the requests that it receives. */
function nodeThat(answer: (batch: readonly Asked[]) => unknown) {
  const sizes: number[] = []
  const fetcher = (_: unknown, { body }: RequestInit) => {
    const batch = JSON.parse(body as string) as Asked[]
    sizes.push(batch.length)
    return Promise.resolve(Response.json(answer(batch)))
  }
  const read = batchReader('http://node.example', fetcher as typeof fetch)
  const itself = (record: TransactionRecord) => Promise.resolve(record)
  return { sizes, read: (signatures: readonly Signature[]) => read(signatures, itself) }
}

it('reads at most fifty transactions in each request, and accepts answers in any order', async () => {
  const { sizes, read } = nodeThat((batch) =>
    batch.map(({ id, params }) => ({ id, result: { named: params[0], meta } })).reverse(),
  )
  const found = await read(signatures)
  expect(sizes).toEqual([50, 50, 20])
  expect(found.size).toBe(120)
  expect(found.get(signatures[70]!)).toEqual({ named: 'signature70', meta })
})

it('omits transactions that the node lacks, refuses or shows without their meta data', async () => {
  const results = [{ result: null }, { result: { meta: null } }]
  const { read } = nodeThat((batch) =>
    batch.map(({ id }) => ({ id, ...(results[id] ?? { error: { code: -32_005 } }) })),
  )
  expect((await read(signatures)).size).toBe(0)
})

it.each([
  ['an error', { error: { message: 'batches are not allowed' } }],
  ['nothing', null],
  ['a rate-limit error for one request', [{ id: 7, error: { code: -32_429 } }]],
])('sends no further batch to a node that answers a batch with %s', async (_, refusal) => {
  const { sizes, read } = nodeThat(() => refusal)
  expect((await read(signatures.slice(0, 50))).size).toBe(0)
  expect((await read(signatures)).size).toBe(0)
  expect(sizes).toEqual([50])
})

it.each([
  ['status 429', () => new Response('', { status: 429, headers: { 'Retry-After': '9' } }), 9_000],
  [
    'status 429 for an hour',
    () => new Response('', { status: 429, headers: { 'Retry-After': '3600' } }),
    120_000,
  ],
  [
    'single refusals',
    () => Response.json([{ id: 0, error: { code: -32_429 } }], { headers: { 'Retry-After': '9' } }),
    9_000,
  ],
  ['status 429 without a time', () => new Response('', { status: 429 }), 1_000],
  ['status 403', () => new Response('', { status: 403 }), 0],
])('waits as long as a node demands, at most two minutes: %s', async (_, refusal, waitMs) => {
  const slept: number[] = []
  const clock = { nowMs: () => 0, sleep: async (ms: number) => void slept.push(ms) }
  const fetcher = () => Promise.resolve(refusal())
  const read = batchReader('http://node.example', fetcher, clock)
  const batch = signatures.slice(0, 50)
  expect((await read(batch, (record) => Promise.resolve(record))).size).toBe(0)
  expect(Math.max(0, ...slept)).toBe(waitMs)
})
