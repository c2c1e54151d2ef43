import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TransferState } from '@sotto/sdk/wallet'
import type { CliContext } from '../context.ts'
import { openOutput } from '../output/output.ts'
import { createState, listStates } from '../transfers/state-file.ts'
import { runResume } from './transfer.ts'

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sotto-no-wait-'))
})
afterAll(() => rm(home, { recursive: true }))

const SENDER = 'SysvarC1ock11111111111111111111111111111111'
const DEPOSITED = {
  ...{ step: 'deposited', transferId: 'id', signature: null, leafIndex: '3' },
  request: { senderAddress: SENDER },
  order: { trackingId: 'tr_1', eta: 10 },
} as unknown as TransferState

it('keeps the state of a transfer with --no-wait, so that --resume can prove its end', async () => {
  const file = await createState(home, DEPOSITED)
  file.release()
  const results: object[] = []
  const stream = { write: () => true, isTTY: false }
  const context = {
    settings: { home, rpcUrl: 'http://127.0.0.1:9' },
    output: {
      ...openOutput({ json: true }, { stdout: stream, stderr: stream, stdin: {} }),
      result: (value: object) => void results.push(value),
    },
    signal: new AbortController().signal,
    signer: async () => ({ address: SENDER }),
    client: async () => ({}),
    rpc: async () => ({}),
  } as unknown as CliContext
  expect(await runResume(context, undefined, { wait: false, interval: 1 })).toBe(0)
  expect(results).toMatchObject([{ outcome: 'paid', trackingId: 'tr_1' }])
  expect(await listStates(home)).toEqual(['1'])
})
