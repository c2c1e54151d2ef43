import {
  getAddressDecoder,
  getAddressEncoder,
  getProgramDerivedAddress,
  isAddress as isKitAddress,
  isOffCurveAddress,
} from '@solana/kit'
import { findAssociatedTokenPda } from '@solana-program/token'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  addressBytes,
  addressFromBytes,
  associatedTokenAddress,
  isAddress,
  orderAddress,
} from '../index.ts'
import { isCurvePoint } from '../src/curve-point.ts'

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })
/** Base58 writes leading zero bytes in a special way, so some samples begin with zeros. */
const withZeros = fc
  .tuple(fc.integer({ min: 0, max: 32 }), bytes32)
  .map(([zeros, bytes]) => bytes.fill(0, 0, zeros))
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const nearAddress = fc.string({
  unit: fc.constantFrom(...ALPHABET, '0', 'O', 'l', ' ', 'é'),
  minLength: 30,
  maxLength: 46,
})

it('reads and writes addresses as the client library does', () => {
  fc.assert(
    fc.property(withZeros, (bytes) => {
      const address = getAddressDecoder().decode(bytes)
      expect(addressFromBytes(bytes)).toBe(address)
      expect(addressBytes(address)).toEqual(bytes)
      expect(isAddress(address)).toBe(true)
    }),
  )
})

it('accepts exactly the texts that the client library accepts as addresses', () => {
  const judge = (text: string) => {
    expect([text, isAddress(text)]).toEqual([text, isKitAddress(text)])
  }
  fc.assert(fc.property(nearAddress, judge))
  fc.assert(
    fc.property(withZeros, fc.nat(43), fc.constantFrom(...ALPHABET), (bytes, at, character) => {
      const text: string = getAddressDecoder().decode(bytes)
      judge(text.slice(0, at) + character + text.slice(at + 1))
      judge(`1${text}`)
      judge(text.slice(1))
    }),
  )
  // The texts of 2^256 - 1 and of 2^256, the shortest address, the shortest address with one more digit, and a number
  // that is too large.
  const last = getAddressDecoder().decode(new Uint8Array(32).fill(255))
  for (const text of [
    last,
    `${last.slice(0, -1)}H`,
    '1'.repeat(32),
    '1'.repeat(33),
    'z'.repeat(44),
  ]) {
    judge(text)
  }
})

it('recognises the same curve points as the client library', () => {
  fc.assert(
    fc.property(bytes32, (bytes) => {
      expect(isCurvePoint(bytes)).toBe(!isOffCurveAddress(getAddressDecoder().decode(bytes)))
    }),
    { numRuns: 500 },
  )
  // Values of y: 0, 1, p - 1, p, p + 1 and 2^255 - 1, each with either sign of x.
  for (const [first, rest] of [
    [0, 0],
    [1, 0],
    [0xec, 0xff],
    [0xed, 0xff],
    [0xee, 0xff],
    [0xff, 0xff],
  ]) {
    for (const top of [0, 0x80]) {
      const bytes = new Uint8Array(32).fill(rest!)
      bytes[0] = first!
      bytes[31] = (rest! & 0x7f) | top
      const isPoint = !isOffCurveAddress(getAddressDecoder().decode(bytes))
      expect([first, top, isCurvePoint(bytes)]).toEqual([first, top, isPoint])
    }
  }
})

it('derives the addresses that the client library derives', async () => {
  const orderId = fc.uint8Array({ minLength: 16, maxLength: 16 })
  await fc.assert(
    fc.asyncProperty(bytes32, orderId, bytes32, async (program, id, mint) => {
      const [programAddress, mintAddress] = [addressFromBytes(program), addressFromBytes(mint)]
      const [order] = await getProgramDerivedAddress({ programAddress, seeds: ['order', id] })
      expect(await orderAddress(programAddress, id)).toBe(order)
      const owner = addressFromBytes(new Uint8Array(getAddressEncoder().encode(order)))
      const of = { owner, mint: mintAddress, tokenProgram: programAddress }
      const [account] = await findAssociatedTokenPda(of)
      expect(await associatedTokenAddress(owner, mintAddress, programAddress)).toBe(account)
    }),
    { numRuns: 50 },
  )
})
