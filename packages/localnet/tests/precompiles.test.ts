import { generateKeyPairSync, sign as signBytes } from 'node:crypto'
import type { Address, Instruction } from '@solana/kit'
import { getBase64EncodedWireTransaction } from '@solana/kit'
import { expect, test } from 'vitest'
import { sign } from './client.ts'
import { expectFailure } from './rpc-failure.ts'
import { startStillChain } from './still-chain.ts'

const ED25519_PROGRAM = 'Ed25519SigVerify111111111111111111111111111' as Address
const THIS_INSTRUCTION = 0xffff
const encoding = 'base64'

/** One signature over 32 bytes, in the layout of the precompile. */
function ed25519Instruction(message: Buffer, forge: boolean): Instruction {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const signature = signBytes(null, message, privateKey)
  if (forge) signature[0] = (signature[0] ?? 0) ^ 1
  const head = Buffer.alloc(16)
  const fields = [48, THIS_INSTRUCTION, 16, THIS_INSTRUCTION, 112, 32, THIS_INSTRUCTION]
  head.writeUInt8(1, 0)
  fields.forEach((value, index) => head.writeUInt16LE(value, 2 + 2 * index))
  const data = Buffer.concat([head, key, signature, message])
  return { programAddress: ED25519_PROGRAM, accounts: [], data }
}

test('a transaction fails if its ed25519 signature for the precompile is forged', async () => {
  const { rpc, fund, balanceOf } = await startStillChain()
  const payer = await fund()
  const message = Buffer.alloc(32, 7)
  const forged = await sign(rpc, payer, [ed25519Instruction(message, true)])
  const send = (transaction: typeof forged.transaction) =>
    rpc.sendTransaction(getBase64EncodedWireTransaction(transaction), { encoding }).send()
  await expectFailure(send(forged.transaction), -32002)
  const good = await sign(rpc, payer, [ed25519Instruction(message, false)])
  await send(good.transaction)
  expect(await balanceOf(payer.address)).toBe(1_000_000_000n - 10_000n)
})
