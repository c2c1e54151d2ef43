import type { OrderStatusRecord } from '@sotto/sdk/server'
import { expect, it } from 'vitest'
import type { CliContext } from '../context.ts'
import { openOutput } from '../output/output.ts'
import { runStatus } from './status.ts'

type Seen = readonly [status: OrderStatusRecord['status'], final: boolean]
const OPEN = ['deposited', false] as const

/** Watches an order that has these statuses in turn, with an output whose reader leaves after this many results. */
async function watch(seen: readonly Seen[], readsMax: number): Promise<number> {
  const statuses = seen.map(([status, final]) => ({ status, final, nextAction: null, deposit: {} }))
  let reads = 0
  const stdout = {
    write: (_text: string, done?: (error?: Error) => void) => {
      reads += 1
      done?.(reads > readsMax ? Object.assign(new Error('gone'), { code: 'EPIPE' }) : undefined)
    },
  }
  const stderr = { write: () => true }
  const context = {
    output: openOutput({ json: true }, { stdout, stderr, stdin: {} }),
    signal: new AbortController().signal,
    client: async () => ({
      status: async () => statuses.shift() ?? expect.fail('the status was requested again'),
    }),
  } as unknown as CliContext
  return runStatus(context, 'tr_1', { watch: true, interval: 0.001 })
}

it.each([
  ['it was delivered', [OPEN, ['delivered', true]], 9, 0],
  ['it was refunded', [OPEN, ['refunded', true]], 9, 7],
  ['it was still open when the reader left', [OPEN, OPEN, OPEN], 0, 11],
  ['it was delivered when the reader left', [OPEN, ['delivered', true]], 1, 0],
  ['it was refunded when the reader left', [OPEN, ['refunded', true]], 1, 7],
] as const)('the exit code of a watched order says that %s', async (_name, seen, reads, code) => {
  expect(await watch(seen, reads)).toBe(code)
})
