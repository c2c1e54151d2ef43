import { expect, it } from 'vitest'
import type { FinalizedHead } from '../../ports/settlement-chain.ts'
import { AttemptAges } from './attempt-ages.ts'
import type { OpenedOrder } from '../notes/opened-order.ts'
import { recover } from './recover.ts'

/**
 * Judges an attempt at each of these finalized heights. Its record names the last valid height `last`; undefined if the
 * record can't be opened. Returns the heights at which the attempt counted as dead.
 */
async function deadAt(last: bigint | undefined, heights: readonly bigint[]): Promise<bigint[]> {
  const dead: bigint[] = []
  let height = 0n
  const d = {
    attemptAges: new AttemptAges(),
    clock: { nowMs: () => 0 },
    log: { failed: () => undefined, event: () => undefined, alert: () => undefined },
    broadcasts: { isDue: () => false },
    store: { tryMarkDead: async () => dead.push(height) > 0 },
  } as unknown as Parameters<typeof recover>[0]
  const record = { signature: '', wire: '', relayer: '', lastValidBlockHeight: `${last}` }
  const opened = {
    order: { orderId: new Uint8Array(16), attempt: { number: 1, kind: 'deliver' } },
    ...{ plan: { deliverAtMs: 0 }, note: { expiry: 9_000n }, terms: {} },
    secrets: {
      pseudonym: () => new Uint8Array(32),
      open: () => {
        if (last === undefined) throw new Error('the record is damaged')
        return new TextEncoder().encode(JSON.stringify(record))
      },
    },
  } as unknown as OpenedOrder
  for (height of heights) {
    await recover(d, opened, { blockHeight: height, unixSeconds: 0n } as FinalizedHead)
  }
  return dead
}

it('I7: an attempt is dead only when it is past its last valid height or older than any blockhash', async () => {
  expect(await deadAt(1_150n, [1_000n, 1_150n, 1_151n])).toEqual([1_151n])
  expect(await deadAt(undefined, [1_000n, 2_000n, 2_001n])).toEqual([2_001n])
})

it('an attempt does not stay live forever if a node showed a false last valid height', async () => {
  expect(await deadAt(10n ** 15n, [1_000n, 2_000n, 2_100n])).toEqual([2_100n])
})

it('an attempt does not stay live forever if the first height that was seen is false too', async () => {
  const lie = 10n ** 15n
  expect(await deadAt(lie, [lie - 1n, 1_000n, 2_000n, 2_100n])).toEqual([2_100n])
})

it('forgets the ages of the attempts of closed orders', () => {
  const ages = new AttemptAges()
  const ids = [1, 2].map((id) => new Uint8Array(16).fill(id))
  for (const id of ids) ages.isPast(id, 1, 1_000n)
  ages.forgetOthers([{ orderId: ids[0]! }])
  expect(ids.map((id) => ages.isPast(id, 1, 3_000n))).toEqual([true, false])
})
