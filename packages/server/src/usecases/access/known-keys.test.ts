import { expect, it } from 'vitest'
import type { ApiKeyRecord } from '../../ports/account-store.ts'
import type { Clock } from '../../ports/clock.ts'
import { KnownKeys } from './known-keys.ts'

// This database never answers. authenticate.test.ts has more tests of repeated reads.
const silent = { findApiKey: () => new Promise<never>(() => undefined) }

const recordOf = (keyId: string) => ({ keyId }) as ApiKeyRecord

function open(accounts: ConstructorParameters<typeof KnownKeys>[0] = silent) {
  let nowMs = 0
  const keys = new KnownKeys(accounts, { nowMs: () => nowMs } as Clock)
  const findAt = (atMs: number, keyId: string, text: string) => {
    nowMs = atMs
    return keys.find(keyId, text)
  }
  return { keys, findAt }
}

it('accepts a key for a second, and only with its whole text', () => {
  const { keys, findAt } = open()
  const record = recordOf('one')
  keys.keep(record, 'text of one', 1_000)
  expect(findAt(1_999, 'one', 'text of one')).toBe(record)
  expect(findAt(1_999, 'one', 'text of two')).toBeUndefined()
  expect(findAt(1_999, 'one', 'text of one and more')).toBeUndefined()
  expect(findAt(2_000, 'one', 'text of one')).toBeUndefined()
  keys.keep(record, 'text of one', 1_000)
  expect(findAt(999, 'one', 'text of one')).toBeUndefined()
})

/** A key that was read at 0 ms and again at 500 ms, and a function that completes the second read. */
function askedAgain() {
  let resolve: (record: ApiKeyRecord) => void = () => undefined
  const slow = { findApiKey: () => new Promise<ApiKeyRecord>((done) => (resolve = done)) }
  const { keys, findAt } = open(slow)
  const secretHmac = new Uint8Array(32)
  const record = { ...recordOf('one'), mode: 'test', secretHmac, isRevoked: false } as ApiKeyRecord
  keys.keep(record, 'text', 0)
  expect(findAt(500, 'one', 'text')).toBe(record)
  const answer = async () => {
    resolve(record)
    await new Promise(setImmediate)
  }
  return { keys, findAt, record, answer }
}

it('counts the age of a slow answer from the time of the request', async () => {
  const { findAt, record, answer } = askedAgain()
  expect(findAt(999, 'one', 'text')).toBe(record)
  await answer()
  expect(findAt(1_499, 'one', 'text')).toBe(record)
  expect(findAt(1_500, 'one', 'text')).toBeUndefined()
})

it('an answer that arrives after a newer answer changes nothing', async () => {
  const { keys, findAt, record, answer } = askedAgain()
  const revoked = { ...record, isRevoked: true }
  keys.keep(revoked, 'text', 1_000)
  await answer()
  expect(findAt(1_001, 'one', 'text')).toBe(revoked)
})

it('an answer that arrives too late does not restore its key', async () => {
  const { findAt, answer } = askedAgain()
  expect(findAt(1_000, 'one', 'text')).toBeUndefined()
  await answer()
  expect(findAt(1_001, 'one', 'text')).toBeUndefined()
})

it('remembers only a limited number of keys', () => {
  const { keys, findAt } = open()
  for (let index = 0; index < 10_000; index += 1) keys.keep(recordOf(`${index}`), 'text', 0)
  expect(findAt(0, '0', 'text')).toBeDefined()
  keys.keep(recordOf('one more'), 'text', 0)
  expect(findAt(0, '0', 'text')).toBeUndefined()
  expect(findAt(0, 'one more', 'text')).toBeDefined()
})
