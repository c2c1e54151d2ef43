import type { Address } from '@solana/kit'
import { expect, it } from 'vitest'
import { poolMints } from './pool-mints.ts'

const [SOL, USDC, OTHER] = ['sol', 'usdc', 'other'] as unknown as [Address, Address, Address]

function scene(list: () => Promise<Address[]>) {
  let nowMs = 0
  let [lists, known] = [0, [SOL]]
  const read = poolMints({
    list: async () => {
      lists += 1
      return list()
    },
    known: async () => known,
    clock: { nowMs: () => nowMs },
  })
  return {
    read,
    lists: () => lists,
    learn: (mint: Address) => (known = [...known, mint]),
    pass: (ms: number) => (nowMs += ms),
  }
}

it('returns only the mints of the database if the node refuses to list accounts', async () => {
  const { read, learn } = scene(() => Promise.reject(new Error('forbidden')))
  expect(await read()).toEqual({ mints: [SOL], areListed: false })
  learn(USDC)
  expect(await read()).toEqual({ mints: [SOL, USDC], areListed: false })
})

it('adds the mints that only the chain shows', async () => {
  const { read } = scene(async () => [OTHER, SOL])
  expect(await read()).toEqual({ mints: [SOL, OTHER], areListed: true })
})

it('lists accounts at most once in ten minutes, even if the node refuses', async () => {
  for (const list of [async () => [OTHER], () => Promise.reject(new Error('forbidden'))]) {
    const { read, lists, pass } = scene(list)
    await Promise.all([read(), read()])
    pass(599_999)
    await read()
    expect(lists()).toBe(1)
    pass(1)
    await read()
    expect(lists()).toBe(2)
  }
})

it('keeps the mints of an earlier listing if the node refuses later', async () => {
  let isForbidden = false
  const { read, pass } = scene(() =>
    isForbidden ? Promise.reject(new Error('forbidden')) : Promise.resolve([OTHER]),
  )
  await read()
  isForbidden = true
  pass(600_000)
  expect(await read()).toEqual({ mints: [SOL, OTHER], areListed: false })
})
