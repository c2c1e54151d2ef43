import type { Instruction } from '@solana/kit'
import { readFileSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import {
  addressBytes,
  addressFromBytes,
  authorisationInstruction,
  ED25519_PROGRAM,
  NATIVE_MINT,
  rotateAuthoriserInstruction,
  termsDigest,
} from '@sotto/protocol'
import { deployCaller } from '../fixtures/caller.ts'
import { PROGRAM_FILE } from '../fixtures/chain.ts'
import { depositPair, draftOrder, type Order } from '../fixtures/deposits.ts'
import { expectLanded, startPool, type PoolFixture } from '../fixtures/pool.ts'

/**
 * Every encoding of a point of small order: its order on RFC 8032's curve divides eight. A verification must refuse
 * such keys, because anyone can forge their signatures for at least one message in eight.
 */
const SMALL_ORDER_KEYS = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000000000000000000000000080',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  '0100000000000000000000000000000000000000000000000000000000000080',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
].map((hex) => new Uint8Array(Buffer.from(hex, 'hex')))
/**
 * A signature in which R is the identity and S is zero. It is valid for some messages of each of these keys. The hash
 * of the message decides whether the signature is valid.
 */
const IDENTITY_SIGNATURE = Uint8Array.of(1, ...new Uint8Array(63))
const PRECOMPILE = /InstructionError\(0, Custom\(\d\)\)/

let fixture: PoolFixture
let orders: Order[]

beforeEach(async () => {
  fixture = await startPool()
  orders = []
  // A verification that doesn't refuse such a key accepts the signature above for at least one message in eight. Each
  // order has a different message. So such a verification would accept some of these orders.
  for (let count = 0; count < 16; count += 1) {
    orders.push(await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n }))
  }
})

/** The verification instruction for an order's terms, with the attacker's key. */
function forgeryOf(order: Order, key: Uint8Array): Instruction {
  const { chain, domain } = fixture
  const digest = termsDigest({ program: chain.program, domain }, order.terms)
  return authorisationInstruction(key, IDENTITY_SIGNATURE, digest)
}

async function attack(order: Order, key: Uint8Array): Promise<string | undefined> {
  const [, deposit] = await depositPair(fixture, order.terms)
  const instructions = [forgeryOf(order, key), deposit]
  return (await fixture.chain.send([order.sender], instructions)).refusal
}

test('the precompile refuses a small-order key', async () => {
  for (const key of SMALL_ORDER_KEYS) {
    for (const order of orders) expect(await attack(order, key)).toMatch(PRECOMPILE)
  }
})

test('the precompile refuses a small-order key even if the key is an authoriser', async () => {
  const { chain, admin } = fixture
  const at = { program: chain.program, admin: admin.address }
  for (const bytes of SMALL_ORDER_KEYS) {
    const key = addressFromBytes(bytes)
    const rotation = await rotateAuthoriserInstruction(at, { slot: 1, key })
    expectLanded(await chain.send([admin], [rotation]))
    for (const order of orders) expect(await attack(order, bytes)).toMatch(PRECOMPILE)
  }
})

test('the zero key does not match an unset slot, even if the precompile accepts every signature', async () => {
  const lax = await startPool()
  const accomplice = await deployCaller(lax.chain)
  // This copy of the built program contains the address of another program instead of the precompile's address. The
  // other program accepts every signature.
  const program = readFileSync(PROGRAM_FILE)
  const at = program.indexOf(addressBytes(ED25519_PROGRAM))
  expect(at).toBeGreaterThan(0)
  program.set(addressBytes(accomplice), at)
  lax.chain.svm.addProgram(lax.chain.program, new Uint8Array(program))
  fixture = lax
  const believed = async (key: Uint8Array) => {
    const order = await draftOrder(lax, { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n })
    const [, deposit] = await depositPair(lax, order.terms)
    const forged = { ...forgeryOf(order, key), programAddress: accomplice }
    return (await lax.chain.send([order.sender], [forged, deposit])).refusal
  }
  expect(await believed(lax.authoriser.publicKey)).toBeUndefined()
  expect(await believed(new Uint8Array(32))).toBe('AuthoriserUnknown')
  const admin = { program: lax.chain.program, admin: lax.admin.address }
  const unset = await rotateAuthoriserInstruction(admin, { slot: 0 })
  expectLanded(await lax.chain.send([lax.admin], [unset]))
  expect(await believed(lax.authoriser.publicKey)).toBe('AuthoriserUnknown')
  expect(await believed(new Uint8Array(32))).toBe('AuthoriserUnknown')
})
