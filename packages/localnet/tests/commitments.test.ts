import { address, generateKeyPairSigner, getBase64EncodedWireTransaction } from '@solana/kit'
import { expect, test } from 'vitest'
import { signTransfer } from './client.ts'
import { startStillChain } from './still-chain.ts'

const encoding = 'base64'
const commitments = ['processed', 'confirmed', 'finalized'] as const

test('a change is visible at a commitment as soon as its slot has reached that commitment', async () => {
  const { rpc, fund, pass } = await startStillChain()
  const payer = await fund()
  const other = await generateKeyPairSigner()
  const { transaction, signature } = await signTransfer(rpc, payer, other.address, 1_000_000n)
  await rpc.sendTransaction(getBase64EncodedWireTransaction(transaction), { encoding }).send()
  const status = async () =>
    (await rpc.getSignatureStatuses([signature]).send()).value[0]?.confirmationStatus
  const seen = async () => {
    const read = commitments.map(async (commitment) => {
      const { value } = await rpc.getBalance(other.address, { commitment }).send()
      return value > 0n
    })
    return Promise.all(read)
  }
  expect([await status(), await seen()]).toEqual(['processed', [true, false, false]])
  await pass(1)
  expect([await status(), await seen()]).toEqual(['confirmed', [true, true, false]])
  while ((await status()) !== 'finalized') {
    expect(await seen()).toEqual([true, true, false])
    await pass(1)
  }
  expect(await seen()).toEqual([true, true, true])
})

test('slots, heights and blockhashes follow the commitment', async () => {
  const { rpc, pass } = await startStillChain()
  for (let round = 0; round < 10; round += 1) {
    const slots = await Promise.all(
      commitments.map((commitment) => rpc.getSlot({ commitment }).send()),
    )
    const heights = await Promise.all(
      commitments.map((commitment) => rpc.getBlockHeight({ commitment }).send()),
    )
    const [processed = 0n, confirmed, finalized] = heights
    expect([confirmed, finalized]).toEqual([processed - 1n, processed - 3n])
    const { context, value } = await rpc.getLatestBlockhash({ commitment: 'finalized' }).send()
    expect(context.slot).toBe(slots[2])
    expect(value.lastValidBlockHeight).toBe((finalized ?? 0n) + 150n)
    await pass(1)
  }
})

test('the clock sysvar at finalized contains the finalized slot and its block time', async () => {
  const { rpc, pass } = await startStillChain()
  await pass(5)
  const clock = address('SysvarC1ock11111111111111111111111111111111')
  const { value } = await rpc.getAccountInfo(clock, { encoding, commitment: 'finalized' }).send()
  const data = Buffer.from(value?.data[0] ?? '', 'base64')
  const slot = data.readBigUInt64LE(0)
  expect(slot).toBe(await rpc.getSlot({ commitment: 'finalized' }).send())
  expect(data.readBigInt64LE(32)).toBe(await rpc.getBlockTime(slot).send())
})
