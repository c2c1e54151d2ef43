import { addressFromBytes, amount, FIELD_MODULUS, U64_MAX, unixSeconds } from '@sotto/protocol'
import { watch } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rmdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openFileSecrets } from '../../src/adapters/keystore/file-secrets.ts'
import { makeSecretFile } from '../../src/adapters/keystore/secret-file.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { topUpEpochOf } from '../../src/domain/epoch.ts'
import type { Random } from '../../src/ports/random.ts'
import type { PayloadTerms } from '../../src/ports/secrets.ts'

const ORDER = new Uint8Array(16).fill(7)
const EXPIRY = unixSeconds(1_800_003_600n)
const RECIPIENT = addressFromBytes(new Uint8Array(32).fill(9))
const TERMS: PayloadTerms = {
  ...{ kind: 'transfer', recipient: RECIPIENT, amountOut: amount(U64_MAX), expiry: EXPIRY },
}
const EPOCH = 500_000
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-keys-'))
})
const open = () => openFileSecrets(folder, systemRandom)

describe('an epoch', () => {
  it('gives the same secrets to every caller, even after a restart', async () => {
    const secrets = open()
    const both = await Promise.all([secrets.forNewOrder(EPOCH), open().forNewOrder(EPOCH)])
    const later = await open().read(EPOCH)
    const keys = [...both, later!].map((epoch) => epoch.noteKey(ORDER))
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]! < FIELD_MODULUS).toBe(true)
    expect(await secrets.list()).toEqual([EPOCH])
  })

  it('keeps its key in a file that only the file’s owner can read', async () => {
    await open().forNewOrder(EPOCH)
    const { mode } = await stat(join(folder, 'epochs', `${EPOCH}.key`))
    expect(mode & 0o777).toBe(0o600)
  })

  it('gets no second key while the folder of keys is not mounted', async () => {
    const secrets = open()
    const first = (await secrets.forNewOrder(EPOCH)).noteKey(ORDER)
    await rename(folder, `${folder}-away`)
    await mkdir(folder)
    await expect(secrets.forNewOrder(EPOCH)).rejects.toThrow('mount it again')
    await expect(secrets.forNewOrder(EPOCH + 1)).rejects.toThrow('mount it again')
    expect(await readdir(folder)).toEqual([])
    await rmdir(folder)
    await rename(`${folder}-away`, folder)
    expect((await secrets.forNewOrder(EPOCH)).noteKey(ORDER)).toBe(first)
    expect(await secrets.list()).toEqual([EPOCH])
  })

  it('does not exist for any process after its destruction', async () => {
    const one = open()
    const other = open()
    await one.forNewOrder(EPOCH)
    await other.read(EPOCH)
    await one.destroy(EPOCH)
    await one.destroy(EPOCH)
    expect(await other.read(EPOCH)).toBeUndefined()
    expect(await one.list()).toEqual([])
  })

  it('leaves no copy of its key in a draft, if its maker was killed and the folder was copied', async () => {
    await open().forNewOrder(EPOCH)
    const epochs = join(folder, 'epochs')
    const key = await readFile(join(epochs, `${EPOCH}.key`))
    // A process that is killed between `link` and `unlink` leaves both names.
    await writeFile(join(epochs, `${EPOCH}.key.0123456789abcdef`), key)
    await writeFile(join(epochs, `${EPOCH + 1}.key.0123456789abcdef`), key)
    expect(await open().list()).toEqual([EPOCH, EPOCH + 1])
    await open().destroy(EPOCH)
    expect(await readdir(epochs)).toEqual([`${EPOCH + 1}.key.0123456789abcdef`])
    await open().destroy(EPOCH + 1)
    expect(await open().list()).toEqual([])
    expect(await readdir(epochs)).toEqual([])
  })

  it('is zeroed in this process after another process has destroyed it', async () => {
    const one = open()
    const kept = await one.forNewOrder(EPOCH)
    const living = await one.forNewOrder(EPOCH + 1)
    await open().destroy(EPOCH)
    expect(kept.noteKey(ORDER)).toBeGreaterThan(0n)
    await one.forgetDestroyed()
    const uses: readonly (() => unknown)[] = [
      () => kept.noteKey(ORDER),
      () => kept.pseudonym(ORDER),
      () => kept.quoteMac('quote'),
      () => kept.fingerprint('request'),
      () => kept.seal(ORDER, 'terms', ORDER),
    ]
    for (const use of uses) expect(use).toThrow("the epoch's key was destroyed")
    expect(living.noteKey(ORDER)).toBeGreaterThan(0n)
  })

  it('that is read twice at once exists in memory only once', async () => {
    await open().forNewOrder(EPOCH)
    const one = open()
    const [first, second] = await Promise.all([one.read(EPOCH), one.read(EPOCH)])
    await one.destroy(EPOCH)
    for (const read of [first!, second!]) expect(() => read.noteKey(ORDER)).toThrow('destroyed')
  })

  it('reveals no byte of its key in any file name', async () => {
    const names: string[] = []
    await mkdir(join(folder, 'epochs'))
    const watcher = watch(join(folder, 'epochs'), (_, name) => void names.push(name ?? ''))
    const drawn: string[] = []
    const noting: Random = {
      ...systemRandom,
      bytes: (size) => {
        const bytes = systemRandom.bytes(size)
        if (size === 32) drawn.push(Buffer.from(bytes).toString('hex'))
        return bytes
      },
    }
    await openFileSecrets(folder, noting).forNewOrder(EPOCH)
    await expect.poll(() => names.length).toBeGreaterThan(2)
    watcher.close()
    const [key = ''] = drawn
    expect(key).toHaveLength(64)
    const pieces = Array.from({ length: 29 }, (_, at) => key.slice(2 * at, 2 * at + 8))
    for (const name of names) {
      for (const piece of pieces) expect(name.includes(piece)).toBe(false)
    }
    expect(await readdir(join(folder, 'epochs'))).toEqual([`${EPOCH}.key`])
  })

  it('that can’t be written leaves no temporary file', async () => {
    const path = join(folder, 'epochs', 'taken')
    await mkdir(path, { recursive: true })
    const bytes = systemRandom.bytes(32)
    await expect(makeSecretFile(path, bytes, systemRandom)).rejects.toThrow()
    expect(bytes).toEqual(new Uint8Array(32))
    expect(await readdir(join(folder, 'epochs'))).toEqual(['taken'])
  })

  it('is refused if its key file is truncated', async () => {
    await open().forNewOrder(EPOCH)
    await writeFile(join(folder, 'epochs', `${EPOCH}.key`), 'short')
    await expect(open().read(EPOCH)).rejects.toThrow('damaged')
  })
})

