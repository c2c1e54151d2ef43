import { beforeEach, expect, test } from 'vitest'
import { lamports, type Address, type Instruction } from '@solana/kit'
import {
  authorisationInstruction,
  ED25519_PROGRAM,
  INSTRUCTIONS_SYSVAR,
  NATIVE_MINT,
} from '@sotto/protocol'
import { makeAuthoriser } from '../fixtures/authoriser.ts'
import { deployCaller } from '../fixtures/caller.ts'
import { depositPair, draftOrder, type Order } from '../fixtures/deposits.ts'
import { withAccount, withBytes } from '../fixtures/instruction-edits.ts'
import { readAsset, startPool, type PoolFixture } from '../fixtures/pool.ts'

/** The precompile's errors for an instruction that it can't read, and for an invalid signature. */
const PRECOMPILE = /InstructionError\(\d, Custom\(\d\)\)/
const INSTRUCTION_INDEXES = [4, 8, 14] as const
const FIRST = Uint8Array.of(0, 0)

let fixture: PoolFixture
let order: Order
let authorisation: Instruction
let deposit: Instruction

beforeEach(async () => {
  fixture = await startPool()
  order = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n })
  ;[authorisation, deposit] = await depositPair(fixture, order.terms)
})

const send = async (...instructions: Instruction[]) =>
  (await fixture.chain.send([order.sender], instructions)).refusal
const dataOf = (instruction: Instruction) => new Uint8Array(instruction.data ?? [])
const digest = () => dataOf(authorisation).slice(112)

test('a message index that points to another order’s verification is refused', async () => {
  const other = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: 2_000_000_000n })
  const [genuine] = await depositPair(fixture, other.terms)
  // Key and signature are genuine. The precompile verifies them with the message in the first instruction, but the
  // program would read the digest of this order.
  const lent = withBytes(withBytes(genuine, 112, digest()), 14, FIRST)
  expect(await send(genuine, lent, deposit)).toBe('AuthorisationMalformed')
})

test('a verification of a thief’s signature with the authoriser’s key is refused', async () => {
  const thief = makeAuthoriser(99)
  const own = authorisationInstruction(thief.publicKey, thief.sign(digest()), digest())
  const shown = authorisationInstruction(fixture.authoriser.publicKey, new Uint8Array(64), digest())
  let borrowed = shown
  for (const at of INSTRUCTION_INDEXES) borrowed = withBytes(borrowed, at, FIRST)
  expect(await send(own, borrowed, deposit)).toBe('AuthorisationMalformed')
  // In this verification, only the key comes from another instruction.
  const keyOnly = withBytes(own, 8, FIRST)
  expect(await send(own, withBytes(keyOnly, 16, fixture.authoriser.publicKey), deposit)).toBe(
    'AuthorisationMalformed',
  )
})

test('a deposit is refused if the precompile verified bytes that the program does not read', async () => {
  const thief = makeAuthoriser(99)
  const shown = dataOf(
    authorisationInstruction(fixture.authoriser.publicKey, new Uint8Array(64), digest()),
  )
  const data = new Uint8Array(144 + 128)
  data.set(shown)
  data.set(thief.publicKey, 144)
  data.set(thief.sign(digest()), 176)
  data.set(digest(), 240)
  const view = new DataView(data.buffer)
  for (const [at, offset] of [
    [2, 176],
    [6, 144],
    [10, 240],
  ] as const) {
    view.setUint16(at, offset, true)
  }
  const forged = { programAddress: ED25519_PROGRAM, accounts: [], data }
  expect(await send(forged)).toBeUndefined()
  expect(await send(forged, deposit)).toBe('AuthorisationMalformed')
})

