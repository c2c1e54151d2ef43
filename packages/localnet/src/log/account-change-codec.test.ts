import type { Address } from '@solana/kit'
import { array, assert, bigInt, boolean, nat, property, tuple, uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import { type Account, isSameAccount } from '../chain/account.ts'
import { readAccountChange, writeAccountChange } from './account-change-codec.ts'
import { BinaryReader } from './binary-reader.ts'
import { BinaryWriter } from './binary-writer.ts'

const address = 'SysvarC1ock11111111111111111111111111111111' as Address
const owner = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address

function roundTrip(before: Account | null, after: Account | null) {
  const writer = new BinaryWriter()
  writeAccountChange(writer, { address, before, after })
  const payload = writer.finish()
  return { payload, result: readAccountChange(new BinaryReader(payload), () => before) }
}

const lamports = bigInt({ min: 0n, max: 2n ** 64n - 1n })

test('any change of an account can be written and read back', () => {
  const account = tuple(lamports, boolean(), uint8Array({ maxLength: 300 }))
  assert(
    property(account, account, boolean(), boolean(), (left, right, hadOne, hasOne) => {
      const toAccount = ([amount, executable, data]: typeof left): Account => {
        return { lamports: amount, owner, executable, data }
      }
      const before = hadOne ? toAccount(left) : null
      const after = hasOne ? toAccount(right) : null
      expect(roundTrip(before, after).result).toEqual({ address, after })
    }),
  )
})

test('edits of a large account take little more space than the changed bytes', () => {
  const edits = array(tuple(nat({ max: 65_999 }), nat({ max: 255 })), { maxLength: 40 })
  assert(
    property(lamports, edits, (amount, changes) => {
      const before = {
        lamports: 1n,
        owner,
        executable: false,
        data: new Uint8Array(66_000).fill(3),
      }
      const data = Uint8Array.from(before.data)
      for (const [at, value] of changes) data[at] = value
      const after = { ...before, lamports: amount, data }
      const { payload, result } = roundTrip(before, after)
      expect(isSameAccount(result.after, after)).toBe(true)
      expect(payload.length).toBeLessThan(200 + changes.length * 32)
    }),
  )
})
