import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { systemRandom } from '../../src/adapters/random/system-random.ts'

const synced: string[] = []
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  return {
    ...real,
    open: async (path: string, ...rest: []) => {
      const file = await real.open(path, ...rest)
      const sync = file.sync.bind(file)
      file.sync = async () => {
        synced.push(path)
        await sync()
      }
      return file
    },
  }
})

it('the folder entry of a new folder of epoch keys is on disk before the first key is used', async () => {
  const { openFileSecrets } = await import('../../src/adapters/keystore/file-secrets.ts')
  const base = await mkdtemp(join(tmpdir(), 'sotto-keys-'))
  const keys = join(base, 'keys')
  await openFileSecrets(keys, systemRandom).forNewOrder(500_000)
  expect(synced).toContain(join(keys, 'epochs'))
  expect(synced).toContain(keys)
  expect(synced).toContain(base)
  await rm(base, { recursive: true })
})
