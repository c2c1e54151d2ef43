import { unixSeconds, type Address } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { FinalizedHead, SettlementChain } from '../../ports/settlement-chain.ts'
import { shareReads } from './share-reads.ts'

const RELAYERS = ['a', 'b'] as unknown as readonly Address[]

function setUp() {
  let nowMs = 1_000
  const asked: string[] = []
  let isDown = false
  const answer = async <T>(name: string, value: T): Promise<T> => {
    asked.push(name)
    if (isDown) throw new Error('the node is down')
    return value
  }
  const headOf = (): FinalizedHead => ({
    ...{ slot: BigInt(nowMs), blockHeight: 1n, unixSeconds: unixSeconds(1n), nextLeaf: 1n },
  })
  const chain = {
    readHead: () => answer('head', headOf()),
    readClock: () => answer('clock', BigInt(nowMs)),
    readBalances: (wallets: readonly Address[]) => answer(`balances ${wallets.join()}`, [1n, 2n]),
    readNullifiers: () => answer('nullifiers', { slot: 1n, settled: [] }),
  } as unknown as SettlementChain
  const { chain: shared, fresh } = shareReads(chain, { nowMs: () => nowMs })
  return {
    ...{ asked, shared, fresh },
    pass: (ms: number) => (nowMs += ms),
    fail: (isNow: boolean) => (isDown = isNow),
  }
}

it('shares the answers that do not depend on the order', async () => {
  const { shared, asked } = setUp()
  const one = async () => {
    await shared.readHead()
    await shared.readNullifiers([], 1n)
    await shared.readClock()
    expect(await shared.readBalances(RELAYERS)).toEqual([1n, 2n])
  }
  await Promise.all([one(), one(), one()])
  expect(asked.filter((name) => name === 'nullifiers')).toHaveLength(3)
  expect(asked.filter((name) => name !== 'nullifiers').sort()).toEqual([
    ...['balances a,b', 'clock', 'head'],
  ])
})

it('shares an answer only for a moment, and not after the clock was set back', async () => {
  const { shared, pass } = setUp()
  const first = await shared.readClock()
  const { slot } = await shared.readHead()
  pass(499)
  expect([await shared.readClock(), (await shared.readHead()).slot]).toEqual([first, slot])
  pass(501)
  expect([await shared.readClock(), (await shared.readHead()).slot]).toEqual([2_000n, 2_000n])
  pass(-10_000)
  expect([await shared.readClock(), (await shared.readHead()).slot]).toEqual([-8_000n, -8_000n])
})

it('shares the last head that was read to follow the tree', async () => {
  const { shared, fresh, asked, pass } = setUp()
  await shared.readHead()
  pass(10)
  const { slot } = await fresh.readHead()
  pass(400)
  expect((await shared.readHead()).slot).toBe(slot)
  expect(asked).toEqual(['head', 'head'])
})

it('does not share a failure with later orders', async () => {
  const { shared, fail } = setUp()
  fail(true)
  await expect(shared.readHead()).rejects.toThrow('the node is down')
  fail(false)
  expect((await shared.readHead()).slot).toBe(1_000n)
})
