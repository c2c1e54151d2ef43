import { unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { ChainHead } from '../../ports/chain.ts'
import { readOrderHead } from './read-order-head.ts'

const FINAL = unixSeconds(1_000n)

/** A chain whose cached head and newest head have these times. */
function chainAt(cached: bigint, newest: bigint) {
  const ages: (number | undefined)[] = []
  const readHead = async (ageMaxMs?: number) => {
    ages.push(ageMaxMs)
    return { unixSeconds: unixSeconds(ageMaxMs === undefined ? newest : cached) } as ChainHead
  }
  return { ages, readHead }
}

it('an order starts at a recent head', async () => {
  const chain = chainAt(1_000n, 1_001n)
  expect((await readOrderHead(chain, FINAL)).unixSeconds).toBe(1_000n)
  expect(chain.ages).toEqual([250])
})

it('no order starts before a final time of the chain', async () => {
  const leaping = chainAt(999n, 1_240n)
  expect((await readOrderHead(leaping, FINAL)).unixSeconds).toBe(1_240n)
  await expect(readOrderHead(chainAt(760n, 999n), FINAL)).rejects.toMatchObject({
    code: 'UPSTREAM_UNAVAILABLE',
  })
})