test('a deposit is refused with a verification of no signature or of two signatures', async () => {
  const none = withBytes(authorisation, 0, Uint8Array.of(0))
  expect(await send(none, deposit)).toMatch(/AuthorisationMalformed|InstructionError\(0/)
  const empty = { ...authorisation, data: Uint8Array.of(0, 0) }
  expect(await send(empty, deposit)).toBe('AuthorisationMalformed')
  const two = new Uint8Array(16 + 14 + 128)
  two.set(dataOf(authorisation).subarray(0, 16))
  two.set(dataOf(authorisation).subarray(2, 16), 16)
  two[0] = 2
  two.set(dataOf(authorisation).subarray(16), 30)
  for (const start of [2, 16]) {
    const view = new DataView(two.buffer)
    view.setUint16(start, 62, true)
    view.setUint16(start + 4, 30, true)
    view.setUint16(start + 8, 126, true)
  }
  const both = { ...authorisation, data: two }
  expect(await send(both)).toBeUndefined()
  expect(await send(both, deposit)).toBe('AuthorisationMalformed')
})

test('a deposit is refused with a verification of the wrong length or at the wrong place', async () => {
  const short = { ...authorisation, data: dataOf(authorisation).slice(0, 143) }
  expect(await send(short, deposit)).toMatch(PRECOMPILE)
  const long = { ...authorisation, data: Uint8Array.of(...dataOf(authorisation), 1) }
  expect(await send(long, deposit)).toBe('AuthorisationMalformed')
  const other = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n })
  const [between] = await depositPair(fixture, other.terms)
  expect(await send(authorisation, between, deposit)).toBe('AuthorisationMismatch')
  expect(await send(deposit, authorisation)).toBe('AuthorisationMissing')
})

test('a deposit is refused with a genuine verification that contains its own index', async () => {
  // The precompile accepts an instruction's own index. The program accepts only the number 0xffff, which means "this
  // instruction".
  for (const at of INSTRUCTION_INDEXES) {
    const numbered = withBytes(authorisation, at, FIRST)
    expect(await send(numbered)).toBeUndefined()
    expect(await send(numbered, deposit)).toBe('AuthorisationMalformed')
  }
  expect(await send(authorisation, deposit)).toBeUndefined()
})

test('a deposit is refused if another program’s instruction has the form of a verification', async () => {
  const accomplice = await deployCaller(fixture.chain)
  const claimed = { ...authorisation, programAddress: accomplice }
  expect(await send(claimed)).toBeUndefined()
  expect(await send(claimed, deposit)).toBe('AuthorisationMissing')
  expect((await readAsset(fixture, NATIVE_MINT)).owed).toBe(0n)
})

test('a deposit is refused with a copy of the instructions sysvar at another address', async () => {
  const { chain } = fixture
  const forged = dataOf(authorisation)
  const decoy = (await chain.key()).address
  const put = (programAddress: Address) => {
    chain.svm.setAccount({
      address: decoy,
      data: sysvarOf(forged, deposit),
      executable: false,
      lamports: lamports(1_000_000_000n),
      programAddress,
      space: 0n,
    })
  }
  for (const owner of ['Sysvar1111111111111111111111111111111111111' as Address, chain.program]) {
    put(owner)
    const fooled = withAccount(deposit, 6, decoy)
    expect(await send(fooled)).toBe('WrongAddress')
    expect(await send(authorisation, fooled)).toBe('WrongAddress')
  }
  expect(INSTRUCTIONS_SYSVAR).not.toBe(decoy)
})

/** The bytes of an instructions sysvar with two instructions. The second instruction is the current instruction. */
function sysvarOf(verification: Uint8Array, { data = new Uint8Array() }: Instruction): Uint8Array {
  const entry = (program: Uint8Array, bytes: ArrayLike<number>) => [
    ...[0, 0],
    ...program,
    ...[bytes.length & 0xff, bytes.length >> 8],
    ...Array.from(bytes),
  ]
  const first = entry(new Uint8Array(32).fill(3), verification)
  const second = entry(new Uint8Array(32).fill(4), new Uint8Array(data))
  const at = [6, 6 + first.length]
  const offsets = at.flatMap((offset) => [offset & 0xff, offset >> 8])
  return Uint8Array.from([2, 0, ...offsets, ...first, ...second, 1, 0])
}
