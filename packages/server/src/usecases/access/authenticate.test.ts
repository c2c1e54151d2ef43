import { expect, it } from 'vitest'
import { systemRandom } from '../../adapters/random/system-random.ts'
import type { ApiKeyRecord } from '../../ports/account-store.ts'
import type { Clock } from '../../ports/clock.ts'
import { drawApiKey, formatApiKey } from './api-key.ts'
import { authenticate, type AuthenticateDependencies } from './authenticate.ts'
import { isImmediate } from '../../running/is-immediate.ts'
import { KnownKeys } from './known-keys.ts'

const key = drawApiKey('test', systemRandom)
const hmacOf = (secret: string) => new Uint8Array(Buffer.from(secret.slice(0, 32)))

function service() {
  const at = {
    nowMs: 1_000_000,
    lookups: 0,
    isRevoked: false,
    isGone: false,
    isDown: false,
    secret: key.secret,
  }
  const record = (): ApiKeyRecord => ({
    keyId: key.keyId,
    mode: 'test',
    secretHmac: hmacOf(at.secret),
    scopes: ['read'],
    expiresAtMs: undefined,
    isRevoked: at.isRevoked,
    account: { id: 'acme', isDisabled: false, feeBpsMax: 0, openSwapsMax: 0, openOrdersMax: 0 },
  })
  const accounts = {
    findApiKey: async (keyId: string) => {
      at.lookups += 1
      if (at.isDown) throw new Error('down')
      return keyId === key.keyId && !at.isGone ? record() : undefined
    },
  }
  const clock = { nowMs: () => at.nowMs } as Clock
  const d = {
    accounts,
    secrets: { apiKeyHmac: async (secret: string) => hmacOf(secret) },
    clock,
    knownKeys: new KnownKeys(accounts, clock),
    keyMode: 'test',
  } as unknown as AuthenticateDependencies
  const ask = (text: string) => authenticate(d, `Bearer ${text}`)
  return { at, ask }
}

it('uses a record of the database for less than a second', async () => {
  const { at, ask } = service()
  const text = formatApiKey(key)
  await ask(text)
  at.isRevoked = true
  at.nowMs += 499
  await ask(text)
  expect(at.lookups).toBe(1)
  at.nowMs += 501
  await expect(ask(text)).rejects.toThrow('UNAUTHORIZED')
  expect(at.lookups).toBe(2)
})

it('reads the record of a used key again before that record is too old', async () => {
  const { at, ask } = service()
  const text = formatApiKey(key)
  await ask(text)
  at.nowMs += 499
  await ask(text)
  expect(at.lookups).toBe(1)
  at.nowMs += 1
  // The cache answers these requests immediately.
  for (let requests = 0; requests < 3; requests += 1) expect(isImmediate(ask(text))).toBe(true)
  expect(at.lookups).toBe(2)
  await new Promise(setImmediate)
  at.nowMs += 999
  expect(isImmediate(ask(text))).toBe(true)
  expect(at.lookups).toBe(3)
})

it.each([
  ['revoked', { isRevoked: true }],
  ['gone', { isGone: true }],
  ['a key with another secret', { secret: drawApiKey('test', systemRandom).secret }],
])('refuses a key that the background read found to be %s', async (_name, change) => {
  const { at, ask } = service()
  const text = formatApiKey(key)
  await ask(text)
  Object.assign(at, change)
  at.nowMs += 500
  await ask(text)
  await new Promise(setImmediate)
  await expect(async () => ask(text)).rejects.toThrow('UNAUTHORIZED')
})

it('after a failed background read, reads again only when a request must wait for it', async () => {
  const { at, ask } = service()
  const text = formatApiKey(key)
  await ask(text)
  at.isDown = true
  at.nowMs += 500
  for (let requests = 0; requests < 3; requests += 1) {
    await ask(text)
    await new Promise(setImmediate)
  }
  expect(at.lookups).toBe(2)
  at.nowMs += 500
  await expect(ask(text)).rejects.toThrow('down')
  at.isDown = false
  await ask(text)
})

it('reads the database for every guessed secret', async () => {
  const { at, ask } = service()
  await ask(formatApiKey(key))
  const guess = formatApiKey({ ...key, secret: drawApiKey('test', systemRandom).secret })
  for (const lookups of [2, 3]) {
    await expect(ask(guess)).rejects.toThrow('UNAUTHORIZED')
    expect(at.lookups).toBe(lookups)
  }
})

it('uses no record from the future if the clock was set back', async () => {
  const { at, ask } = service()
  const text = formatApiKey(key)
  await ask(text)
  at.isRevoked = true
  at.nowMs -= 60_000
  await expect(ask(text)).rejects.toThrow('UNAUTHORIZED')
})

it('uses no earlier record if the clock was set back by half a second', async () => {
  const { at, ask } = service()
  const text = formatApiKey(key)
  await ask(text)
  at.nowMs += 499
  await ask(text)
  at.isRevoked = true
  // The clock, set back by 498 ms, is still 1 ms later than the database's answer. If the service didn't notice that
  // the clock was set back, it would use this answer for another second.
  at.nowMs -= 498
  await expect(async () => ask(text)).rejects.toThrow('UNAUTHORIZED')
})
