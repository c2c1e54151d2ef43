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

const POLL_MS = 1_000
const IDLE_MS = 9_000

/**
 * Starts settlement of an empty pool. Its loops run only when they are woken. The result can count the rounds that a
 * hint causes.
 */
async function startIdle() {
  const rounds = { follow: 0, watch: 0, pay: 0, confirm: 0 }
  const due: unknown[] = []
  const pauses: number[] = []
  const head = { slot: 1n, blockHeight: 1n, unixSeconds: 0n, nextLeaf: 0n }
  const running = startSettlement({
    poseidon: wasmPoseidon,
    clock: {
      ...sleepsUntilWoken,
      sleep: (ms: number, signal?: AbortSignal) => {
        pauses.push(ms)
        return sleepsUntilWoken.sleep(ms, signal)
      },
    },
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
      // Only the pay loop lists orders with the scope `due`, and only the confirm loop with the scope `attempted`.
      listOpen: async (scope: string) => {
        if (scope === 'due') rounds.pay += 1
        if (scope === 'attempted') rounds.confirm += 1
        return scope === 'due' ? due : []
      },
    },
    pool: {},
    settings: {
      ...{ concurrency: 1, provers: 1, proofsAtOnce: 1 },
      ...{ pollMs: POLL_MS, idlePollMs: IDLE_MS, sweepMs: 60_000, upkeepMs: 60_000 },
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
  /** Returns the number of rounds of each loop that a hint causes, and the pauses after these rounds. */
  const causedBy = async (hint?: WorkHint) => {
    const before = { ...rounds }
    pauses.length = 0
    running.wake(hint)
    await settled()
    return {
      follow: rounds.follow - before.follow,
      watch: rounds.watch - before.watch,
      pay: rounds.pay - before.pay,
      confirm: rounds.confirm - before.confirm,
      // The shortest pause between two rounds of a loop doesn't matter here.
      pauses: pauses.filter((ms) => ms > 100),
    }
  }
  return { causedBy, due, stop: running.stop }
}

it('wakes only the loops that find the work of a hint', async () => {
  const { causedBy, stop } = await startIdle()
  const none = { follow: 0, watch: 0, pay: 0, confirm: 0 }
  expect(await causedBy('payment')).toMatchObject({ ...none, pay: 1 })
  expect(await causedBy('leaf')).toMatchObject({ ...none, follow: 1 })
  expect(await causedBy('deposit')).toMatchObject({ ...none, follow: 1, watch: 1 })
  expect(await causedBy()).toMatchObject({ follow: 1, watch: 1, pay: 1, confirm: 0 })
  await stop()
})

it('rarely checks for orders and attempts while no order is open, and often as soon as one is open', async () => {
  const { causedBy, due, stop } = await startIdle()
  expect(await causedBy('payment')).toMatchObject({ pay: 1, confirm: 0, pauses: [IDLE_MS] })
  // Another worker is paying this order.
  due.push({ orderId: new Uint8Array(32), attempt: { number: 1 } })
  const both = { pay: 1, confirm: 1, pauses: [POLL_MS, POLL_MS] }
  expect(await causedBy('payment')).toMatchObject(both)
  expect(await causedBy('payment')).toMatchObject({ pay: 1, confirm: 0, pauses: [POLL_MS] })
  due.length = 0
  expect(await causedBy('payment')).toMatchObject({ pay: 1, confirm: 0, pauses: [IDLE_MS] })
  await stop()
})
