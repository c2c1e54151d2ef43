import {
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  isSolanaError,
  SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
} from '@solana/kit'
import { expect, test } from 'vitest'
import { signTransfer } from './client.ts'
import { expectFailure } from './rpc-failure.ts'
import { startStillChain } from './still-chain.ts'

const encoding = 'base64'

test('a blockhash is valid exactly up to its last valid block height', async () => {
  const { rpc, fund, pass, balanceOf } = await startStillChain()
  const payer = await fund()
  const other = await generateKeyPairSigner()
  const early = await signTransfer(rpc, payer, other.address, 1_000_000n)
  const late = await signTransfer(rpc, payer, other.address, 2_000_000n)
  const { lastValidBlockHeight } = early.transaction.lifetimeConstraint
  const height = () => rpc.getBlockHeight({ commitment: 'processed' }).send()
  while ((await height()) < lastValidBlockHeight) await pass(1)
  expect(await height()).toBe(lastValidBlockHeight)
  const preflightCommitment = 'processed'
  const send = (wire: Parameters<typeof rpc.sendTransaction>[0], skipPreflight = false) =>
    rpc.sendTransaction(wire, { encoding, preflightCommitment, skipPreflight }).send()
  // Preflight refuses a blockhash six blocks before its expiry, but a block still accepts the transaction.
  await expectFailure(send(getBase64EncodedWireTransaction(early.transaction)), -32002)
  await send(getBase64EncodedWireTransaction(early.transaction), true)
  expect(await balanceOf(other.address)).toBe(1_000_000n)
  await pass(1)
  const wire = getBase64EncodedWireTransaction(late.transaction)
  const failure = await expectFailure(send(wire), -32002)
  const code = SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND
  expect(isSolanaError(failure.cause, code)).toBe(true)
  await rpc.sendTransaction(wire, { encoding, skipPreflight: true }).send()
  expect(await balanceOf(other.address)).toBe(1_000_000n)
  const { blockhash } = late.transaction.lifetimeConstraint
  expect((await rpc.isBlockhashValid(blockhash, { commitment: 'processed' }).send()).value).toBe(
    false,
  )
})

test('a client that waits for a transaction gets an error after the expiry', async () => {
  const { rpc, fund, pass, sendAndConfirm, call } = await startStillChain()
  const payer = await fund()
  const { transaction } = await signTransfer(rpc, payer, payer.address, 1n)
  await call('localnet_setFaults', [{ drop: 1 }])
  const waiting = sendAndConfirm(transaction, { commitment: 'confirmed' }).then(
    () => null,
    (error: unknown) => error,
  )
  const failure = await Promise.race([waiting, passUntilSettled(waiting, pass)])
  expect(isSolanaError(failure, SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED)).toBe(true)
})

test('localnet_advanceTime moves slots, heights and the block time together', async () => {
  const { rpc, call } = await startStillChain()
  const slotBefore = await rpc.getSlot({ commitment: 'processed' }).send()
  const heightBefore = await rpc.getBlockHeight({ commitment: 'processed' }).send()
  const timeBefore = await rpc.getBlockTime(slotBefore).send()
  const result = (await call('localnet_advanceTime', [86_400])) as { unixTimestamp: number }
  const slot = await rpc.getSlot({ commitment: 'processed' }).send()
  const height = await rpc.getBlockHeight({ commitment: 'processed' }).send()
  expect(slot - slotBefore).toBeGreaterThanOrEqual(1_440n)
  expect(height - heightBefore).toBeLessThan(slot - slotBefore)
  expect(height).toBeLessThan(slot)
  expect(result.unixTimestamp - Number(timeBefore)).toBeGreaterThanOrEqual(86_400)
  expect(Number(await rpc.getBlockTime(slot).send())).toBe(result.unixTimestamp)
  await expectFailure(rpc.getBlockTime((slot / 8n) * 8n - 3n).send(), -32007)
})

async function passUntilSettled(
  waiting: Promise<unknown>,
  pass: (slots: number) => Promise<unknown>,
): Promise<unknown> {
  let isSettled = false
  void waiting.finally(() => {
    isSettled = true
  })
  while (!isSettled) await pass(40)
  return waiting
}
