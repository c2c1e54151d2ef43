import { encodeTicket, ownerOf, unixSeconds, type Address } from '@sotto/protocol'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { restoreFile } from './restore-file.ts'

const WALLET = 'SysvarC1ock11111111111111111111111111111111' as Address
const CONFIG = { cluster: 'localnet', programId: WALLET, rpcUrl: 'http://node.invalid' } as const
const SECRET = 77n

const orderId = new Uint8Array(16).fill(7)
const note = {
  ...{ nk: 5n, sender: WALLET, mint: WALLET, value: 5n as never },
  claim: { kind: 'balance', owner: ownerOf(SECRET) },
  ...{ deadline: unixSeconds(1_800_000_000n), expiry: unixSeconds(1_800_086_400n) },
} as const
const ticketOf = (secret?: bigint, id = orderId) =>
  encodeTicket({ program: WALLET, orderId: id, note, ...(secret === undefined ? {} : { secret }) })

/** The text of a balance whose top-up may have been signed. */
const unfinished = JSON.stringify({
  ...{ version: 1, secret: '4d', ticket: null, leafIndex: null, payments: {} },
  topUp: {
    ...{ step: 'submitting', transferId: 'x', quote: {} },
    order: { trackingId: 'tr_BwcHBwcHBwcHBwcHBwcHBw', recovery: ticketOf() },
    request: { senderAddress: WALLET, sourceAssetId: WALLET, amount: '5' },
  },
})

let balances: Map<string, string>
const asking = (result?: unknown) => {
  const made = { result, error: null, onsuccess: null as (() => void) | null, onerror: null }
  queueMicrotask(() => made.onsuccess?.())
  return made
}
const openTransaction = () => {
  const table = {
    get: (key: string) => asking(balances.get(key)),
    getAllKeys: () => asking([...balances.keys()]),
    put: (text: string, key: string) => asking(void balances.set(key, text)),
  }
  const made = { oncomplete: null as (() => void) | null, onabort: null, error: null }
  setTimeout(() => transaction.oncomplete?.(), 1)
  const transaction = { ...made, objectStore: () => table, abort: () => undefined }
  return transaction
}

let asked: number
beforeEach(() => {
  asked = 0
  balances = new Map([['one', unfinished]])
  const nothing = () => undefined
  const database = { createObjectStore: nothing, close: nothing, transaction: openTransaction }
  vi.stubGlobal('indexedDB', { open: () => asking(database) })
  vi.stubGlobal('location', { origin: 'http://page.invalid' })
  vi.stubGlobal('fetch', async () => {
    asked += 1
    throw new TypeError('offline')
  })
})
afterEach(() => vi.unstubAllGlobals())

it('continues the top-up if its file is opened in the browser that has not finished it', async () => {
  const restored = await restoreFile(CONFIG, new Blob([`${ticketOf(SECRET)}\n`]))
  expect(restored).toEqual({ kind: 'unfinished', name: 'one' })
  expect([...balances.keys()]).toEqual(['one'])
  expect(asked).toBe(0)
})

it('reads the chain for the file of another top-up', async () => {
  const other = ticketOf(SECRET, new Uint8Array(16).fill(8))
  expect(await restoreFile(CONFIG, new Blob([other]))).toMatchObject({ kind: 'failed' })
  expect(asked).toBeGreaterThan(0)
})
