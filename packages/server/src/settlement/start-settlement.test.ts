import { wasmPoseidon } from '@sotto/poseidon'
import { expect, it } from 'vitest'
import type { WorkHint } from '../domain/work-hint.ts'
import { startSettlement, type SettlementDependencies } from './start-settlement.ts'

/** A clock whose short sleeps end at once, and whose long sleeps end only when a loop is woken or stopped. */
const sleepsUntilWoken = {
  nowMs: () => 0,
  sleep: (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (ms <= 100 || signal?.aborted === true) resolve()
      signal?.addEventListener('abort', () => resolve())
    }),
}

it('marks a deposit as seen even while following the chain fails', async () => {
  const seen: bigint[] = []
  let tellSeen = (): void => undefined
  const isSeen = new Promise<void>((resolve) => (tellSeen = resolve))
  const failures: string[] = []
  const running = startSettlement({
    poseidon: wasmPoseidon,
    // Each loop runs only one round, so each step fails at most once.
    clock: sleepsUntilWoken,
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
      ...{ concurrency: 1, pollMs: 1_000, sweepMs: 1_000, upkeepMs: 1_000 },
      usualDelay: { minDelaySeconds: 0, meanSeconds: 300, maxDelaySeconds: 1_800 },
    },
  } as unknown as SettlementDependencies)
  await isSeen
  await running.stop()
  expect(failures).toContain('follow')
  expect(seen).toEqual([7n])
})

/**
 * Starts settlement of an empty pool. Its loops run only when they are woken. The result can count the rounds that a
 * hint causes.
 */
async function startIdle() {
  const rounds = { follow: 0, watch: 0, pay: 0 }
  const head = { slot: 1n, blockHeight: 1n, unixSeconds: 0n, nextLeaf: 0n }
  const running = startSettlement({
    poseidon: wasmPoseidon,
    clock: sleepsUntilWoken,
    log: { event: () => undefined, alert: () => undefined, failed: () => undefined },
    chain: {
      readConfirmedLeaves: async () => {
        rounds.watch += 1
        return []
      },
      readHead: async () => head,
    },
    store: {
      openCursor: async () => void (rounds.follow += 1),
      readLeaves: async () => [],
      readCursor: async () => ({ nextLeaf: 0n, slot: 0n, unixSeconds: 0n, followedAtMs: 0 }),
      readAwaiting: async () => [],
      listArrived: async () => [],
      tryRecord: async () => true,
      listSeen: async () => [],
      listUnlocated: async () => [],
      listPayments: async () => [],
      // Only the pay loop lists orders with the scope `due`.
      listOpen: async (scope: string) => {
        if (scope === 'due') rounds.pay += 1
        return []
      },
    },
    pool: {},
    settings: {
      ...{ concurrency: 1, provers: 1, proofsAtOnce: 1 },
      ...{ pollMs: 1_000, sweepMs: 1_000, upkeepMs: 1_000 },
      usualDelay: { minDelaySeconds: 0, meanSeconds: 300, maxDelaySeconds: 1_800 },
    },
  } as unknown as SettlementDependencies)
  const settled = async () => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  }
  await settled()
  // In its first round after the tree is verified, the pay loop lists all orders. Later it lists only due orders.
  running.wake()
  await settled()
  /** Returns the number of rounds of each loop that a hint causes. */
  const causedBy = async (hint?: WorkHint) => {
    const before = { ...rounds }
    running.wake(hint)
    await settled()
    return {
      follow: rounds.follow - before.follow,
      watch: rounds.watch - before.watch,
      pay: rounds.pay - before.pay,
    }
  }
  return { causedBy, stop: running.stop }
}

it('wakes only the loops that find the work of a hint', async () => {
  const { causedBy, stop } = await startIdle()
  expect(await causedBy('payment')).toEqual({ follow: 0, watch: 0, pay: 1 })
  expect(await causedBy('leaf')).toEqual({ follow: 1, watch: 0, pay: 0 })
  expect(await causedBy('deposit')).toEqual({ follow: 1, watch: 1, pay: 0 })
  expect(await causedBy()).toEqual({ follow: 1, watch: 1, pay: 1 })
  await stop()
})
