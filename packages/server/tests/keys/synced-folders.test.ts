import type * as files from 'node:fs/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { systemRandom } from '../../src/adapters/random/system-random.ts'

const synced = vi.hoisted<string[]>(() => [])
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof files>()
  const open: typeof real.open = async (path, ...rest) => {
    const file = await real.open(path, ...rest)
    const sync = file.sync.bind(file)
    file.sync = () => {
      synced.push(String(path))
      return sync()
    }
    return file
  }
  return { ...real, open }
})
vi.resetModules()
const { openFileSecrets } = await import('../../src/adapters/keystore/file-secrets.ts')
afterAll(() => vi.resetModules())

it('writes the entries of new folders to disk before it returns the first key in them', async () => {
  const base = await mkdtemp(join(tmpdir(), 'sotto-keys-'))
  const keys = join(base, 'deep', 'keys')
  await openFileSecrets(keys, systemRandom).forNewOrder(500_000)
  const folders = [base, join(base, 'deep'), keys, join(keys, 'epochs')]
  expect(synced).toEqual(expect.arrayContaining(folders))
  synced.length = 0
  await openFileSecrets(keys, systemRandom).forNewOrder(500_001)
  expect(synced).toContain(join(keys, 'epochs'))
  expect(synced).not.toContain(keys)
  await rm(base, { recursive: true })
})
