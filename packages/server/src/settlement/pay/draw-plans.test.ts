import { unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { systemRandom } from '../../adapters/random/system-random.ts'
import { decodePlan, encodeTerms } from '../../domain/order-secrets.ts'
import { drawPlans } from './draw-plans.ts'

const NOW = 1_700_000_000n
const NOW_MS = 1_000 * Number(NOW)
const UNPLANNED = new Uint8Array(0)

/**
 * Returns the milliseconds from now to the delivery time, which is drawn late. The worker's wall clock is ahead by
 * `aheadMs`, and the cursor's clock lags the chain by `cursorAge` seconds.
 */
async function drawnMs(aheadMs: number, cursorAge: bigint): Promise<number> {
  const drawn: number[] = []
  const same = (_id: Uint8Array, _column: string, bytes: Uint8Array) => bytes
  const terms = { accountExisted: true, minDelaySeconds: 600, maxDelaySeconds: 1_800 }
  const order = {
    ...{ orderId: new Uint8Array(16), epoch: 0, expiry: unixSeconds(NOW + 3_600n) },
    ...{ status: 'deposited', sealedPlan: UNPLANNED },
    sealedTerms: encodeTerms({ ...terms, recipient: '' as never }),
  }
  await drawPlans({
    ...{ random: systemRandom, delayLaw: { meanSeconds: 300, spreadSeconds: 1_800 } },
    ...{ workerId: 'worker', leaseMs: 1_000, clockMarginSeconds: 120n },
    clock: { nowMs: () => NOW_MS + aheadMs, sleep: async () => undefined },
    log: { alert: () => undefined, failed: () => undefined, event: () => undefined },
    chain: { readHead: async () => ({ unixSeconds: unixSeconds(NOW) }) },
    secrets: { read: async () => ({ open: same, seal: same }) },
    store: {
      listOpen: async () => [order],
      readCursor: async () => ({ unixSeconds: unixSeconds(NOW - cursorAge) }),
      tryClaim: async () => ({ epoch: 0, plan: UNPLANNED }),
      tryRenew: async () => true,
      release: async () => undefined,
      tryReplacePlan: async (_lease: unknown, sealed: Uint8Array) =>
        drawn.push(decodePlan(sealed).deliverAtMs) > 0,
    },
  } as never)
  const [deliverAtMs = NaN] = drawn
  return deliverAtMs - NOW_MS
}

it('draws a late plan within the delays that were asked for, although the wall clock is ahead', async () => {
  expect(await drawnMs(3_600_000, 0n)).toBeLessThanOrEqual(1_800_000 + 120_000)
})

it('starts the delay of a late plan now, although the cursor is hours old', async () => {
  for (const aheadMs of [0, 3_600_000]) {
    expect(await drawnMs(aheadMs, 10_000n)).toBeGreaterThanOrEqual(600_000)
  }
})
