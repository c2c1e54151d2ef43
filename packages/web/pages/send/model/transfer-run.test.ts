import { encodeTicket, unixSeconds, type Address } from '@sotto/protocol'
import type { Token } from '@sotto/sdk/server'
import { storedTickets, type TransferState } from '@sotto/sdk/wallet'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HUNG_MS } from '../../../../../testing/patience/hung.ts'
import {
  readTransfer,
  saveTransfer,
  setTransferAside,
  type OrderedState,
} from './saved-transfer.ts'
import type { Phase } from './transfer-phase.ts'
import { TransferRun } from './transfer-run.ts'

const SOL = 'So11111111111111111111111111111111111111112' as Address
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address
const CONFIG = { cluster: 'localnet', programId: SOL, rpcUrl: 'http://node.invalid' } as const
const ONE = `tr_${'1'.repeat(21)}A`
const OTHER = `tr_${'2'.repeat(21)}A`

/** A browser's storage for a page. */
function openStorage(): Storage {
  const kept = new Map<string, string>()
  return {
    get length() {
      return kept.size
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
  }
}

const request = {
  ...{ amount: '1000', sourceAssetId: SOL, destinationAssetId: SOL },
  ...{ senderAddress: SOL, recipientAddress: SOL },
}

/** The browser's locks. Each lock has one holder at a time. A request for a held lock waits until the lock is free. */
function openLocks() {
  const turns = new Map<string, Promise<unknown>>()
  const request = async (
    name: string,
    options: LockOptions,
    use: (lock: object | null) => Promise<unknown>,
  ): Promise<unknown> => {
    if (options.ifAvailable === true && turns.has(name)) return use(null)
    const turn = (turns.get(name) ?? Promise.resolve()).then(() => use({}))
    turns.set(name, turn)
    await turn
    if (turns.get(name) === turn) turns.delete(name)
    return undefined
  }
  return { request }
}

/** The ticket of an order. The SDK compares its program with the page's. */
const ticketOf = (trackingId: string): string =>
  encodeTicket({
    program: SOL,
    orderId: new Uint8Array(Buffer.from(trackingId.slice(3), 'base64url')),
    note: {
      ...{ nk: 7n, sender: SOL, mint: SOL, value: 10n as never },
      claim: { kind: 'transfer', recipient: SOL, amountOut: 9n as never },
      ...{ deadline: unixSeconds(1_800_000_000n), expiry: unixSeconds(1_800_003_600n) },
    },
  })

/** A transfer that may have been signed. It has only the members that the page reads before the chain answers. */
const submitting = (trackingId: string): OrderedState =>
  ({
    ...{ step: 'submitting', request, transferId: 'one', quote: {}, deadAfter: '1' },
    ...{ signature: 'x', wire: null },
    order: { trackingId, recovery: ticketOf(trackingId) },
  }) as unknown as OrderedState

const done = (trackingId: string): TransferState => ({
  ...{ step: 'done', request },
  result: { outcome: 'not_paid', trackingId, code: 'ORDER_EXPIRED' },
})

const signer = { address: SOL, signWire: async (wire: Uint8Array) => wire }

describe('a transfer of the send page', () => {
  let asked: string[]
  beforeEach(() => {
    asked = []
    vi.stubGlobal('localStorage', openStorage())
    vi.stubGlobal('location', { origin: 'http://page.invalid' })
  })
  afterEach(() => vi.unstubAllGlobals())

  const answer = (response: () => Promise<Response>) =>
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url)
      return response()
    })

  it('ignores a second click while it processes the first', async () => {
    let fail: (error: Error) => void = () => undefined
    const offline = new Promise<never>((_, reject) => (fail = reject))
    answer(() => offline)
    const phases: Phase['kind'][] = []
    const run = new TransferRun(CONFIG, [], ({ kind }) => phases.push(kind))
    for (const _click of [1, 2]) run.start(request, { quote: request } as never, signer)
    await vi.waitFor(() => expect(asked).not.toEqual([]), { timeout: HUNG_MS })
    // If the second click had started a transfer, that transfer would have requested a quote by now.
    await new Promise((resolve) => setTimeout(resolve))
    expect(asked).toEqual(['/send/api/quote'])
    fail(new TypeError('offline'))
    await vi.waitFor(() => expect(phases).toEqual(['preparing', 'problem']), { timeout: HUNG_MS })
  })

  it('shows a problem if the browser denies its storage', async () => {
    const phases: Phase[] = []
    const run = new TransferRun(CONFIG, [], (phase) => phases.push(phase))
    vi.stubGlobal('localStorage', undefined)
    run.start(request, { quote: request } as never, signer)
    await vi.waitFor(() => expect(phases.at(-1)?.kind).toBe('problem'), { timeout: HUNG_MS })
    expect(asked).toEqual([])
  })

  it('can end without an effect on a transfer in another tab', async () => {
    for (const id of [ONE, OTHER]) await saveTransfer(submitting(id))
    await saveTransfer(done(OTHER))
    expect(readTransfer()).toEqual(submitting(ONE))
    await saveTransfer(done(ONE))
    expect(readTransfer()).toBeUndefined()
    expect(localStorage.length).toBe(0)
  })

  it('keeps the ticket of a transfer that was set aside, until the chain shows how it ended', async () => {
    answer(() => Promise.reject(new TypeError('offline')))
    const tickets = storedTickets()
    await tickets.save(ONE, `ticket of ${ONE}`)
    const phases: Phase[] = []
    const run = new TransferRun(CONFIG, [], (phase) => phases.push(phase))
    await saveTransfer(submitting(ONE))
    run.resume(submitting(ONE), undefined)
    await vi.waitFor(() => expect(phases.at(-1)?.kind).toBe('problem'), { timeout: HUNG_MS })
    expect(readTransfer()).toEqual(submitting(ONE))
    run.reset()
    expect(phases.at(-1)).toEqual({ kind: 'idle' })
    expect(await tickets.list()).toEqual([ONE])
    // The page continues the other transfer first. After that, it continues the transfer that was set aside, until that
    // transfer ends.
    await saveTransfer(submitting(OTHER))
    expect(readTransfer()).toEqual(submitting(OTHER))
    await saveTransfer(done(OTHER))
    expect(readTransfer()).toEqual(submitting(ONE))
    await saveTransfer(submitting(ONE))
    await saveTransfer(done(ONE))
    expect(readTransfer()).toBeUndefined()
  })

  it('continues in turn all transfers that were set aside', async () => {
    answer(() => Promise.reject(new TypeError('offline')))
    for (const id of [ONE, OTHER]) {
      await saveTransfer(submitting(id))
      setTransferAside(submitting(id))
    }
    expect(localStorage.length).toBe(2)
    for (const id of [ONE, OTHER, ONE]) {
      expect(readTransfer()).toEqual(submitting(id))
      const phases: Phase[] = []
      const run = new TransferRun(CONFIG, [], (phase) => phases.push(phase))
      run.resume(readTransfer()!, undefined)
      await vi.waitFor(() => expect(phases.at(-1)?.kind).toBe('problem'), { timeout: HUNG_MS })
      run.reset()
    }
    expect(localStorage.length).toBe(2)
  })

  it('continues a transfer that an earlier version of the page set aside', async () => {
    localStorage.setItem(`sotto:transfer-aside:${ONE}`, JSON.stringify(submitting(ONE)))
    expect(readTransfer()).toEqual(submitting(ONE))
  })

  it.each([
    { outcome: 'closed', trackingId: ONE },
    { outcome: 'not_paid', trackingId: ONE, code: 'known_order' },
  ] as const)(
    'keeps the ticket if the chain does not show how the transfer ended ($outcome)',
    async (result) => {
      const tickets = storedTickets()
      await tickets.save(ONE, `ticket of ${ONE}`)
      const phases: Phase[] = []
      const run = new TransferRun(CONFIG, [], (phase) => phases.push(phase))
      run.resume({ step: 'done', request, result }, undefined)
      await vi.waitFor(() => expect(phases.at(-1)?.kind).toBe('done'), { timeout: HUNG_MS })
      expect(await tickets.list()).toEqual([ONE])
    },
  )

  it.each([
    [6, 6, 'shows'],
    [6, 3, 'does not show'],
    [undefined, 6, 'does not show'],
  ] as const)(
    'that a reloaded page continues: if chain and service state %s and %s decimals, it %s amounts',
    async (onChain, stated, shows) => {
      const mint = new Uint8Array(82).fill(onChain ?? 0, 44, 45).fill(1, 45, 46)
      const data = [Buffer.from(mint).toString('base64'), 'base64']
      const owner = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
      const value = [onChain === undefined ? null : { owner, data }]
      const result = { context: { slot: 1 }, value }
      answer(async () => Response.json({ jsonrpc: '2.0', id: '1', result }))
      const phases: Phase[] = []
      const tokens = [{ assetId: USDC, symbol: 'USDC', decimals: stated }] as unknown as Token[]
      const run = new TransferRun(CONFIG, tokens, (phase) => phases.push(phase))
      const settled = { kind: 'delivered', assetId: USDC, amount: '1000000' }
      const end = { outcome: 'delivered', trackingId: ONE, settlement: settled, status: null }
      const inUsdc = { ...request, sourceAssetId: USDC, destinationAssetId: USDC }
      run.resume({ step: 'done', request: inUsdc, result: end } as never, undefined)
      await vi.waitFor(() => expect(phases.at(-1)?.kind).toBe('done'), { timeout: HUNG_MS })
      expect(phases.at(-1)).toMatchObject({ tokens: shows === 'shows' ? tokens : [] })
    },
  )

  describe('that another tab runs', () => {
    /** Two tabs with the same saved transfer. The node answers neither of them until `end` is called. */
    async function twoTabs() {
      vi.stubGlobal('navigator', { locks: openLocks() })
      let end: () => void = () => undefined
      const offline = new Promise<never>((_, reject) => {
        end = () => reject(new TypeError('offline'))
      })
      answer(() => offline)
      await saveTransfer(submitting(ONE))
      const [first, second] = [[], []] as [Phase['kind'][], Phase['kind'][]]
      const tabs = [first, second].map((phases) => {
        const run = new TransferRun(CONFIG, [], ({ kind }) => phases.push(kind))
        run.resume(readTransfer()!, undefined)
        return run
      })
      await vi.waitFor(() => expect(asked).not.toEqual([]), { timeout: HUNG_MS })
      await vi.waitFor(() => expect(second).toEqual(['elsewhere']), { timeout: HUNG_MS })
      return { first, second, end, other: tabs[1]! }
    }

    it('is not run, and continues when the other tab stops', async () => {
      const { first, second, end } = await twoTabs()
      end()
      for (const phases of [first, second]) {
        await vi.waitFor(() => expect(phases.at(-1)).toBe('problem'), { timeout: HUNG_MS })
      }
    })

    it('is not run again after the other tab has ended it, and this tab says so', async () => {
      const { second, end } = await twoTabs()
      await saveTransfer(done(ONE))
      end()
      await vi.waitFor(() => expect(second.at(-1)).toBe('finished'), { timeout: HUNG_MS })
      expect(second).toEqual(['elsewhere', 'finished'])
      expect(localStorage.length).toBe(0)
    })

    it('continues in the other tab if the person begins a new transfer in this tab', async () => {
      const { first, second, other, end } = await twoTabs()
      other.reset()
      await vi.waitFor(() => expect(second.at(-1)).toBe('idle'), { timeout: HUNG_MS })
      expect(readTransfer()).toEqual(submitting(ONE))
      expect(localStorage.getItem(`sotto:transfer:${ONE}`)).not.toBeNull()
      end()
      await vi.waitFor(() => expect(first.at(-1)).toBe('problem'), { timeout: HUNG_MS })
    })
  })

  it('is not restored from foreign data in the storage', () => {
    for (const text of [
      'null',
      '{"order":null}',
      '{"state":{}}',
      '{}',
      '[]',
      '"x"',
      'x',
      '{"step":"signing"}',
    ]) {
      localStorage.setItem('sotto:transfer:x', text)
      localStorage.setItem('sotto:transfer-aside:x', text)
      expect(readTransfer()).toBeUndefined()
    }
  })
})
