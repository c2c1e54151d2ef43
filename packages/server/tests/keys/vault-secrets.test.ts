import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  openVaultSecrets,
  readVaultOperatorToken,
} from '../../src/adapters/keystore/vault-secrets.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { openKvStore } from '../../src/adapters/vault/kv-store.ts'
import { openVault } from '../../src/adapters/vault/vault-client.ts'
import { movedClock, type MovedClock } from '../remote/no-wait-clock.ts'
import { startVault, type VaultServer } from '../remote/vault-server.ts'

const ORDER = new Uint8Array(16).fill(7)
const EPOCH = 500_000
let clock: MovedClock
let vault: VaultServer
beforeEach(async () => {
  clock = movedClock(0)
  vault = await startVault('hvs.token')
})
afterEach(() => vault.close())

const store = () =>
  openKvStore(
    openVault({ url: vault.url, token: async () => 'hvs.token', clock }),
    'secret',
    'sotto/test',
  )
const open = () => openVaultSecrets(store(), systemRandom, clock)

describe('an epoch', () => {
  it('gives the same secrets to every caller, even after a restart', async () => {
    const both = await Promise.all([open().forNewOrder(EPOCH), open().forNewOrder(EPOCH)])
    const later = await open().read(EPOCH)
    expect(new Set([...both, later!].map((epoch) => epoch.noteKey(ORDER))).size).toBe(1)
    expect(vault.kv.get(`sotto/test/epochs/${EPOCH}`)).toHaveLength(1)
    await open().forNewOrder(EPOCH + 1)
    expect(await open().list()).toEqual([EPOCH, EPOCH + 1])
  })

  it('is made once even if the answer to its creation is lost', async () => {
    const secrets = open()
    vault.faults.push(404, 'cut')
    const first = await secrets.forNewOrder(EPOCH)
    expect((await open().read(EPOCH))?.noteKey(ORDER)).toBe(first.noteKey(ORDER))
  })

  it('leaves no data in Vault after its destruction', async () => {
    const secrets = open()
    await secrets.forNewOrder(EPOCH)
    const versions = vault.kv.get(`sotto/test/epochs/${EPOCH}`)!
    await secrets.destroy(EPOCH)
    await secrets.destroy(EPOCH)
    // The versions of the key were destroyed. Then the key was deleted with its metadata.
    expect(vault.kv.size).toBe(0)
    expect(versions).toEqual([{ data: null, destroyed: true }])
    expect(await secrets.read(EPOCH)).toBeUndefined()
    expect(await secrets.list()).toEqual([])
  })

  it('counts as destroyed even if its metadata still exists', async () => {
    const secrets = open()
    await secrets.forNewOrder(EPOCH)
    vault.kv.get(`sotto/test/epochs/${EPOCH}`)![0]!.destroyed = true
    expect(await open().read(EPOCH)).toBeUndefined()
    await secrets.destroy(EPOCH)
    expect(vault.kv.size).toBe(0)
  })

  it('is not reported as destroyed if Vault refuses the request', async () => {
    const secrets = open()
    await secrets.forNewOrder(EPOCH)
    for (const fault of [403, 400] as const) {
      vault.faults.push(fault)
      await expect(secrets.destroy(EPOCH)).rejects.toThrow(`status ${fault}`)
    }
    expect(vault.kv.get(`sotto/test/epochs/${EPOCH}`)?.[0]?.destroyed).toBe(false)
  })

  it('is soon unreadable in this process if another process destroyed it', async () => {
    const here = open()
    await here.forNewOrder(EPOCH)
    await open().destroy(EPOCH)
    clock.advanceMs(30_000)
    expect(await here.read(EPOCH)).toBeUndefined()
  })

  it('is soon unreadable in this process even if the clock was set back', async () => {
    const here = open()
    await here.forNewOrder(EPOCH)
    await open().destroy(EPOCH)
    clock.advanceMs(-3_600_000)
    expect(await here.read(EPOCH)).toBeUndefined()
  })

  it('is zeroed in this process after another process has destroyed it', async () => {
    const secrets = open()
    const kept = await secrets.forNewOrder(EPOCH)
    const living = await secrets.forNewOrder(EPOCH + 1)
    await open().destroy(EPOCH)
    expect(kept.noteKey(ORDER)).toBeGreaterThan(0n)
    await secrets.forgetDestroyed()
    expect(() => kept.noteKey(ORDER)).toThrow("the epoch's key was destroyed")
    expect(() => kept.pseudonym(ORDER)).toThrow("the epoch's key was destroyed")
    expect(living.noteKey(ORDER)).toBeGreaterThan(0n)
  })

  it('stays usable while Vault is down for some minutes', async () => {
    const secrets = open()
    await secrets.forNewOrder(EPOCH)
    const before = vault.asked.length
    await Promise.all([secrets.read(EPOCH), secrets.read(EPOCH)])
    expect(vault.asked.length).toBe(before)
    const down = () => vault.faults.push(503, 503, 503, 503)
    clock.advanceMs(60_000)
    down()
    expect(await secrets.read(EPOCH)).toBeDefined()
    clock.advanceMs(600_000)
    down()
    await expect(secrets.read(EPOCH)).rejects.toThrow('503')
  })
})

it('callers with a cached key do not wait for a hanging Vault', async () => {
  let fate: 'up' | 'down' | 'hanging' = 'up'
  const kept = store()
  const fickle = {
    ...kept,
    read: (name: string) => {
      if (fate === 'down') return Promise.reject(new Error('down'))
      return fate === 'up' ? kept.read(name) : new Promise<never>(() => undefined)
    },
  }
  const secrets = openVaultSecrets(fickle, systemRandom, clock)
  await secrets.forNewOrder(EPOCH)
  clock.advanceMs(30_000)
  fate = 'down'
  expect(await secrets.read(EPOCH)).toBeDefined()
  fate = 'hanging'
  expect(await secrets.read(EPOCH)).toBeDefined()
  expect(await secrets.read(EPOCH)).toBeDefined()
})

it('API keys are hashed under one pepper, even if Vault was down at the first request', async () => {
  const secrets = open()
  vault.faults.push(503, 503, 503, 503)
  await expect(secrets.apiKeyHmac('secret')).rejects.toThrow('503')
  const hash = await secrets.apiKeyHmac('secret')
  expect(await open().apiKeyHmac('secret')).toEqual(hash)
})

it('the operator’s token stays the same', async () => {
  const token = await readVaultOperatorToken(store(), systemRandom)
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  expect(await readVaultOperatorToken(store(), systemRandom)).toBe(token)
})
