import { beforeEach, expect, it } from 'vitest'
import type { Chain, ChainHead } from '../../../ports/chain.ts'
import type { Clock } from '../../../ports/clock.ts'
import { withHeadCache } from './head-cache.ts'

let nowMs = 1_000_000
let asked = 0
let isDown = false
beforeEach(() => {
  nowMs = 1_000_000
  asked = 0
  isDown = false
})

const open = () => {
  const readHead = async () => {
    asked += 1
    if (isDown) throw new Error('the node is down')
    return { slot: BigInt(asked) } as ChainHead
  }
  return withHeadCache({ readHead } as unknown as Chain, { nowMs: () => nowMs } as Clock)
}
const slotOf = async (chain: Chain, ageMaxMs?: number) => (await chain.readHead(ageMaxMs)).slot

it('shares a head only while it is recent enough for the caller', async () => {
  const chain = open()
  expect(await Promise.all([slotOf(chain, 250), slotOf(chain, 250)])).toEqual([1n, 1n])
  nowMs += 249
  expect(await slotOf(chain, 250)).toBe(1n)
  nowMs += 1
  expect(await slotOf(chain, 250)).toBe(2n)
})

it('reads a new head if the caller needs the newest head or the clock was set back', async () => {
  const chain = open()
  await slotOf(chain, 250)
  expect(await slotOf(chain)).toBe(2n)
  nowMs -= 1
  expect(await slotOf(chain, 250)).toBe(3n)
})

it('does not cache a failure', async () => {
  const chain = open()
  isDown = true
  await expect(slotOf(chain, 250)).rejects.toThrow('down')
  isDown = false
  expect(await slotOf(chain, 250)).toBe(2n)
})

it('requests the next head in advance, and uses the last head until then', async () => {
  const chain = open()
  await slotOf(chain, 250)
  nowMs += 124
  await slotOf(chain, 250)
  expect(asked).toBe(1)
  nowMs += 1
  expect(await Promise.all([slotOf(chain, 250), slotOf(chain, 250)])).toEqual([1n, 1n])
  expect(asked).toBe(2)
  expect(await slotOf(chain, 250)).toBe(2n)
  nowMs += 249
  expect(await slotOf(chain, 250)).toBe(2n)
})

it('reports a failure to read the next head only if the last head is too old', async () => {
  const chain = open()
  await slotOf(chain, 250)
  nowMs += 200
  isDown = true
  expect(await slotOf(chain, 250)).toBe(1n)
  nowMs += 50
  await expect(slotOf(chain, 250)).rejects.toThrow('down')
})
