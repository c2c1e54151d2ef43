import { generateKeyPairSigner } from '@solana/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Localnet, startLocalnet } from '../index.ts'
import { connect, signTransfer } from './client.ts'

let localnet: Localnet
let client: ReturnType<typeof connect>

beforeAll(async () => {
  localnet = await startLocalnet({ port: 0, slotMs: 40 })
  client = connect(localnet)
})

afterAll(() => localnet.stop())

test('a confirmed transfer moves exactly the amount and the fee', async () => {
  const payer = await client.fund(1_000_000_000n)
  const other = await generateKeyPairSigner()
  const { transaction } = await signTransfer(client.rpc, payer, other.address, 2_500_000n)
  await client.sendAndConfirm(transaction, { commitment: 'confirmed' })
  expect(await client.balanceOf(other.address)).toBe(2_500_000n)
  expect(await client.balanceOf(payer.address)).toBe(1_000_000_000n - 2_500_000n - 5_000n)
})

test('a subscription and the status both report finalization', async () => {
  const payer = await client.fund()
  const { transaction, signature } = await signTransfer(client.rpc, payer, payer.address, 1n)
  await client.sendAndConfirm(transaction, { commitment: 'finalized' })
  const { value } = await client.rpc.getSignatureStatuses([signature]).send()
  expect(value[0]).toMatchObject({
    confirmationStatus: 'finalized',
    confirmations: null,
    err: null,
  })
})
