import { expect, it } from 'vitest'
import { systemRandom } from '../adapters/random/system-random.ts'
import type { ApiKeyRecord } from '../ports/account-store.ts'
import { drawApiKey, formatApiKey } from './api-key.ts'
import { authenticate, type AuthenticateDependencies } from './authenticate.ts'
import { KnownKeys } from './known-keys.ts'

const key = drawApiKey('test', systemRandom)
const hmacOf = (secret: string) => new Uint8Array(Buffer.from(secret.slice(0, 32)))

function service() {
  const at = { nowMs: 1_000_000, lookups: 0, isRevoked: false }
  const record = (): ApiKeyRecord => ({
    keyId: key.keyId,
    mode: 'test',
    secretHmac: hmacOf(key.secret),
    scopes: ['read'],
    expiresAtMs: undefined,
    isRevoked: at.isRevoked,
    account: { id: 'acme', isDisabled: false, feeBpsMax: 0, openSwapsMax: 0 },
  })
  const d = {
    accounts: {
      findApiKey: async (keyId: string) => {
        at.lookups += 1
        return keyId === key.keyId ? record() : undefined
      },
    },
    secrets: { apiKeyHmac: async (secret: string) => hmacOf(secret) },
    clock: { nowMs: () => at.nowMs },
    knownKeys: new KnownKeys(),
    keyMode: 'test',
  } as unknown as AuthenticateDependencies
  const ask = (text: string) => authenticate(d, `Bearer ${text}`)
  return { at, ask }
}

it('asks the database once a second for a key in use, and believes no answer longer', async () => {
  const { at, ask } = service()
  const text = formatApiKey(key)
  await ask(text)
  at.nowMs += 999
  await ask(text)
  expect(at.lookups).toBe(1)
  at.isRevoked = true
  at.nowMs += 1
  await expect(ask(text)).rejects.toThrow('UNAUTHORIZED')
  expect(at.lookups).toBe(2)
})

it('looks every guess up, also at a key in use, so that time tells nothing', async () => {
  const { at, ask } = service()
  await ask(formatApiKey(key))
  const guess = formatApiKey({ ...key, secret: drawApiKey('test', systemRandom).secret })
  for (const lookups of [2, 3]) {
    await expect(ask(guess)).rejects.toThrow('UNAUTHORIZED')
    expect(at.lookups).toBe(lookups)
  }
})

it('believes nothing from the future of a clock that was set back', async () => {
  const { at, ask } = service()
  const text = formatApiKey(key)
  await ask(text)
  at.isRevoked = true
  at.nowMs -= 60_000
  await expect(ask(text)).rejects.toThrow('UNAUTHORIZED')
})
