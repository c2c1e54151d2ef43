import { beforeEach, expect, test } from 'vitest'
import { getI64Encoder, type Instruction } from '@solana/kit'
import {
  assetAddress,
  authorisationInstruction,
  NATIVE_MINT,
  orderAddress,
  rotateAuthoriserInstruction,
  termsDigest,
  unixSeconds,
  type PoolIdentity,
} from '@sotto/protocol'
import { makeAuthoriser, type Authoriser } from './fixtures/authoriser.ts'
import { depositPair, draftOrder, type Order } from './fixtures/deposits.ts'
import { withAccount, withBytes, withFlippedBit } from './fixtures/instruction-edits.ts'
import { expectLanded, startPool, stock, type PoolFixture } from './fixtures/pool.ts'

let fixture: PoolFixture
let order: Order
let authorisation: Instruction
let deposit: Instruction

beforeEach(async () => {
  fixture = await startPool()
  const partnerAccount = (await fixture.chain.wallet()).address
  const amounts = { amountOut: 1_000_000_000n, fee: 5_000n, partnerFee: 3_000n }
  order = await draftOrder(fixture, { sourceMint: NATIVE_MINT, ...amounts, partnerAccount })
  ;[authorisation, deposit] = await depositPair(fixture, order.terms)
})

const send = async (...instructions: Instruction[]) =>
  (await fixture.chain.send([order.sender], instructions)).refusal

/** The verification instruction for the order's terms, signed by this key. */
function signedBy(authoriser: Authoriser, pool: Partial<PoolIdentity> = {}): Instruction {
  const { chain, domain } = fixture
  const digest = termsDigest({ program: chain.program, domain, ...pool }, order.terms)
  return authorisationInstruction(authoriser.publicKey, authoriser.sign(digest), digest)
}

test('a valid authorisation is accepted', async () => {
  expect(await send(authorisation, deposit)).toBeUndefined()
})

test('a deposit is refused if no verification is directly before it', async () => {
  const other = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n })
  const [, otherDeposit] = await depositPair(fixture, other.terms)
  expect(await send(deposit)).toBe('AuthorisationMissing')
  expect(await send(deposit, authorisation)).toBe('AuthorisationMissing')
  const between = await rotateAuthoriserInstruction(
    { program: fixture.chain.program, admin: fixture.admin.address },
    { slot: 1 },
  )
  const signers = [order.sender, fixture.admin]
  const outcome = await fixture.chain.send(signers, [authorisation, between, deposit])
  expect(outcome.refusal).toBe('AuthorisationMissing')
  const both = [order.sender, other.sender]
  const lifted = await fixture.chain.send(both, [authorisation, otherDeposit])
  expect(lifted.refusal).toBe('AuthorisationMismatch')
})

test('I6: the key of a stranger or of an unset slot is refused', async () => {
  expect(await send(signedBy(makeAuthoriser(99)), deposit)).toBe('AuthoriserUnknown')
  const { chain, pool, domain } = fixture
  chain.tamper(pool, (data) => data.fill(0, 40, 72))
  expect(await send(authorisation, deposit)).toBe('AuthoriserUnknown')
  // An unset slot contains the zero key, which is a point of small order. A verification that accepts such points also
  // accepts the signature (identity, 0) of this key, for one message in four. The deposit must be refused, by the
  // verification or by our program.
  const digest = termsDigest({ program: chain.program, domain }, order.terms)
  const identity = new Uint8Array(64)
  identity[0] = 1
  const byZeroKey = authorisationInstruction(new Uint8Array(32), identity, digest)
  expect(await send(byZeroKey, deposit)).toMatch(/AuthoriserUnknown|InstructionError\(0, Custom/)
})

test('I6: an old authoriser key works until its slot is unset', async () => {
  const { chain, admin } = fixture
  const at = { program: chain.program, admin: admin.address }
  const successor = makeAuthoriser(2)
  const add = { slot: 1, key: successor.address } as const
  expectLanded(await chain.send([admin], [await rotateAuthoriserInstruction(at, add)]))
  expect(await send(signedBy(successor), deposit)).toBeUndefined()
  const unset = await rotateAuthoriserInstruction(at, { slot: 0 })
  expectLanded(await chain.send([admin], [unset]))
  expect(await send(authorisation, deposit)).toBe('OrderExists')
  const next = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n })
  const outcome = await chain.send([next.sender], await depositPair(fixture, next.terms))
  expect(outcome.refusal).toBe('AuthoriserUnknown')
})

