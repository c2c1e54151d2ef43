import { beforeEach, expect, test } from 'vitest'
import type { Instruction } from '@solana/kit'
import {
  amount,
  assetAddress,
  decodePool,
  NATIVE_MINT,
  rotateAuthoriserInstruction,
  setAssetInstruction,
  setConfigInstruction,
} from '@sotto/protocol'
import { draftOrder, sendDeposit } from './fixtures/deposits.ts'
import {
  withAccount,
  withAccountCount,
  withBytes,
  withDataLength,
  withoutSignature,
  withReadonly,
} from './fixtures/instruction-edits.ts'
import { expectLanded, startPool, stock, type PoolFixture } from './fixtures/pool.ts'

const OPEN = { depositsPaused: false, maxDepositSeconds: 3_600 }
const LIMITS = { depositMax: amount(1_000_000_000n), swapCap: amount(5n), swapPeriodSeconds: 60 }
let fixture: PoolFixture
let at: { program: PoolFixture['chain']['program']; admin: PoolFixture['admin']['address'] }

beforeEach(async () => {
  fixture = await startPool()
  at = { program: fixture.chain.program, admin: fixture.admin.address }
})

const send = async (instruction: Instruction, signers = [fixture.admin]) =>
  (await fixture.chain.send(signers, [instruction])).refusal

const depositNative = async (amountOut = 1_000_000_000n) =>
  (await sendDeposit(fixture, await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut })))
    .refusal

/** The three admin instructions that change what other users may do. */
async function adminInstructions(): Promise<Instruction[]> {
  return [
    await setConfigInstruction(at, OPEN),
    await rotateAuthoriserInstruction(at, { slot: 1, key: fixture.authoriser.address }),
    await setAssetInstruction({ ...at, mint: NATIVE_MINT }, { ...LIMITS, depositsPaused: false }),
  ]
}

test('a configuration instruction needs the admin’s signature', async () => {
  const thief = await fixture.chain.wallet()
  for (const instruction of await adminInstructions()) {
    const byThief = withAccount(instruction, 0, thief.address)
    expect(await send(byThief, [thief, fixture.admin])).toBe('NotAdmin')
    // In set_config, the third account is the admin too.
    const unsigned = withoutSignature(withoutSignature(instruction, 0), 2)
    expect(await send(unsigned, [thief])).toBe('MissingSignature')
  }
})

test('another account in place of the pool or the asset is refused', async () => {
  const { chain, tree, token } = fixture
  const stranger = (await chain.wallet()).address
  for (const instruction of await adminInstructions()) {
    expect(await send(withAccount(instruction, 1, stranger))).toBe('WrongOwner')
    expect(await send(withAccount(instruction, 1, tree))).toBe('WrongAccountData')
  }
  const asset = await assetAddress(chain.program, token)
  const [config, , setAsset] = await adminInstructions()
  if (config === undefined || setAsset === undefined) throw new Error('an instruction is missing')
  expect(await send(withAccount(config, 1, asset))).toBe('WrongAccountData')
  expect(await send(withAccount(setAsset, 2, fixture.pool))).toBe('WrongAccountData')
})

test('a Pool at another address is refused', async () => {
  const { chain, pool } = fixture
  const genuine = chain.svm.getAccount(pool)
  if (!genuine.exists) throw new Error('the pool is gone')
  const twin = (await chain.key()).address
  chain.svm.setAccount({ ...genuine, address: twin })
  for (const instruction of await adminInstructions()) {
    expect(await send(withAccount(instruction, 1, twin))).toBe('WrongAddress')
  }
})

