import { expect, it } from 'vitest'
import type { ApiKeyRecord } from '../../ports/account-store.ts'
import { KnownKeys } from './known-keys.ts'

// When the database is asked again: authenticate.test.ts.
const accounts = { findApiKey: () => new Promise<never>(() => undefined) }

const recordOf = (keyId: string) => ({ keyId }) as ApiKeyRecord

it('knows a key for a second, by its whole text only, and not after the clock was set back', () => {
  const keys = new KnownKeys()
  const record = recordOf('one')
  keys.keep(record, 'text of one', 1_000)
  expect(keys.find('one', 'text of one', 1_999, accounts)).toBe(record)
  expect(keys.find('one', 'text of two', 1_999, accounts)).toBeUndefined()
  expect(keys.find('one', 'text of one and more', 1_999, accounts)).toBeUndefined()
  expect(keys.find('one', 'text of one', 2_000, accounts)).toBeUndefined()
  keys.keep(record, 'text of one', 1_000)
  expect(keys.find('one', 'text of one', 999, accounts)).toBeUndefined()
})

/** A key that was asked for at 0 and again at 500, and what answers the second time. */
function askedAgain() {
  const keys = new KnownKeys()
  const secretHmac = new Uint8Array(32)
  const record = { ...recordOf('one'), mode: 'test', secretHmac, isRevoked: false } as ApiKeyRecord
  keys.keep(record, 'text', 0)
  let resolve: (record: ApiKeyRecord) => void = () => undefined
  const slow = { findApiKey: () => new Promise<ApiKeyRecord>((done) => (resolve = done)) }
  expect(keys.find('one', 'text', 500, slow)).toBe(record)
  const answer = async () => {
    resolve(record)
    await new Promise(setImmediate)
  }
  return { keys, record, answer }
}

it('a slow answer counts from when it was asked for', async () => {
  const { keys, record, answer } = askedAgain()
  expect(keys.find('one', 'text', 999, accounts)).toBe(record)
  await answer()
  expect(keys.find('one', 'text', 1_499, accounts)).toBe(record)
  expect(keys.find('one', 'text', 1_500, accounts)).toBeUndefined()
})

it('an answer that others have overtaken takes nothing back', async () => {
  const { keys, record, answer } = askedAgain()
  const revoked = { ...record, isRevoked: true }
  keys.keep(revoked, 'text', 1_000)
  await answer()
  expect(keys.find('one', 'text', 1_001, accounts)).toBe(revoked)
})

it('an answer brings no key back that has grown too old', async () => {
  const { keys, answer } = askedAgain()
  expect(keys.find('one', 'text', 1_000, accounts)).toBeUndefined()
  await answer()
  expect(keys.find('one', 'text', 1_001, accounts)).toBeUndefined()
})

it('remembers only so many', () => {
  const keys = new KnownKeys()
  for (let index = 0; index < 10_000; index += 1) keys.keep(recordOf(`${index}`), 'text', 0)
  expect(keys.find('0', 'text', 0, accounts)).toBeDefined()
  keys.keep(recordOf('one more'), 'text', 0)
  expect(keys.find('0', 'text', 0, accounts)).toBeUndefined()
  expect(keys.find('one more', 'text', 0, accounts)).toBeDefined()
})
