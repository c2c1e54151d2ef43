import { cp, link, mkdtemp, readFile, readdir } from 'node:fs/promises'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openFileSecrets } from '../../src/adapters/keystore/file-secrets.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
void cp
it('a key that was made by a process that was killed before it removed its draft is gone after its destruction on another host', async () => {
  const base = await mkdtemp(join(tmpdir(), 'sotto-draft-'))
  const old = join(base, 'old')
  await openFileSecrets(old, systemRandom).forNewOrder(500_000)
  // What a kill between `link` and `unlink` leaves behind: both names of one file.
  await link(join(old, 'epochs/500000.key'), join(old, 'epochs/500000.key.0123456789abcdef'))
  const key = await readFile(join(old, 'epochs/500000.key'))
  execFileSync('cp', ['--recursive', old, join(base, 'new')])
  const moved = openFileSecrets(join(base, 'new'), systemRandom)
  expect(await moved.list()).toEqual([500_000])
  await moved.destroy(500_000)
  expect(await moved.list()).toEqual([])
  const left = await Promise.all(
    (await readdir(join(base, 'new/epochs'))).map((n) => readFile(join(base, 'new/epochs', n))),
  )
  expect(left.some((one) => one.equals(key))).toBe(false)
})
