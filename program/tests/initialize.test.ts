import { beforeEach, expect, test } from 'vitest'
import { lamports, type Instruction, type KeyPairSigner } from '@solana/kit'
import {
  decodePool,
  decodeTree,
  FIELD_MODULUS,
  fieldToBytes,
  poolAddress,
  TREE_BYTES,
} from '@sotto/protocol'
import { Chain } from './fixtures/chain.ts'
import {
  withAccount,
  withAccountCount,
  withBytes,
  withDataLength,
  withoutSignature,
  withReadonly,
} from './fixtures/instruction-edits.ts'
import { expectLanded, initializePool, makeTreeAccount, START } from './fixtures/pool.ts'

let chain: Chain
let admin: KeyPairSigner
let tree: KeyPairSigner
let initialize: Instruction

beforeEach(async () => {
  chain = await Chain.start(START)
  admin = await chain.wallet()
  const made = await makeTreeAccount(chain, admin)
  tree = made.tree
  expectLanded(await chain.send([admin, tree], [made.instruction]))
  initialize = await initializePool(chain, admin, tree.address)
})

const send = async (instruction: Instruction, signers = [admin, chain.upgradeAuthority]) =>
  (await chain.send(signers, [instruction])).refusal

test('the upgrade authority can create the pool only once', async () => {
  expect(await send(initialize)).toBeUndefined()
  const pool = decodePool(chain.data(await poolAddress(chain.program)) ?? new Uint8Array())
  expect(pool).toMatchObject({
    admin: admin.address,
    tree: tree.address,
    depositsPaused: false,
    maxDepositSeconds: 3_600,
  })
  expect(pool.domain).toEqual(new Uint8Array(32).fill(7))
  expect(decodeTree(chain.data(tree.address) ?? new Uint8Array()).nextIndex).toBe(0n)
  expect(await send(initialize)).toBe('AlreadyInitialized')
})

test('only the upgrade authority can initialise the program', async () => {
  const thief = await chain.wallet()
  const byThief = withAccount(initialize, 1, thief.address)
  expect(await send(byThief, [admin, thief])).toBe('NotUpgradeAuthority')
  expect(await send(withoutSignature(initialize, 1), [admin])).toBe('MissingSignature')
  const byOther = withoutSignature(initialize, 0)
  expect(await send(byOther, [thief, chain.upgradeAuthority])).toBe('MissingSignature')
})

test('a program without an upgrade authority cannot be initialised', async () => {
  await chain.setUpgradeAuthority(undefined)
  expect(await send(initialize)).toBe('NotUpgradeAuthority')
})

test('the ProgramData of another program or a forged ProgramData is refused', async () => {
  const thief = await chain.wallet()
  const programData = (initialize.accounts ?? [])[5]?.address
  if (programData === undefined)
    throw new Error('the initialize instruction does not name its ProgramData account')
  const genuine = chain.svm.getAccount(programData)
  if (!genuine.exists) throw new Error('the program is not deployed')
  const forged = { ...genuine, address: (await chain.key()).address }
  chain.svm.setAccount(forged)
  expect(await send(withAccount(initialize, 5, forged.address))).toBe('WrongAddress')
  chain.svm.setAccount({ ...forged, programAddress: chain.program })
  expect(await send(withAccount(initialize, 5, forged.address))).toBe('WrongOwner')
  expect(await send(withAccount(initialize, 4, thief.address))).toBe('WrongAddress')
  chain.tamper(programData, (data) => data.fill(2, 0, 1))
  expect(await send(initialize)).toBe('WrongAccountData')
})

test('an account is refused as the Tree if its bytes, size or lamports are wrong', async () => {
  for (const space of [TREE_BYTES - 1, TREE_BYTES + 1]) {
    const other = await makeTreeAccount(chain, admin, space)
    expectLanded(await chain.send([admin, other.tree], [other.instruction]))
    const instruction = withAccount(initialize, 3, other.tree.address)
    expect(await send(instruction)).toBe('InvalidTree')
  }
  for (const at of [0, 1, 40_000, TREE_BYTES - 1]) {
    chain.tamper(tree.address, (data) => data.set([1], at))
    expect(await send(initialize), `byte ${at}`).toBe('InvalidTree')
    chain.tamper(tree.address, (data) => data.set([0], at))
  }
  const account = chain.svm.getAccount(tree.address)
  if (!account.exists) throw new Error('the tree is gone')
  chain.svm.setAccount({ ...account, programAddress: admin.address })
  expect(await send(initialize)).toBe('WrongOwner')
  chain.svm.setAccount({ ...account, lamports: lamports(chain.rentMinimum(TREE_BYTES) - 1n) })
  expect(await send(initialize)).toBe('InvalidTree')
  chain.svm.setAccount(account)
  expect(await send(initialize)).toBeUndefined()
})

test('a time limit of 0 or above its maximum is refused, and so is an admin address of zeros', async () => {
  const u32 = (value: number) => new Uint8Array(Uint32Array.of(value).buffer)
  expect(await send(withBytes(initialize, 129, u32(3_601)))).toBe('LimitOutOfRange')
  expect(await send(withBytes(initialize, 129, u32(0)))).toBe('LimitOutOfRange')
  expect(await send(withBytes(initialize, 1, new Uint8Array(32)))).toBe('InvalidAdmin')
})

test('a domain that is not a field element is refused', async () => {
  const modulus = fieldToBytes(FIELD_MODULUS - 1n)
  modulus[31] = (modulus[31] ?? 0) + 1
  for (const domain of [modulus, new Uint8Array(32).fill(0xff)]) {
    expect(await send(withBytes(initialize, 97, domain))).toBe('NotAFieldElement')
  }
  const greatest = fieldToBytes(FIELD_MODULUS - 1n)
  expect(await send(withBytes(initialize, 97, greatest))).toBeUndefined()
})

test('initialize is refused with wrong accounts or data', async () => {
  const stranger = (await chain.wallet()).address
  expect(await send(withAccount(initialize, 2, stranger))).toBe('WrongAddress')
  expect(await send(withAccount(initialize, 6, stranger))).toBe('WrongAddress')
  expect(await send(withReadonly(initialize, 2))).toBe('NotWritable')
  expect(await send(withReadonly(initialize, 3))).toBe('NotWritable')
  expect(await send(withAccountCount(initialize, -1))).toBe('WrongAccountCount')
  expect(await send(withAccountCount(initialize, 1))).toBe('WrongAccountCount')
  expect(await send(withDataLength(initialize, -1))).toBe('InvalidInstructionData')
  expect(await send(withDataLength(initialize, 1))).toBe('InvalidInstructionData')
})

test('an unknown tag and empty data are refused', async () => {
  expect(await send({ ...initialize, data: Uint8Array.of(12) })).toBe('UnknownInstruction')
  expect(await send({ ...initialize, data: new Uint8Array() })).toBe('UnknownInstruction')
})
