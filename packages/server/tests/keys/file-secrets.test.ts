import { addressFromBytes, FIELD_MODULUS } from '@sotto/protocol'
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openFileSecrets } from '../../src/adapters/keystore/file-secrets.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'

const ORDER = new Uint8Array(16).fill(7)
const RECIPIENT = addressFromBytes(new Uint8Array(32).fill(9))
const EPOCH = 500_000
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-keys-'))
})
const open = () => openFileSecrets(folder, systemRandom)

describe('an epoch', () => {
  it('gives the same secrets after a restart and to whoever asks at the same moment', async () => {
    const secrets = open()
    const both = await Promise.all([secrets.forNewOrder(EPOCH), open().forNewOrder(EPOCH)])
    const later = await open().read(EPOCH)
    const keys = [...both, later!].map((epoch) => epoch.noteKey(ORDER))
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]! < FIELD_MODULUS).toBe(true)
    expect(await secrets.list()).toEqual([EPOCH])
  })

  it('keeps its key readable by its owner only', async () => {
    await open().forNewOrder(EPOCH)
    const { mode } = await stat(join(folder, 'epochs', `${EPOCH}.key`))
    expect(mode & 0o777).toBe(0o600)
  })

  it('is gone for every process once destroyed, and destroying it again is no error', async () => {
    const one = open()
    const other = open()
    await one.forNewOrder(EPOCH)
    await other.read(EPOCH)
    await one.destroy(EPOCH)
    await one.destroy(EPOCH)
    expect(await other.read(EPOCH)).toBeUndefined()
    expect(await one.list()).toEqual([])
  })

  it('is refused where its key file was cut short', async () => {
    await open().forNewOrder(EPOCH)
    await writeFile(join(folder, 'epochs', `${EPOCH}.key`), 'short')
    await expect(open().read(EPOCH)).rejects.toThrow('damaged')
  })
})

describe('sealing', () => {
  it('opens a recipient only for the order and epoch it was sealed for', async () => {
    const secrets = open()
    const epoch = await secrets.forNewOrder(EPOCH)
    const payload = epoch.sealRecipient(ORDER, RECIPIENT)
    expect(payload.length).toBe(52)
    expect(epoch.sealRecipient(ORDER, RECIPIENT)).toEqual(payload)
    expect(epoch.openRecipient(ORDER, payload)).toBe(RECIPIENT)
    expect(() => epoch.openRecipient(new Uint8Array(16), payload)).toThrow()
    const next = await secrets.forNewOrder(EPOCH + 1)
    expect(() => next.openRecipient(ORDER, payload)).toThrow("isn't one of this epoch")
  })

  it('opens nothing under another label or with a changed byte', async () => {
    const epoch = await open().forNewOrder(EPOCH)
    const clear = new TextEncoder().encode('clear')
    const sealed = epoch.seal(ORDER, 'plan', clear)
    expect(epoch.open(ORDER, 'plan', sealed)).toEqual(clear)
    expect(() => epoch.open(ORDER, 'outcome', sealed)).toThrow()
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = sealed.slice()
      changed[index]! ^= 1
      expect(() => epoch.open(ORDER, 'plan', changed)).toThrow()
    }
  })
})

it('hashes API keys under one pepper, which survives a restart', async () => {
  const first = await open().apiKeyHmac('secret')
  expect(await open().apiKeyHmac('secret')).toEqual(first)
  expect((await readFile(join(folder, 'pepper'))).length).toBe(32)
})
