import {
  address,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getProgramDerivedAddress,
  getAddressEncoder,
} from '@solana/kit'
import type { Address, Base64EncodedWireTransaction, Instruction, KeyPairSigner } from '@solana/kit'
import { expect, test } from 'vitest'
import { sign, signTransfer } from './client.ts'
import { startStillChain } from './still-chain.ts'

const encoding = 'base64'
const SLOT_HASHES = address('SysvarS1otHashes111111111111111111111111111')
const TABLE_PROGRAM = address('AddressLookupTab1e1111111111111111111111111')
const SYSTEM_PROGRAM = address('11111111111111111111111111111111')

test('a simulation sees the balances of its commitment', async () => {
  const chain = await startStillChain()
  const rich = await chain.fund(5_000_000_000n)
  const poor = await generateKeyPairSigner()
  const gift = await signTransfer(chain.rpc, rich, poor.address, 2_000_000_000n)
  const wireOf = getBase64EncodedWireTransaction
  await chain.rpc.sendTransaction(wireOf(gift.transaction), { encoding }).send()
  const spend = await signTransfer(chain.rpc, poor, rich.address, 1_000_000_000n)
  const outcome = async (commitment: 'processed' | 'confirmed' | 'finalized') => {
    const { context, value } = await chain.rpc
      .simulateTransaction(wireOf(spend.transaction), {
        ...{ encoding, commitment, replaceRecentBlockhash: true },
        accounts: { encoding: 'base64', addresses: [poor.address] },
      })
      .send()
    expect(context.slot).toBe(await chain.rpc.getSlot({ commitment }).send())
    return value.err ?? value.accounts[0]?.lamports
  }
  const left = 1_000_000_000n - 5_000n
  expect(await outcome('processed')).toBe(left)
  expect(await outcome('confirmed')).toBe('AccountNotFound')
  expect(await outcome('finalized')).toBe('AccountNotFound')
  expect(await chain.balanceOf(poor.address)).toBe(2_000_000_000n)
  await chain.pass(1)
  expect(await outcome('confirmed')).toBe(left)
  expect(await outcome('finalized')).toBe('AccountNotFound')
  await chain.pass(2)
  expect(await outcome('finalized')).toBe(left)
  expect(await chain.balanceOf(poor.address)).toBe(2_000_000_000n)
  expect(await chain.balanceOf(rich.address)).toBe(3_000_000_000n - 5_000n)
})

test('a simulation shows the fee and the balances that the transaction has when it lands', async () => {
  const chain = await startStillChain()
  const payer = await chain.fund(1_000_000_000n)
  const { address: other } = await generateKeyPairSigner()
  for (const amount of [300_000_000n, 5_000_000_000n]) {
    const { transaction, signature } = await signTransfer(chain.rpc, payer, other, amount)
    const wire = getBase64EncodedWireTransaction(transaction)
    const { value } = await chain.rpc
      .simulateTransaction(wire, { encoding, commitment: 'processed' })
      .send()
    await chain.rpc.sendTransaction(wire, { encoding, skipPreflight: true }).send()
    await chain.pass(2)
    const landed = await chain.rpc
      .getTransaction(signature, { encoding: 'json', maxSupportedTransactionVersion: 0 })
      .send()
    const { fee, preBalances, postBalances, loadedAddresses } = landed?.meta ?? {}
    expect(value).toMatchObject({ fee, preBalances, postBalances, loadedAddresses })
  }
})

test('a simulation reports a wrong signature if it verifies signatures', async () => {
  const chain = await startStillChain()
  const payer = await chain.fund()
  const { transaction } = await signTransfer(chain.rpc, payer, payer.address, 1n)
  const bytes = Buffer.from(getBase64EncodedWireTransaction(transaction), 'base64')
  bytes[5] = (bytes[5] ?? 0) ^ 1
  const forged = bytes.toString('base64') as Base64EncodedWireTransaction
  const outcome = async (sigVerify: boolean) => {
    const config = { encoding, sigVerify, commitment: 'processed' } as const
    return (await chain.rpc.simulateTransaction(forged, config).send()).value.err
  }
  expect(await outcome(true)).toBe('SignatureFailure')
  expect(await outcome(false)).toBeNull()
})

test('a lagging node simulates with the accounts of an older slot', async () => {
  const chain = await startStillChain()
  const payer = await chain.fund()
  const { transaction } = await signTransfer(chain.rpc, payer, payer.address, 1n)
  const outcome = async () => {
    const { value } = await chain.rpc
      .simulateTransaction(getBase64EncodedWireTransaction(transaction), {
        ...{ encoding, commitment: 'processed', replaceRecentBlockhash: true },
      })
      .send()
    return value.err
  }
  expect(await outcome()).toBeNull()
  await chain.call('localnet_setFaults', [{ lagSlots: 8 }])
  expect(await outcome()).toBe('AccountNotFound')
})

test('recent slot hashes match the blocks', async () => {
  const chain = await startStillChain()
  const payer = await chain.fund()
  await chain.pass(20)
  const commitment = 'processed'
  const { context, value } = await chain.rpc
    .getAccountInfo(SLOT_HASHES, { encoding, commitment })
    .send()
  const data = Buffer.from(value?.data[0] ?? '', 'base64')
  expect(data.length).toBe(20_488)
  expect(data.readBigUInt64LE(0)).toBe(512n)
  const newest = data.readBigUInt64LE(8)
  // The sysvar's newest entry is the hash of the newest block's parent. The parent is the newest confirmed block.
  expect(newest).toBe(await chain.rpc.getSlot({ commitment: 'confirmed' }).send())
  expect(newest).toBeLessThan(context.slot)
  // Preflight runs in the confirmed block. The sysvar in that block doesn't have the block's own hash, so the test uses
  // the next older entry.
  const recent = data.readBigUInt64LE(8 + 40)
  const { transaction } = await sign(chain.rpc, payer, [await createTable(payer, recent)])
  await chain.rpc.sendTransaction(getBase64EncodedWireTransaction(transaction), { encoding }).send()
  const table = await tableAddress(payer.address, recent)
  const read = await chain.rpc.getAccountInfo(table, { encoding, commitment }).send()
  expect(read.value?.owner).toBe(TABLE_PROGRAM)
  const old = await sign(chain.rpc, payer, [await createTable(payer, newest + 1_000n)])
  const refused = await chain.rpc
    .simulateTransaction(getBase64EncodedWireTransaction(old.transaction), { encoding, commitment })
    .send()
  expect(refused.value.err).toEqual({ InstructionError: [0n, 'InvalidInstructionData'] })
})

async function tableAddress(authority: Address, slot: bigint): Promise<Address> {
  const seeds = [getAddressEncoder().encode(authority), u64(slot)]
  return (await getProgramDerivedAddress({ programAddress: TABLE_PROGRAM, seeds }))[0]
}

/** CreateLookupTable of the address-lookup-table interface: variant, recent slot, bump. */
async function createTable(payer: KeyPairSigner, slot: bigint): Promise<Instruction> {
  const seeds = [getAddressEncoder().encode(payer.address), u64(slot)]
  const pda = await getProgramDerivedAddress({ programAddress: TABLE_PROGRAM, seeds })
  return {
    programAddress: TABLE_PROGRAM,
    accounts: [
      { address: pda[0], role: 1 },
      { address: payer.address, role: 2 },
      { address: payer.address, role: 3 },
      { address: SYSTEM_PROGRAM, role: 0 },
    ],
    data: Buffer.concat([Buffer.alloc(4), u64(slot), Buffer.of(pda[1])]),
  }
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}
