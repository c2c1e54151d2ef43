import { generateKeyPairSigner, getBase64EncodedWireTransaction, lamports } from '@solana/kit'
import type { Signature } from '@solana/kit'
import { expect, test } from 'vitest'
import { startProcess } from './chain-process.ts'
import { connect, signTransfer } from './client.ts'
import { temporaryFolder } from './temporary-folder.ts'

const ROUNDS = 3
const TRANSFERS = 40
const AMOUNT = 1_000_000n

test('a process killed in mid-traffic has forgotten nothing that it answered', async () => {
  const dataFolder = temporaryFolder()
  const args = ['--data', dataFolder, '--slot-ms', '40']
  const payer = await generateKeyPairSigner()
  const other = await generateKeyPairSigner()
  const answered: Signature[] = []
  let lastSlot = 0n
  for (let round = 0; round < ROUNDS; round += 1) {
    const { endpoints, end } = await startProcess(args)
    const { rpc, balanceOf } = connect(endpoints)
    if (round === 0) {
      await rpc.requestAirdrop(payer.address, lamports(10_000_000_000n)).send()
    }
    const slot = await rpc.getSlot({ commitment: 'processed' }).send()
    expect(slot).toBeGreaterThan(lastSlot)
    await expectLanded(rpc, answered)
    expect(await balanceOf(other.address)).toBeGreaterThanOrEqual(BigInt(answered.length) * AMOUNT)
    let answeredNow = 0
    const traffic = Array.from({ length: TRANSFERS }, async (_, index) => {
      const amount = AMOUNT + BigInt(round * TRANSFERS + index)
      const { transaction, signature } = await signTransfer(rpc, payer, other.address, amount)
      const wire = getBase64EncodedWireTransaction(transaction)
      await rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send()
      answered.push(signature)
      answeredNow += 1
    })
    // Sends that the kill cuts off fail, as they should.
    const settled = Promise.allSettled(traffic)
    while (answeredNow < TRANSFERS / 2) {
      lastSlot = await rpc.getSlot({ commitment: 'processed' }).send()
    }
    await end('SIGKILL')
    await settled
  }
  expect(answered.length).toBeGreaterThan(0)
  const { endpoints, end } = await startProcess(args)
  await expectLanded(connect(endpoints).rpc, answered)
  expect(await end('SIGTERM')).toBe(0)
})

async function expectLanded(
  rpc: ReturnType<typeof connect>['rpc'],
  signatures: readonly Signature[],
): Promise<void> {
  const { value } = await rpc
    .getSignatureStatuses(signatures, { searchTransactionHistory: true })
    .send()
  for (const status of value) {
    expect(status).toMatchObject({ err: null, confirmationStatus: 'finalized' })
  }
}
