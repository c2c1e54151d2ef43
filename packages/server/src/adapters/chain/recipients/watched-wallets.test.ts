import type { Address } from '@sotto/protocol'
import { beforeEach, expect, it } from 'vitest'
import type { RawAccount } from '../../rpc/read-accounts.ts'
import { WatchedWallets } from './watched-wallets.ts'

const MINTS = ['native', 'token'] as Address[]
const assetsOf = (wallet: string, mints = MINTS) =>
  mints.map((mint) => ({
    mint,
    addresses: (mint === 'native' ? [wallet] : [wallet, `${mint} of ${wallet}`]) as Address[],
  }))
const account = (address: Address) => ({ lamports: address.length }) as unknown as RawAccount

let nowMs: number
let asked: Address[][]
let watched: WatchedWallets
beforeEach(() => {
  nowMs = 1_000_000
  asked = []
  watched = new WatchedWallets({ nowMs: () => nowMs })
})
const read = async (addresses: readonly Address[]) => {
  asked.push([...addresses])
  return addresses.map(account)
}
const wallet = (index: number) => `wallet ${index}` as Address

it('reads each account of every watched wallet once in each round', async () => {
  for (const index of [1, 2]) watched.add(wallet(index), assetsOf(wallet(index)))
  await watched.refresh(read)
  expect(asked).toEqual([['wallet 1', 'token of wallet 1', 'wallet 2', 'token of wallet 2']])
  const [native, token] = MINTS as [Address, Address]
  expect(watched.accountsOf(native, wallet(2))).toEqual([{ lamports: 8 }])
  expect(watched.accountsOf(token, wallet(2))).toEqual([{ lamports: 8 }, { lamports: 17 }])
  nowMs += 25_000
  expect(watched.accountsOf(token, wallet(2))).toBeUndefined()
})

it('drops the oldest wallets with all their assets at the limit', () => {
  for (let index = 0; index < 400; index += 1) watched.add(wallet(index), assetsOf(wallet(index)))
  const kept = Array.from({ length: 400 }, (_, index) => index).filter((index) =>
    watched.has(wallet(index)),
  )
  expect(kept).toEqual(Array.from({ length: 300 }, (_, index) => index + 100))
  for (const index of kept) {
    expect(MINTS.map((mint) => watched.watches(mint, wallet(index)))).toEqual([true, true])
  }
})

it('keeps the accounts of known assets when a wallet is watched for a new asset', async () => {
  watched.add(wallet(1), assetsOf(wallet(1)))
  await watched.refresh(read)
  const mints = [...MINTS, 'new token' as Address]
  expect([watched.lacking(MINTS), watched.lacking(mints)]).toEqual([[], ['wallet 1']])
  watched.add(wallet(1), assetsOf(wallet(1), mints))
  expect(watched.lacking(mints)).toEqual([])
  expect(watched.accountsOf(MINTS[0]!, wallet(1))).toEqual([{ lamports: 8 }])
  expect(watched.accountsOf(mints[2]!, wallet(1))).toBeUndefined()
})

it('keeps a newer answer if the answer to an older read arrives later', async () => {
  watched.add(wallet(1), assetsOf(wallet(1)))
  let answer: (accounts: undefined[]) => void = () => undefined
  const slow = watched.refresh(() => new Promise((resolve) => (answer = resolve)))
  nowMs += 1_000
  await watched.refresh(read)
  watched.add(wallet(2), assetsOf(wallet(2)))
  answer([undefined, undefined])
  await slow
  expect(watched.accountsOf(MINTS[0]!, wallet(1))).toEqual([{ lamports: 8 }])
  expect(watched.accountsOf(MINTS[0]!, wallet(2), Infinity)).toBeUndefined()
})
