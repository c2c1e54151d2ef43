import { expect, it } from 'vitest'
import type { ApiKeyRecord } from '../ports/account-store.ts'
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

it('remembers only so many', () => {
  const keys = new KnownKeys()
  for (let index = 0; index < 10_000; index += 1) keys.keep(recordOf(`${index}`), 'text', 0)
  expect(keys.find('0', 'text', 0, accounts)).toBeDefined()
  keys.keep(recordOf('one more'), 'text', 0)
  expect(keys.find('0', 'text', 0, accounts)).toBeUndefined()
  expect(keys.find('one more', 'text', 0, accounts)).toBeDefined()
})