test('an authorisation for another pool, cluster or program is refused', async () => {
  const { authoriser, token } = fixture
  const elsewhere = signedBy(authoriser, { domain: new Uint8Array(32).fill(8) })
  expect(await send(elsewhere, deposit)).toBe('AuthorisationMismatch')
  const otherProgram = signedBy(authoriser, { program: token })
  expect(await send(otherProgram, deposit)).toBe('AuthorisationMismatch')
})

test('I3: no term of an authorised order can be changed', async () => {
  const { deadline } = order.terms
  const terms = { ...order.terms, validUntil: unixSeconds(deadline - 1_200n) }
  ;[authorisation, deposit] = await depositPair(fixture, terms)
  const offsets = {
    amountIn: 18,
    value: 26,
    partnerFee: 34,
    validUntil: 50,
    inner: 89,
    'first byte of the payload': 90,
    'last byte of the payload': 154,
  }
  for (const [name, at] of Object.entries(offsets)) {
    const refusal = await send(authorisation, withFlippedBit(deposit, at))
    expect(refusal, name).toBe('AuthorisationMismatch')
  }
  for (const other of [deadline - 600n, deadline + 600n]) {
    const moved = withBytes(deposit, 42, new Uint8Array(getI64Encoder().encode(other)))
    expect(await send(authorisation, moved)).toBe('AuthorisationMismatch')
  }
  const otherPartner = withAccount(deposit, 8, (await fixture.chain.wallet()).address)
  expect(await send(authorisation, otherPartner)).toBe('AuthorisationMismatch')
  const orderId = fixture.chain.draw(16)
  const otherAccount = await orderAddress(fixture.chain.program, orderId)
  const otherOrder = withAccount(withBytes(deposit, 2, orderId), 3, otherAccount)
  expect(await send(authorisation, otherOrder)).toBe('AuthorisationMismatch')
  expect(await send(authorisation, deposit)).toBeUndefined()
})

test('I3: a thief cannot change the input or the output of a swap', async () => {
  const { chain, token } = fixture
  await stock(fixture, token, 2_000_000_000n)
  const wish = { sourceMint: NATIVE_MINT, destinationMint: token, amountIn: 1_000n }
  const swap = await draftOrder(fixture, { ...wish, amountOut: 900n })
  const [signed, genuine] = await depositPair(fixture, swap.terms)
  for (const at of [18, 26]) {
    const { refusal } = await chain.send([swap.sender], [signed, withFlippedBit(genuine, at)])
    expect(refusal).toBe('AuthorisationMismatch')
  }
  expectLanded(await chain.send([swap.sender], [signed, genuine]))
})

test('I3: an order for one asset cannot be deposited in another', async () => {
  const { chain, token } = fixture
  await stock(fixture, token, 2_000_000_000n)
  const asset = await assetAddress(chain.program, token)
  const accounts = deposit.accounts ?? []
  const swap = {
    ...withBytes(deposit, 1, Uint8Array.of(1)),
    accounts: [...accounts.slice(0, 8), { address: asset, role: 1 }, ...accounts.slice(8)],
  }
  expect(await send(authorisation, swap)).toBe('AuthorisationMismatch')
})

test('only the exact form of the verification is accepted', async () => {
  const { authoriser } = fixture
  const digest = new Uint8Array(authorisation.data ?? []).slice(112)
  const longer = { ...authorisation, data: Uint8Array.of(...(authorisation.data ?? []), 0) }
  expect(await send(longer, deposit)).toBe('AuthorisationMalformed')
  // The same signature, with an instruction's number in one of the three indexes instead of the value for "this
  // instruction". The precompile accepts this signature.
  for (const at of [4, 8, 14]) {
    const byIndex = withBytes(authorisation, at, Uint8Array.of(0, 0))
    expect(await send(byIndex, deposit)).toBe('AuthorisationMalformed')
  }
  const forged = authorisationInstruction(authoriser.publicKey, new Uint8Array(64), digest)
  // The precompile itself refuses this instruction, because the signature is invalid.
  expect(await send(forged, deposit)).toMatch(/InstructionError\(0, Custom\(2\)\)/)
})

test('another account in place of the instructions sysvar is refused', async () => {
  const { chain } = fixture
  const decoy = (await chain.wallet()).address
  expect(await send(authorisation, withAccount(deposit, 6, decoy))).toBe('WrongAddress')
})
