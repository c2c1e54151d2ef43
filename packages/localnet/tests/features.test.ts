import type { Address } from '@solana/kit'
import { FeatureSet } from 'litesvm'
import { expect, test } from 'vitest'
import { startStillChain } from './still-chain.ts'

const FEATURE_PROGRAM = 'Feature111111111111111111111111111111111111' as Address
const POSEIDON = 'FL9RsQA6TVUoh5xJQ9d936RHSebA1NLQqe3Zv9sXZRpr' as Address
const encoding = 'base64'

test('every feature of the runtime has an account that shows it as active', async () => {
  const { rpc } = await startStillChain()
  const { value } = await rpc.getAccountInfo(POSEIDON, { encoding }).send()
  expect(value?.owner).toBe(FEATURE_PROGRAM)
  expect(Buffer.from(value!.data[0], 'base64')).toEqual(Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 0]))
  expect(value?.lamports).toBe(await rpc.getMinimumBalanceForRentExemption(9n).send())
  const listed = await rpc.getProgramAccounts(FEATURE_PROGRAM, { encoding }).send()
  expect(listed).toHaveLength(FeatureSet.allEnabled().getActiveFeaturesCount())
})
