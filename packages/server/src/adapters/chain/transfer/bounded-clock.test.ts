import { expect, it } from 'vitest'
import { unixSeconds } from '@sotto/protocol'
import type { Chain, ChainHead } from '../../../ports/chain.ts'
import type { Clock } from '../../../ports/clock.ts'
import { withBoundedClock } from './bounded-clock.ts'

const NOW = 1_800_000_000n

/** The times that quotes and orders use if the node's time is this many seconds ahead of the wall clock's time. */
async function timesFor(ahead: bigint) {
  const seconds = unixSeconds(NOW + ahead)
  const node = {
    readClock: async () => seconds,
    readHead: async () => ({ slot: 7n, unixSeconds: seconds }) as ChainHead,
  }
  const clock = { nowMs: () => Number(NOW) * 1_000 + 999 } as Clock
  const chain = withBoundedClock(node as unknown as Chain, clock)
  const head = await chain.readHead()
  expect(head.slot).toBe(7n)
  return [(await chain.readClock()) - NOW, head.unixSeconds - NOW]
}

it('a node that states a time far ahead makes no authorisation longer', async () => {
  expect(await timesFor(1_200n)).toEqual([0n, 0n])
  expect(await timesFor(1n)).toEqual([0n, 0n])
})

it('uses the chain’s clock if it is not ahead of the wall clock', async () => {
  expect(await timesFor(0n)).toEqual([0n, 0n])
  expect(await timesFor(-45n)).toEqual([-45n, -45n])
})
