import { beforeEach, expect, test } from 'vitest'
import type { Address, Instruction } from '@solana/kit'
import {
  addAssetInstruction,
  amount,
  assetHashOf,
  fieldToBytes,
  NATIVE_MINT,
  vaultAddress,
} from '@sotto/protocol'
import { wasmPoseidon as poseidon } from '@sotto/poseidon'
import {
  withAccount,
  withAccountCount,
  withDataLength,
  withoutSignature,
  withReadonly,
} from './fixtures/instruction-edits.ts'
import { DOMAIN, readAsset, startPool, vaultBalance, type PoolFixture } from './fixtures/pool.ts'
import { TOKEN_2022_PROGRAM } from './fixtures/token-2022.ts'
import { makeMint, MINT_DECIMALS, putTokenProgramAccount } from './fixtures/token-accounts.ts'

const LIMITS = { depositMax: amount(1n), swapCap: amount(2n), swapPeriodSeconds: 3 }
let fixture: PoolFixture

beforeEach(async () => {
  fixture = await startPool()
})

const send = async (instruction: Instruction, signers = [fixture.admin]) =>
  (await fixture.chain.send(signers, [instruction])).refusal

function addAsset(mint: Address): Promise<Instruction> {
  const { chain, admin } = fixture
  const at = { program: chain.program, admin: admin.address, payer: admin.address, mint }
  return addAssetInstruction(at, LIMITS)
}

test('an asset begins empty, with its mint, vault, hash and limits', async () => {
  const { chain, token } = fixture
  const mint = await makeMint(chain)
  expect(await send(await addAsset(mint))).toBeUndefined()
  const vault = await vaultAddress(chain.program, mint)
  expect(await readAsset(fixture, mint)).toMatchObject({
    kind: 1,
    decimals: MINT_DECIMALS,
    mint,
    vault,
    assetHash: fieldToBytes(assetHashOf(poseidon, DOMAIN, mint)),
    ...{ owed: 0n, inventory: 0n, fees: 0n, swapUsed: 0n },
    ...{ depositMax: 1n, swapCap: 2n, swapPeriodSeconds: 3n },
  })
  expect(await readAsset(fixture, NATIVE_MINT)).toMatchObject({ kind: 0, decimals: 9 })
  expect(chain.data(await vaultAddress(chain.program, NATIVE_MINT))).toHaveLength(0)
  expect(await vaultBalance(fixture, NATIVE_MINT)).toBe(0n)
  expect(chain.balance(vault)).toBe(chain.rentMinimum(165))
  expect(await send(await addAsset(token))).toBe('AlreadyInitialized')
  expect(await send(await addAsset(NATIVE_MINT))).toBe('AlreadyInitialized')
})

test('adding an asset needs the signatures of the admin and of the payer', async () => {
  const { chain, admin } = fixture
  const thief = await chain.wallet()
  const instruction = await addAsset(await makeMint(chain))
  const byThief = withAccount(instruction, 1, thief.address)
  expect(await send(byThief, [admin, thief])).toBe('NotAdmin')
  expect(await send(withoutSignature(withAccount(instruction, 0, thief.address), 0))).toBe(
    'MissingSignature',
  )
  const paidByThief = withAccount(instruction, 0, thief.address)
  expect(await send(withoutSignature(paidByThief, 1), [thief])).toBe('MissingSignature')
})

test('an account is refused if it is not an initialised mint', async () => {
  const { chain, adminToken } = fixture
  expect(await send(await addAsset(adminToken))).toBe('InvalidMint')
  expect(await send(await addAsset((await chain.wallet()).address))).toBe('InvalidMint')
  const blank = (await chain.key()).address
  putTokenProgramAccount(chain, blank, new Uint8Array(82))
  expect(await send(await addAsset(blank))).toBe('InvalidMint')
})

test('adding an asset is refused with wrong accounts or data', async () => {
  const { chain, token } = fixture
  const instruction = await addAsset(await makeMint(chain))
  const stranger = (await chain.wallet()).address
  const otherVault = await vaultAddress(chain.program, token)
  expect(await send(withAccount(instruction, 4, stranger))).toBe('WrongAddress')
  expect(await send(withAccount(instruction, 5, otherVault))).toBe('WrongAddress')
  expect(await send(withAccount(instruction, 6, TOKEN_2022_PROGRAM))).toBe('WrongAddress')
  expect(await send(withAccount(instruction, 7, stranger))).toBe('WrongAddress')
  expect(await send(withReadonly(instruction, 4))).toBe('NotWritable')
  expect(await send(withReadonly(instruction, 5))).toBe('NotWritable')
  expect(await send(withAccountCount(instruction, -1))).toBe('WrongAccountCount')
  expect(await send(withAccountCount(instruction, 1))).toBe('WrongAccountCount')
  expect(await send(withDataLength(instruction, -1))).toBe('InvalidInstructionData')
  expect(await send(withDataLength(instruction, 1))).toBe('InvalidInstructionData')
})

test('a swap period of zero seconds is refused', async () => {
  const { chain, admin } = fixture
  const mint = await makeMint(chain)
  const at = { program: chain.program, admin: admin.address, payer: admin.address, mint }
  const instruction = await addAssetInstruction(at, { ...LIMITS, swapPeriodSeconds: 0 })
  expect(await send(instruction)).toBe('LimitOutOfRange')
})
