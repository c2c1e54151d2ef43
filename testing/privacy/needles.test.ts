import { address, getAddressEncoder } from '@solana/kit'
import { expect, it } from 'vitest'
import { Needles } from './needles.ts'

const ADDRESS = address('7Np41oeYqPefeNQEHSv1UDhYrehxin3NStELsSKCT4K2')
const needles = new Needles()
  .address('the payee', ADDRESS)
  .amount('the amount', '123456789123')
  .text('the key', 'sotto_test_abcdefghijkl')

it('finds a leaked value in every usual text form', () => {
  const payee = Buffer.from(getAddressEncoder().encode(ADDRESS))
  const ofKey = Buffer.from('sotto_test_abcdefghijkl')
  for (const [what, text] of [
    ['the payee', `to ${ADDRESS}.`],
    ['the amount', '{"amount":"123456789123"}'],
    ['the amount', 'lamports 123456789123n'],
    ['the payee', payee.toString('hex').toUpperCase()],
    ['the payee', payee.toString('base64url')],
    ['the amount', `data ${le(123456789123n)}`],
    ['the amount', le(123456789123n).toUpperCase()],
    ['the key', ofKey.toString('base64')],
    ['the key', JSON.stringify({ ...new Uint8Array(ofKey) })],
    ['the key', `<Buffer ${ofKey.toString('hex').match(/../g)!.join(' ')}>`],
    ['the key', `[${[...ofKey].join(', ')}]`],
  ] as const) {
    expect(needles.foundIn(text)).toEqual([what])
  }
  expect(needles.foundIn('{"status":200,"ms":1234567891}')).toEqual([])
})

function le(value: bigint): string {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes.toString('hex')
}

it('rejects needles that are too short', () => {
  expect(() => new Needles().amount('dust', '5000')).toThrow(/too small/)
  expect(() => new Needles().text('a word', 'order')).toThrow(/too short/)
})
