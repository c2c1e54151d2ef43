import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openFileSecrets } from '../../adapters/keystore/file-secrets.ts'
import { systemRandom } from '../../adapters/random/system-random.ts'
import { QuoteKeys } from './quote-keys.ts'

const EPOCH = 500_000
const MESSAGE = 'terms'

async function open() {
  const secrets = openFileSecrets(await mkdtemp(join(tmpdir(), 'sotto-keys-')), systemRandom)
  let nowMs = 1_800_000_000_000
  const clock = { nowMs: () => nowMs, sleep: async () => undefined }
  const macOf = async (epoch: number) => {
    const own = await keys.forNewOrder(epoch)
    return Buffer.from(own.quoteMac(MESSAGE)).toString('hex')
  }
  const keys = new QuoteKeys(secrets, clock)
  return { secrets, macOf, pass: (ms: number) => void (nowMs += ms) }
}

it('a destroyed key stops signing quotes within a second', async () => {
  const { secrets, macOf, pass } = await open()
  const before = await macOf(EPOCH)
  await secrets.destroy(EPOCH)
  pass(999)
  await expect(macOf(EPOCH)).rejects.toThrow("the epoch's key was destroyed")
  pass(1)
  expect(await macOf(EPOCH)).not.toBe(before)
})

it('no cached key is used in another epoch, or after the clock was set back', async () => {
  const { secrets, macOf, pass } = await open()
  const before = await macOf(EPOCH)
  expect(await macOf(EPOCH + 1)).not.toBe(before)
  expect(await macOf(EPOCH)).toBe(before)
  await secrets.destroy(EPOCH)
  pass(-1)
  expect(await macOf(EPOCH)).not.toBe(before)
})

it('a failure is not cached', async () => {
  const { secrets } = await open()
  let isDown = true
  const failing = {
    ...secrets,
    forNewOrder: async (epoch: number) => {
      if (isDown) throw new Error('the folder is gone')
      return secrets.forNewOrder(epoch)
    },
  }
  const keys = new QuoteKeys(failing, { nowMs: () => 1, sleep: async () => undefined })
  await expect(keys.forNewOrder(EPOCH)).rejects.toThrow('the folder is gone')
  isDown = false
  expect((await keys.forNewOrder(EPOCH)).epoch).toBe(EPOCH)
})

it('checks for the key once a second', async () => {
  const { secrets } = await open()
  let nowMs = 0
  let reads = 0
  const counted = {
    ...secrets,
    forNewOrder: async (epoch: number) => {
      reads += 1
      return secrets.forNewOrder(epoch)
    },
  }
  const keys = new QuoteKeys(counted, { nowMs: () => nowMs, sleep: async () => undefined })
  for (nowMs of [0, 0, 500, 999]) await keys.forNewOrder(EPOCH)
  expect(reads).toBe(1)
  nowMs = 1_000
  await keys.forNewOrder(EPOCH)
  expect(reads).toBe(2)
})
