import type { TransferState } from '@sotto/sdk/wallet'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HUNG_MS } from '../../../../../testing/patience/hung.ts'
import { explainBalance } from './balance/balance-problems.ts'
import { KeptTransfer } from './kept-transfer.ts'
import { readTransfer } from './saved-transfer.ts'
import type { Phase } from './transfer-phase.ts'
import { TransferRun } from './transfer-run.ts'
import { BalanceTakenError } from '@sotto/sdk/balance'

const SOL = 'So11111111111111111111111111111111111111112'
const CONFIG = { cluster: 'localnet', programId: SOL, rpcUrl: 'http://node.invalid' } as const
const ID = `tr_${'1'.repeat(21)}A`

const inStep = (step: TransferState['step']): Extract<TransferState, { order: object }> =>
  ({
    ...{ step, transferId: 'one', quote: {}, deadAfter: '1', signature: 'x', wire: null },
    request: { senderAddress: SOL, sourceAssetId: SOL, destinationAssetId: SOL },
    order: { trackingId: ID, recovery: 'ticket' },
  }) as never

/** A browser's storage. It is full if `isFull` returns true. */
function openStorage(isFull: () => boolean): Storage {
  const kept = new Map<string, string>()
  return {
    get length() {
      return kept.size
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => {
      if (isFull()) throw new DOMException('exceeded the quota', 'QuotaExceededError')
      kept.set(key, value)
    },
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
  }
}

let isFull: boolean
beforeEach(() => {
  isFull = false
  vi.stubGlobal(
    'localStorage',
    openStorage(() => isFull),
  )
  vi.stubGlobal('location', { origin: 'http://page.invalid' })
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
})
afterEach(() => vi.unstubAllGlobals())

describe('a transfer that may have been signed', () => {
  it('is continued, and not called finished, if the browser’s storage was cleared', async () => {
    const phases: Phase[] = []
    const run = new TransferRun(CONFIG, [], (phase) => phases.push(phase))
    run.resume(inStep('submitting'), undefined)
    await vi.waitFor(() => expect(phases.at(-1)?.kind).toMatch(/^(problem|finished)$/), {
      timeout: HUNG_MS,
    })
    expect(phases.at(-1)).toMatchObject({ kind: 'problem', state: { order: { trackingId: ID } } })
  })

  it('goes on if the storage is full, but is not signed without a saved state', async () => {
    const kept = new KeptTransfer()
    isFull = true
    await expect(kept.save(inStep('signing'))).rejects.toThrow('quota')
    isFull = false
    await kept.save(inStep('signing'))
    isFull = true
    await kept.save(inStep('submitting'))
    // This tab has the signature. A reloaded page knows only that the wallet was asked.
    expect(kept.newest(inStep('submitting'))?.step).toBe('submitting')
    expect(readTransfer()?.step).toBe('signing')
    isFull = false
    await kept.save(inStep('deposited'))
    expect(kept.newest(inStep('submitting'))?.step).toBe('deposited')
  })
})

it('does not say that nothing was signed if the data of a signed top-up was deleted', () => {
  expect(explainBalance(new BalanceTakenError(), 'ordered').text).toContain('before it signed')
  expect(explainBalance(new BalanceTakenError(), 'signing').text).toContain('not known yet')
})
