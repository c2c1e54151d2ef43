import { wasmPoseidon } from '@sotto/poseidon'
import { expect, it } from 'vitest'
import { startSettlement, type SettlementDependencies } from './start-settlement.ts'

it('a deposit is seen even while following the chain fails', async () => {
  const seen: bigint[] = []
  let tellSeen = (): void => undefined
  const isSeen = new Promise<void>((resolve) => (tellSeen = resolve))
  const failures: string[] = []
  const running = startSettlement({
    poseidon: wasmPoseidon,
    // Each loop runs only one round, so each step fails at most once.
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
    chain: { readConfirmedLeaves: async () => [7n] },
    store: {
      openCursor: async () => {
        throw new Error('following fails')
      },
      markSeen: async (leaves: readonly bigint[]) => void seen.push(...leaves),
      listSeen: async () => [],
    },
    pool: {},
    settings: {
      concurrency: 1,
      usualDelay: { minDelaySeconds: 0, meanSeconds: 300, maxDelaySeconds: 1_800 },
    },
  } as unknown as SettlementDependencies)
  await isSeen
  await running.stop()
  expect(failures).toContain('follow')
  expect(seen).toEqual([7n])
})
