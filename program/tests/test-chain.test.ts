import { expect, test } from 'vitest'
import type { Address, Instruction } from '@solana/kit'
import { Chain, TRANSACTION_BYTES_MAX } from './fixtures/chain.ts'
import { START } from './fixtures/pool.ts'

const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address

test('a transaction that is too long for a cluster fails the test that sends it', async () => {
  const chain = await Chain.start(START)
  const payer = await chain.wallet()
  const memo = (length: number): Instruction => ({
    programAddress: MEMO,
    accounts: [],
    data: new Uint8Array(length).fill(65),
  })
  const empty = (await chain.send([payer], [memo(200)])).size - 200
  const most = TRANSACTION_BYTES_MAX - empty
  const longest = await chain.send([payer], [memo(most)])
  expect(longest).toMatchObject({ refusal: undefined, size: TRANSACTION_BYTES_MAX })
  await expect(chain.send([payer], [memo(most + 1)])).rejects.toThrow('1233 bytes')
  await expect(chain.simulate([payer], [memo(most + 1)])).rejects.toThrow('1233 bytes')
})