test('a configuration instruction is refused with wrong accounts or data', async () => {
  for (const instruction of await adminInstructions()) {
    expect(await send(withAccountCount(instruction, -1))).toBe('WrongAccountCount')
    expect(await send(withAccountCount(instruction, 1))).toBe('WrongAccountCount')
    expect(await send(withDataLength(instruction, -1))).toBe('InvalidInstructionData')
    expect(await send(withDataLength(instruction, 1))).toBe('InvalidInstructionData')
    const written = instruction.data?.[0] === 4 ? 2 : 1
    expect(await send(withReadonly(instruction, written))).toBe('NotWritable')
  }
  const [config, rotate, setAsset] = await adminInstructions()
  if (!config || !rotate || !setAsset) throw new Error('an instruction is missing')
  expect(await send(withBytes(config, 1, Uint8Array.of(2)))).toBe('InvalidInstructionData')
  expect(await send(withBytes(setAsset, 1, Uint8Array.of(2)))).toBe('InvalidInstructionData')
  expect(await send(withBytes(rotate, 1, Uint8Array.of(2)))).toBe('InvalidAuthoriserSlot')
})

test('a new admin must sign the hand-over', async () => {
  const { chain, admin, pool } = fixture
  const successor = await chain.wallet()
  const handOver = await setConfigInstruction({ ...at, newAdmin: successor.address }, OPEN)
  expect(await send(withoutSignature(handOver, 2))).toBe('MissingSignature')
  expect(await send(handOver, [admin, successor])).toBeUndefined()
  expect(decodePool(chain.data(pool) ?? new Uint8Array()).admin).toBe(successor.address)
  expect(await send(await setConfigInstruction(at, OPEN))).toBe('NotAdmin')
})

test('a maxDepositSeconds of zero or above the program’s constant is refused', async () => {
  for (const maxDepositSeconds of [3_601, 2 ** 32 - 1, 0]) {
    const beyond = await setConfigInstruction(at, { ...OPEN, maxDepositSeconds })
    expect(await send(beyond)).toBe('LimitOutOfRange')
  }
})

test('a pool or an asset refuses deposits while it is paused', async () => {
  const pause = (depositsPaused: boolean) => setConfigInstruction(at, { ...OPEN, depositsPaused })
  expectLanded(await fixture.chain.send([fixture.admin], [await pause(true)]))
  expect(await depositNative()).toBe('DepositsPaused')
  expectLanded(await fixture.chain.send([fixture.admin], [await pause(false)]))
  const pauseAsset = (depositsPaused: boolean) =>
    setAssetInstruction({ ...at, mint: NATIVE_MINT }, { ...LIMITS, depositsPaused })
  expectLanded(await fixture.chain.send([fixture.admin], [await pauseAsset(true)]))
  expect(await depositNative()).toBe('DepositsPaused')
  expectLanded(await fixture.chain.send([fixture.admin], [await pauseAsset(false)]))
  expect(await depositNative()).toBeUndefined()
})

test('a swap into a paused asset is refused', async () => {
  const { token } = fixture
  await stock(fixture, token, 1_000n)
  const limits = { ...LIMITS, depositsPaused: true }
  expect(await send(await setAssetInstruction({ ...at, mint: token }, limits))).toBeUndefined()
  const order = await draftOrder(fixture, {
    sourceMint: NATIVE_MINT,
    destinationMint: token,
    amountIn: 1_000n,
    amountOut: 5n,
  })
  expect((await sendDeposit(fixture, order)).refusal).toBe('DepositsPaused')
})

test('a deposit of more than depositMax is refused', async () => {
  const limits = { ...LIMITS, depositsPaused: false }
  expect(await send(await setAssetInstruction({ ...at, mint: NATIVE_MINT }, limits))).toBe(
    undefined,
  )
  expect(await depositNative(1_000_000_001n)).toBe('DepositTooLarge')
  expect(await depositNative(1_000_000_000n)).toBeUndefined()
})

test('a swap period of zero seconds is refused', async () => {
  const limits = { ...LIMITS, swapPeriodSeconds: 0, depositsPaused: false }
  expect(await send(await setAssetInstruction({ ...at, mint: NATIVE_MINT }, limits))).toBe(
    'LimitOutOfRange',
  )
})
