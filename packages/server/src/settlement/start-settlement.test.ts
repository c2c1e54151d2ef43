import { expect, it } from 'vitest'
import { poseidonLite } from '../adapters/poseidon/poseidon-lite.ts'
import { startSettlement, type SettlementDependencies } from './start-settlement.ts'

it('a deposit is seen while following the chain fails', async () => {
  const order = new Uint8Array(16).fill(7)
  const seen: Uint8Array[] = []
  let tellSeen = (): void => undefined
  const isSeen = new Promise<void>((resolve) => (tellSeen = resolve))
  const failures: string[] = []
  const running = startSettlement({
    poseidon: poseidonLite,
    // No loop runs a second round, so each fails at most once.
    clock: {
      nowMs: () => 0,
      sleep: (_ms: number, signal?: AbortSignal) =>
        new Promise<void>((resolve) => {
          if (signal?.aborted === true) resolve()
          signal?.addEventListener('abort', () => resolve())
        }),
    },
    log: {
      event: () => undefined,
      alert: () => undefined,
      failed: (step: string) => {
        failures.push(step)
        if (step === 'follow') setImmediate(tellSeen)
      },
    },
    chain: { readOrdersSeen: async () => [true] },
    store: {
      openCursor: async () => {
        throw new Error('following fails')
      },
      listUnseen: async () => [order],
      markSeen: async (orders: readonly Uint8Array[]) => void seen.push(...orders),
    },
    pool: {},
    settings: { concurrency: 1 },
  } as unknown as SettlementDependencies)
  await isSeen
  await running.stop()
  expect(failures).toContain('follow')
  expect(seen).toEqual([order])
})
