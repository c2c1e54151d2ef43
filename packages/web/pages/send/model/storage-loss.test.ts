import type { TransferState } from '@sotto/sdk/wallet'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HUNG_MS } from '../../../../../testing/patience/hung.ts'
import { explainBalance } from './balance/balance-problems.ts'
import { KeptTransfer } from './kept-transfer.ts'
import { readTransfer, saveTransfer, type OrderedState } from './saved-transfer.ts'
import type { Phase } from './transfer-phase.ts'
import { TransferRun } from './transfer-run.ts'
import { BalanceTakenError } from '@sotto/sdk/balance'

const SOL = 'So11111111111111111111111111111111111111112'
const CONFIG = { cluster: 'localnet', programId: SOL, rpcUrl: 'http://node.invalid' } as const
const ID = `tr_${'1'.repeat(21)}A`

const OTHER_ID = `tr_${'2'.repeat(21)}A`

const inStep = (step: TransferState['step'], trackingId = ID): OrderedState =>
  ({
    ...{ step, transferId: 'one', quote: {}, deadAfter: '1', signature: 'x', wire: null },
    request: { senderAddress: SOL, sourceAssetId: SOL, destinationAssetId: SOL },
    order: { trackingId, recovery: 'ticket' },
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

  it('is continued from its own saved state after another transfer that could not be saved', async () => {
    const kept = new KeptTransfer()
    isFull = true
    await kept.save(inStep('submitting', OTHER_ID))
    isFull = false
    // Another tab has continued this transfer meanwhile.
    await saveTransfer(inStep('deposited'))
    expect(kept.newest(inStep('signing'))?.step).toBe('deposited')
  })

  /** A tab whose transfer has stopped with a problem. */
  async function stopped(state: TransferState) {
    const phases: Phase[] = []
    const run = new TransferRun(CONFIG, [], (phase) => phases.push(phase))
    run.resume(state, undefined)
    await vi.waitFor(() => expect(phases.at(-1)?.kind).toBe('problem'), { timeout: HUNG_MS })
    return { run, phases }
  }

  it('is kept with its ticket if the storage was cleared and the person sets it aside', async () => {
    const { run, phases } = await stopped(inStep('submitting'))
    localStorage.clear()
    run.reset()
    expect(phases.at(-1)).toEqual({ kind: 'idle' })
    expect(readTransfer()).toEqual(inStep('submitting'))
  })

  it('can be left although the storage is full, and stays in the storage', async () => {
    await saveTransfer(inStep('submitting'))
    const { run, phases } = await stopped(inStep('submitting'))
    isFull = true
    run.reset()
    expect(phases.at(-1)).toEqual({ kind: 'idle' })
    expect(readTransfer()).toEqual(inStep('submitting'))
  })

  it('is shown as ended although the browser then refuses to delete its ticket', async () => {
    const result = { outcome: 'delivered', trackingId: ID, settlement: {}, status: null }
    const request = inStep('submitting').request
    localStorage.removeItem = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    const phases: Phase[] = []
    const run = new TransferRun(CONFIG, [], (phase) => phases.push(phase))
    run.resume({ step: 'done', request, result } as never, undefined)
    await vi.waitFor(() => expect(phases.at(-1)?.kind).toMatch(/^(problem|done)$/), {
      timeout: HUNG_MS,
    })
    expect(phases.at(-1)).toMatchObject({ kind: 'done', result: { outcome: 'delivered' } })
  })
})

it('does not say that nothing was signed if the data of a signed top-up was deleted', () => {
  expect(explainBalance(new BalanceTakenError(), 'ordered').text).toContain('before it signed')
  expect(explainBalance(new BalanceTakenError(), 'signing').text).toContain('not known yet')
})
