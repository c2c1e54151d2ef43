import { beforeAll, expect, test } from 'vitest'
import {
  addressFromBytes,
  authorisationInstruction,
  NATIVE_MINT,
  rotateAuthoriserInstruction,
  termsDigest,
} from '@sotto/protocol'
import { depositPair, draftOrder, type Order } from '../fixtures/deposits.ts'
import { expectLanded, startPool, type PoolFixture } from '../fixtures/pool.ts'

/**
 * Every encoding of a point whose order divides eight, by RFC 8032's curve: under such a key whoever
 * asks can make signatures, of every eighth message or of all of them, wherever verification is lax.
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
/** R is the identity and S is zero: a signature under any of them where the hash allows it. */
const IDENTITY_SIGNATURE = Uint8Array.of(1, ...new Uint8Array(63))
const PRECOMPILE = /InstructionError\(0, Custom\(\d\)\)/

let fixture: PoolFixture
let orders: Order[]

beforeAll(async () => {
  fixture = await startPool()
  orders = []
  // Each order is another message, so that the one in eight that a lax check accepts is among them.
  for (let count = 0; count < 16; count += 1) {
    orders.push(await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n }))
  }
})

async function attack(order: Order, key: Uint8Array): Promise<string | undefined> {
  const { chain, domain } = fixture
  const digest = termsDigest({ program: chain.program, domain }, order.terms)
  const [, deposit] = await depositPair(fixture, order.terms)
  const forged = authorisationInstruction(key, IDENTITY_SIGNATURE, digest)
  return (await chain.send([order.sender], [forged, deposit])).refusal
}

test('a small-order key signs nothing for an unset authoriser slot', async () => {
  for (const key of SMALL_ORDER_KEYS) {
    for (const order of orders) {
      const refusal = await attack(order, key)
      if (!PRECOMPILE.test(refusal ?? '')) expect(refusal).toBe('AuthoriserUnknown')
    }
  }
})

test('a small-order key that an admin was talked into signs nothing either', async () => {
  const { chain, admin } = fixture
  const at = { program: chain.program, admin: admin.address }
  for (const bytes of SMALL_ORDER_KEYS) {
    const key = addressFromBytes(bytes)
    const rotation = await rotateAuthoriserInstruction(at, { slot: 1, key })
    expectLanded(await chain.send([admin], [rotation]))
    for (const order of orders) {
      const refusal = await attack(order, bytes)
      if (!PRECOMPILE.test(refusal ?? '')) expect(refusal).toBe('AuthoriserUnknown')
    }
  }
})
