import { expect, it } from 'vitest'
import type { Lease, PayStore } from '../../ports/settlement-store.ts'
import { keepLease, underLease } from './keep-lease.ts'

const LEASE_MS = 8_000
const lease: Lease = { orderId: new Uint8Array(16), fence: 3n }

/** A clock that the test advances. `seen` records the renewals and the release of the lease. */
function bench(isRenewable: () => boolean = () => true) {
  let nowMs = 0
  const sleepers = new Set<{ readonly untilMs: number; readonly wake: () => void }>()
  const seen: string[] = []
  const clock = {
    nowMs: () => nowMs,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        // Like the real clock, it removes its listener from the signal when a sleep ends.
        const wake = () => {
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        sleepers.add({ untilMs: nowMs + ms, wake })
        signal?.addEventListener('abort', wake)
      }),
  }
  const store = {
    tryRenew: async (_: Lease, untilMs: number) => {
      seen.push(`renew ${untilMs}`)
      return isRenewable()
    },
    release: async () => void seen.push('release'),
  } as Partial<PayStore> as PayStore
  const log = {
    alert: () => undefined,
    failed: (step: string) => seen.push(`failed ${step}`),
    event: () => undefined,
  }
  return {
    ...{ clock, store, log, leaseMs: LEASE_MS, seen },
    advance: async (ms: number) => {
      nowMs += ms
      for (const one of [...sleepers].filter(({ untilMs }) => untilMs <= nowMs)) {
        sleepers.delete(one)
        one.wake()
      }
      // Gives all woken code time to run until its next wait.
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

it('renews a lease during the work, and releases it afterwards', async () => {
  const b = bench()
  let finish = () => undefined as void
  const kept = keepLease(b, lease, () => new Promise((resolve) => (finish = resolve)))
  await b.advance(2_000)
  await b.advance(2_000)
  expect(b.seen).toEqual(['renew 10000', 'renew 12000'])
  finish()
  await kept
  expect(b.seen.at(-1)).toBe('release')
})

it('tries a failed renewal again, but stops when the lease is lost', async () => {
  const answers = [() => Promise.reject(new Error('cut off')), async () => true, async () => false]
  const b = bench()
  const next = () => answers.shift()!()
  const store = { ...b.store, tryRenew: next }
  let finish = () => undefined as void
  const kept = keepLease({ ...b, store }, lease, () => new Promise((r) => (finish = r)))
  for (let count = 0; count < 6; count += 1) await b.advance(2_000)
  expect([answers.length, b.seen]).toEqual([0, ['failed renew_lease']])
  finish()
  await kept
})

it('stops renewing the lease of hanging work', async () => {
  const b = bench()
  void keepLease(b, lease, () => new Promise(() => undefined))
  for (let count = 0; count < 200; count += 1) await b.advance(2_000)
  const renewed = b.seen.length
  await b.advance(100_000)
  expect(b.seen).toHaveLength(renewed)
  expect(renewed).toBeGreaterThan(10)
})

it('releases a lease and passes on the failure if the work fails', async () => {
  const b = bench()
  const failing = keepLease(b, lease, () => Promise.reject(new Error('no proof')))
  await expect(failing).rejects.toThrow('no proof')
  expect(b.seen).toEqual(['release'])
})

it('does no work if another worker has replaced the plan', async () => {
  const b = bench()
  const read = new Uint8Array([7])
  const order = { orderId: lease.orderId, epoch: 1, sealedPlan: read }
  const worked: string[] = []
  const workBy = (plan: Uint8Array) => {
    const store = { ...b.store, tryClaim: async () => ({ ...lease, epoch: 1, plan }) }
    const work = async () => void worked.push(`by ${plan[0]}`)
    return underLease({ ...b, store, workerId: 'worker' }, order, work)
  }
  // Since the plan was read, another worker has tried, failed, and stored a new plan with a pause.
  await workBy(new Uint8Array([8]))
  expect([worked, b.seen]).toEqual([[], ['release']])
  await workBy(new Uint8Array([7]))
  expect(worked).toEqual(['by 7'])
})
