import { NATIVE_MINT, amount, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { FoundSettlement, SettledNote } from '../../ports/settlement-chain.ts'
import type { Outcome } from '../../ports/settlement-store.ts'
import { confirm } from './confirm.ts'
import { FirstReadings } from '../notes/first-readings.ts'

const EXPIRY = 10_000n
const NOW = 5_000n
/** The transaction of a payment that appended this leaf. */
const transaction = (changeLeaf: bigint): FoundSettlement => ({
  ...{ isRefund: false, changeLeaf, signature: 'settled', slot: 8n },
  ...{ unixSeconds: unixSeconds(900n), payee: NATIVE_MINT, payout: amount(1n) },
})
const settledAt = (atSeconds: bigint) => ({ atSeconds, rentPayer: 'p' }) as SettledNote

it('keeps a payment open while its balance cannot be opened', async () => {
  const balanceId = new Uint8Array(16).fill(9)
  const secrets = { seal: (_id: Uint8Array, _label: string, clear: Uint8Array) => clear }
  const note = { mint: NATIVE_MINT, value: 9n, deadline: 0n, expiry: EXPIRY }
  const spent = { nullifier: 0n, note, secrets, leafIndex: 0 }
  const sealedPlan = new Uint8Array([1])
  const balance = {
    ...{ ...spent, terms: { owner: 'key' }, plan: { deliverAtMs: 0 } },
    order: { orderId: balanceId, sealedPlan },
  }
  const payment = {
    ...{ ...spent, terms: {}, leaf: 0n, changeLeaf: 100n, balanceId },
    order: { orderId: new Uint8Array(16), status: 'delivering', attempt: undefined },
    payment: { payee: NATIVE_MINT, payout: 1n, fee: 0n, changeNk: 5n, validUntil: 1_200n },
  }
  const ended: Outcome[] = []
  let isReadable = false
  const d = {
    tree: { isVerified: true, leaf: (index: number) => [0n, 100n][index] },
    ...{ clock: { nowMs: () => 5 }, log: { event: () => undefined } },
    firstReadings: new FirstReadings(),
    chain: { findSettlement: async () => transaction(100n) },
    opener: {
      findBalance: () => undefined,
      openPayments: async () => [],
      openAll: async () => (isReadable ? [balance] : []),
    },
    store: {
      ...{ listPayments: async () => [], listOpen: async () => [balance.order] },
      findLeaves: async () => new Map([[100n, 1]]),
      readCursor: async () => ({ slot: 8n, unixSeconds: 900n }),
      tryComplete: async (outcome: Outcome) => ended.push(outcome) > 0,
    },
  } as unknown as Parameters<typeof confirm>[0]
  const head = { slot: 1n, blockHeight: 1n, unixSeconds: unixSeconds(NOW), nextLeaf: 0n }
  const end = () => confirm(d, payment as never, settledAt(900n), head)
  await expect(end()).rejects.toThrow('cannot be opened now')
  expect(ended).toEqual([])
  isReadable = true
  await end()
  expect(ended).toMatchObject([
    { to: 'delivered', paidFrom: { orderId: balanceId, plan: sealedPlan } },
  ])
})