describe('sealing', () => {
  it('begins the payloads of top-ups and transfers with the same hour', async () => {
    const secrets = open()
    const transfers = await secrets.forNewOrder(EPOCH)
    const topUps = await secrets.forNewOrder(topUpEpochOf(EPOCH))
    expect(topUps.noteKey(ORDER)).not.toBe(transfers.noteKey(ORDER))
    const payload = topUps.sealPayload(ORDER, TERMS)
    expect(payload.subarray(0, 4)).toEqual(transfers.sealPayload(ORDER, TERMS).subarray(0, 4))
    expect(topUps.openPayload(ORDER, payload)).toEqual(TERMS)
    expect(() => transfers.openPayload(ORDER, payload)).toThrow()
  })

  it('opens a payload only for the order and the epoch for which it was sealed', async () => {
    const secrets = open()
    const epoch = await secrets.forNewOrder(EPOCH)
    const payload = epoch.sealPayload(ORDER, TERMS)
    expect(payload.length).toBe(65)
    expect(epoch.sealPayload(ORDER, TERMS)).toEqual(payload)
    expect(epoch.openPayload(ORDER, payload)).toEqual(TERMS)
    expect(() => epoch.openPayload(new Uint8Array(16), payload)).toThrow()
    const next = await secrets.forNewOrder(EPOCH + 1)
    expect(() => next.openPayload(ORDER, payload)).toThrow("doesn't belong to this epoch")
  })

  it('gives payloads of balances and transfers the same length', async () => {
    const epoch = await open().forNewOrder(EPOCH)
    const owner = new Uint8Array(32).fill(3)
    const terms: PayloadTerms = { kind: 'balance', owner, expiry: EXPIRY }
    const payload = epoch.sealPayload(ORDER, terms)
    expect(payload.length).toBe(epoch.sealPayload(ORDER, TERMS).length)
    expect(epoch.openPayload(ORDER, payload)).toEqual(terms)
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

it('API keys are hashed under one pepper, even after a restart', async () => {
  const first = await open().apiKeyHmac('secret')
  expect(await open().apiKeyHmac('secret')).toEqual(first)
  expect((await readFile(join(folder, 'pepper'))).length).toBe(32)
})

it('API keys are hashed again as soon as a damaged pepper is replaced', async () => {
  const expected = await open().apiKeyHmac('secret')
  const path = join(folder, 'pepper')
  const pepper = await readFile(path)
  await writeFile(path, pepper.subarray(1))
  const secrets = open()
  await expect(secrets.apiKeyHmac('secret')).rejects.toThrow('restore its backup')
  await writeFile(path, pepper)
  expect(await secrets.apiKeyHmac('secret')).toEqual(expected)
})
