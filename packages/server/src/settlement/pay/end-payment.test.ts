import { NATIVE_MINT } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { FoundSettlement } from '../../ports/settlement-chain.ts'
import type { Outcome } from '../../ports/settlement-store.ts'
import { confirm } from './confirm.ts'
import { FirstReadings } from './first-readings.ts'

const END = 10_000n
const CHANGE = 100n
/** A transaction that pays what the payment pays, and leaves the same. */
const EQUAL: FoundSettlement = {
  ...{ isRefund: false, changeLeaf: CHANGE, payee: NATIVE_MINT, payout: 1n },
  ...{ signature: 'settled', slot: 8n, unixSeconds: END },
}

interface Scene {
  /** The Nullifier's time. */
  readonly atSeconds: bigint
  readonly found?: FoundSettlement
  /** True if the relayer of the live attempt paid for the Nullifier. */
  readonly isSent?: boolean
}

/** How a payment out of leaf 0 ends within a month after its note was spent, in a tree that has its change. */
async function endOf({ atSeconds, found, isSent = false }: Scene): Promise<string | undefined> {
  const attempt = { signature: 'sent', wire: '', lastValidBlockHeight: '9', relayer: 'ours' }
  const opened = {
    ...{ leafIndex: 0, nullifier: 5n, leaf: 0n, changeLeaf: CHANGE, terms: {} },
    ...{ note: { mint: NATIVE_MINT, value: 9n, expiry: END + 86_400n } },
    payment: { payee: NATIVE_MINT, payout: 1n, fee: 0n, changeNk: 5n, validUntil: END },
    order: {
      ...{ orderId: new Uint8Array(16), status: 'delivering' },
      attempt: { number: 1, kind: 'deliver' },
    },
    secrets: {
      open: () => new TextEncoder().encode(JSON.stringify(attempt)),
      seal: (_id: Uint8Array, _label: string, clear: Uint8Array) => clear,
      pseudonym: () => new Uint8Array(32),
    },
  }
  let ended: string | undefined
  let now = 0n
  const d = {
    tree: { isVerified: true, leaf: (index: number) => [0n, CHANGE][index] },
    ...{ clock: { nowMs: () => 5 }, log: { alert: () => undefined, event: () => undefined } },
    chain: { findSettlement: async () => found },
    opener: {
      ...{ findBalance: () => undefined, openPayments: async () => [], openAll: async () => [] },
    },
    firstReadings: new FirstReadings(),
    store: {
      ...{ listPayments: async () => [], listOpen: async () => [] },
      findLeaves: async () => new Map([[CHANGE, 1]]),
      readCursor: async () => ({ unixSeconds: now }),
      tryComplete: async ({ to }: Outcome) => (ended ??= to) === to,
    },
  } as unknown as Parameters<typeof confirm>[0]
  const settled = { atSeconds, rentPayer: isSent ? 'ours' : 'another' }
  for (const seconds of [1n, 600n, 3_600n, 86_400n, 30n * 86_400n]) {
    now = END + seconds
    const head = { slot: 1n, blockHeight: 1n, unixSeconds: now, nextLeaf: 2n }
    if (ended === undefined) await confirm(d, opened as never, settled as never, head)
  }
  return ended
}

it('a settlement that lands by the end of the signature is the payment', async () => {
  expect(await endOf({ atSeconds: END, found: EQUAL })).toBe('delivered')
  expect(await endOf({ atSeconds: END, isSent: true })).toBe('delivered')
})

it('a settlement after the end of the signature is not the payment, even if it pays the same', async () => {
  const atSeconds = END + 1n
  expect(await endOf({ atSeconds, found: { ...EQUAL, unixSeconds: atSeconds } })).toBe('expired')
  expect(await endOf({ atSeconds, isSent: true })).toBe('expired')
  expect(await endOf({ atSeconds })).toBe('expired')
})

it('a payment that another wallet may have sent stays open as long as no node shows it', async () => {
  expect(await endOf({ atSeconds: END })).toBeUndefined()
})
