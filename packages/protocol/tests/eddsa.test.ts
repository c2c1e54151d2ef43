import type * as ZkKit from '@zk-kit/eddsa-poseidon'
import fc from 'fast-check'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import {
  eddsaPublicKey,
  eddsaSign,
  eddsaVerify,
  FIELD_MODULUS,
  ownerOf,
  signPayment,
} from '../index.ts'
import { poseidon } from './poseidon-of-tests.ts'

// The independent implementation. It is loaded with `require`, because Node can't import its modules.
const zkKit = createRequire(import.meta.url)('@zk-kit/eddsa-poseidon') as typeof ZkKit

interface Vectors {
  readonly notes: {
    readonly balance: {
      readonly ownerKey: string
      readonly owner: Readonly<Record<'x' | 'y', string>>
    }
  }
  readonly cases: readonly {
    readonly payment?: {
      readonly message: string
      readonly signature: { readonly S: string; readonly R8: Readonly<Record<'x' | 'y', string>> }
    }
  }[]
}
const file = new URL('../../../vectors/circuit.json', import.meta.url)
const vectors = JSON.parse(await readFile(file, 'utf8')) as Vectors
const pointOf = ({ x, y }: Readonly<Record<'x' | 'y', string>>) => ({ x: BigInt(x), y: BigInt(y) })

const ORDER = 2736030358979909402780800718157159386076813972158567259200215660948447373041n
const element = fc.bigInt({ min: 0n, max: FIELD_MODULUS - 1n })
const key = fc.uint8Array({ minLength: 32, maxLength: 32 })

it('gives the keys and signatures of the vectors, which were proved with the circuit’s tools', () => {
  const { ownerKey, owner } = vectors.notes.balance
  const bytes = new Uint8Array(Buffer.from(ownerKey, 'hex'))
  expect(eddsaPublicKey(bytes)).toEqual(pointOf(owner))
  const payments = vectors.cases.flatMap(({ payment }) => payment ?? [])
  expect(payments.length).toBeGreaterThan(1)
  for (const { message, signature } of payments) {
    const expected = { S: BigInt(signature.S), R8: pointOf(signature.R8) }
    expect(eddsaSign(poseidon, bytes, BigInt(message))).toEqual(expected)
    expect(eddsaVerify(poseidon, pointOf(owner), BigInt(message), expected)).toBe(true)
  }
})

it('gives the same keys and signatures as an independent implementation for any key and message', () => {
  fc.assert(
    fc.property(key, element, (bytes, message) => {
      const [x, y] = zkKit.derivePublicKey(bytes)
      expect(eddsaPublicKey(bytes)).toEqual({ x, y })
      const { S, R8 } = zkKit.signMessage(bytes, message)
      const signature = eddsaSign(poseidon, bytes, message)
      expect(signature).toEqual({ S, R8: { x: R8[0], y: R8[1] } })
      expect(eddsaVerify(poseidon, { x, y }, message, signature)).toBe(true)
    }),
    { numRuns: 10 },
  )
})

describe('a signature', () => {
  const message = 4_711n
  const owner = ownerOf(77n)
  const good = signPayment(poseidon, 77n, message)
  const isValid = (changed: object) =>
    eddsaVerify(poseidon, owner, message, { ...good, ...changed })

  it('is refused if it belongs to another message or another key', () => {
    expect(isValid({})).toBe(true)
    expect(eddsaVerify(poseidon, owner, message + 1n, good)).toBe(false)
    expect(eddsaVerify(poseidon, ownerOf(78n), message, good)).toBe(false)
  })

  it('is refused if its number S is changed, even by the order of the subgroup', () => {
    expect(isValid({ S: good.S + 1n })).toBe(false)
    expect(isValid({ S: good.S + ORDER })).toBe(false)
    expect(isValid({ S: good.S - ORDER })).toBe(false)
  })

  it('is refused if its point R8 is off the curve, outside the field, or not in the subgroup', () => {
    const { x, y } = good.R8
    expect(isValid({ R8: { x, y: y + 1n } })).toBe(false)
    expect(isValid({ R8: { x: x + FIELD_MODULUS, y } })).toBe(false)
    expect(isValid({ R8: { x: 0n, y: 1n } })).toBe(false)
    // The sum of the point and the point of order two.
    expect(isValid({ R8: { x: FIELD_MODULUS - x, y: FIELD_MODULUS - y } })).toBe(false)
  })

  it('is refused if its owner is off the curve', () => {
    const off = { x: owner.x, y: owner.y + 1n }
    expect(eddsaVerify(poseidon, off, message, good)).toBe(false)
  })
})

it('refuses a private key that does not have 32 bytes', () => {
  expect(() => eddsaPublicKey(new Uint8Array(31))).toThrow(/32 bytes/)
})
