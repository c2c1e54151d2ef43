import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HUNG_MS } from '../../../../../../testing/patience/hung.ts'
import { forgetUnpaid, forgetUnsigned } from './own-balances.ts'
import { TopUpRun, type TopUpPhase } from './top-up-run.ts'

const WALLET = 'SysvarC1ock11111111111111111111111111111111'
const CONFIG = { cluster: 'localnet', programId: WALLET, rpcUrl: 'http://node.invalid' } as const

/** The text of a balance whose top-up is at this step. */
const stored = (step: string) =>
  JSON.stringify({
    ...{ version: 1, secret: '4d', ticket: null, leafIndex: null, payments: {} },
    topUp: {
      ...{ step, transferId: 'x', quote: {}, order: { trackingId: 't' } },
      request: { senderAddress: WALLET, sourceAssetId: WALLET, amount: '5' },
    },
  })

let balances: Map<string, string>
let deleted: (string | undefined)[]
/** Runs as another tab's work, as soon as this tab has ended a transaction that only reads. */
let afterRead: () => void

function request(result?: unknown) {
  const made = { result, error: null, onsuccess: null as (() => void) | null, onerror: null }
  queueMicrotask(() => made.onsuccess?.())
  return made
}

function openTransaction(_name: string, mode: string) {
  const table = {
    get: (key: string) => request(balances.get(key)),
    getAllKeys: () => request([...balances.keys()]),
    put: (text: string, key: string) => request(void balances.set(key, text)),
    delete: (key: string) => {
      deleted.push(balances.get(key))
      return request(balances.delete(key))
    },
  }
  const transaction = {
    ...{ oncomplete: null as (() => void) | null, onabort: null, error: null },
    ...{ objectStore: () => table, abort: () => undefined },
  }
  setTimeout(() => {
    if (mode === 'readonly') afterRead()
    transaction.oncomplete?.()
  }, 1)
  return transaction
}

beforeEach(() => {
  balances = new Map()
  deleted = []
  afterRead = () => undefined
  const nothing = () => undefined
  const database = { createObjectStore: nothing, close: nothing, transaction: openTransaction }
  vi.stubGlobal('indexedDB', { open: () => request(database) })
})
afterEach(() => vi.unstubAllGlobals())

describe('a top-up that runs in another tab', () => {
  it('keeps its balance if the person leaves this tab', async () => {
    // The other tab holds the lock until the test ends.
    const locks = {
      request: (_name: string, options: LockOptions, use: (lock: null) => unknown) =>
        options.ifAvailable === true
          ? Promise.resolve(use(null))
          : new Promise((_, reject) => {
              options.signal?.addEventListener('abort', () => reject(options.signal!.reason))
            }),
    }
    vi.stubGlobal('navigator', { locks })
    balances.set('one', stored('ordered'))
    const phases: TopUpPhase['kind'][] = []
    const run = new TopUpRun(CONFIG, [], ({ kind }) => phases.push(kind))
    const signer = { address: WALLET, signWire: async (wire: Uint8Array) => wire }
    void run.resume('one', signer as never)
    await vi.waitFor(() => expect(phases.at(-1)).toBe('elsewhere'), { timeout: HUNG_MS })
    run.leave()
    await vi.waitFor(() => expect(phases.at(-1)).toBe('idle'), { timeout: HUNG_MS })
    expect([deleted, balances.has('one')]).toEqual([[], true])
  })
})

describe('an unsigned top-up', () => {
  it('is deleted', async () => {
    balances.set('one', stored('ordered'))
    expect(await forgetUnsigned('one')).toBe(true)
    expect(balances.has('one')).toBe(false)
  })

  it('is not deleted if another tab lets the wallet sign at the same time', async () => {
    balances.set('one', stored('ordered'))
    afterRead = () => void balances.set('one', stored('signing'))
    await forgetUnsigned('one')
    expect(deleted).not.toContain(stored('signing'))
  })
})

describe('a top-up that ended unpaid according to one node', () => {
  const ended = JSON.stringify({
    ...{ version: 1, secret: '4d', ticket: null, leafIndex: null, payments: {} },
    topUp: {
      step: 'done',
      request: { senderAddress: WALLET, sourceAssetId: WALLET, amount: '5' },
      result: { outcome: 'expired', trackingId: 'tr_BwcHBwcHBwcHBwcHBwcHBw', status: null },
    },
  })

  it('keeps its secret until the person removes it', async () => {
    balances.set('one', ended)
    const locks = {
      request: async (_name: string, _options: LockOptions, use: (lock: object) => unknown) =>
        use({}),
    }
    vi.stubGlobal('navigator', { locks })
    vi.stubGlobal('location', { origin: 'http://page.invalid' })
    const phases: TopUpPhase[] = []
    const run = new TopUpRun(CONFIG, [], (phase) => phases.push(phase))
    await run.resume('one', { address: WALLET } as never)
    expect(phases.at(-1)).toMatchObject({
      ...{ kind: 'problem', name: undefined },
      problem: { code: 'NOT_OPENED' },
    })
    expect(await forgetUnsigned('one')).toBe(false)
    expect(balances.get('one')).toBe(ended)
    expect(await forgetUnpaid('one')).toBe(true)
    expect(balances.has('one')).toBe(false)
  })

  it.each(['signing', 'submitting', 'deposited'])(
    'is the only kind of unfinished top-up that a person can remove: a top-up at the step %s stays',
    async (step) => {
      balances.set('one', stored(step))
      expect(await forgetUnpaid('one')).toBe(false)
      expect(balances.has('one')).toBe(true)
    },
  )
})

it('reports a problem if a top-up can’t be continued because the browser’s storage fails', async () => {
  const open = () => {
    throw new Error('the storage is broken')
  }
  vi.stubGlobal('indexedDB', { open })
  const phases: TopUpPhase[] = []
  const run = new TopUpRun(CONFIG, [], (phase) => phases.push(phase))
  await run.resume('one', undefined)
  expect(phases.at(-1)).toMatchObject({
    ...{ kind: 'problem', name: 'one' },
    problem: { text: 'the storage is broken' },
  })
})
