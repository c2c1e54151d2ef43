import type { Address } from '@sotto/protocol'
import { beforeEach, expect, it } from 'vitest'
import type { Chain } from '../../../ports/chain.ts'
import type { Clock } from '../../../ports/clock.ts'
import { withRecipientCache } from './recipient-cache.ts'

const [MINT, OTHER_MINT] = ['mint', 'other mint'] as Address[] as [Address, Address]

let nowMs = 1_000_000
let asked: string[] = []
beforeEach(() => {
  nowMs = 1_000_000
  asked = []
})

const open = () => {
  const readRecipient = async (mint: Address, wallet: Address) => {
    asked.push(`${mint} ${wallet}`)
    if (wallet.startsWith('unlucky') && asked.length === 1) throw new Error('the node is down')
    return asked.length === 1 ? 'absent' : 'payable'
  }
  const chain = { readRecipient } as unknown as Chain
  const cached = withRecipientCache(chain, { nowMs: () => nowMs } as Clock)
  return async (wallet: string, mint = MINT, account = 'one') =>
    cached.readRecipient(mint, wallet as Address, account)
}

it('sends one request for simultaneous callers', async () => {
  const read = open()
  await Promise.all(Array.from({ length: 50 }, () => read('wallet')))
  expect(asked).toHaveLength(1)
  nowMs += 10_000
  await Promise.all(Array.from({ length: 50 }, () => read('wallet')))
  expect(asked).toHaveLength(2)
})

it('renews an answer in the second half of its lifetime', async () => {
  const read = open()
  expect(await read('wallet')).toBe('absent')
  nowMs += 5_000
  expect(await Promise.all([read('wallet'), read('wallet')])).toEqual(['absent', 'absent'])
  await new Promise(setImmediate)
  expect(await read('wallet')).toBe('payable')
  expect(asked).toHaveLength(2)
})

it('caches each pair of wallet and asset separately, but never a failure', async () => {
  const read = open()
  await expect(read('unlucky')).rejects.toThrow('down')
  expect(await read('unlucky')).toBe('payable')
  await read('unlucky', OTHER_MINT)
  await read('another')
  expect(asked).toEqual(['mint unlucky', 'mint unlucky', 'other mint unlucky', 'mint another'])
})

it('sends a request for each account that asks', async () => {
  const read = open()
  await read('wallet')
  await read('wallet', MINT, 'two')
  await read('wallet', MINT, 'two')
  expect(asked).toHaveLength(2)
})

it('caches only a limited number of answers', async () => {
  const read = open()
  for (let index = 0; index <= 10_000; index += 1) await read(`wallet ${index}`)
  await read('wallet 10000')
  expect(asked).toHaveLength(10_001)
  await read('wallet 0')
  expect(asked).toHaveLength(10_002)
})
