import type { Address } from '@sotto/protocol'
import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { openDenyList } from '../../src/adapters/screener/deny-list.ts'

const ONE = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address
const OTHER = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB' as Address
let path: string
let failures: string[]
beforeEach(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'sotto-denied-')), 'denied')
  failures = []
  await writeFile(path, `# refused\n\n${ONE}\n`)
})
const open = () => openDenyList(path, (error) => failures.push(String(error)))

it('follows its file even if another file replaces it', async () => {
  const screener = await open()
  expect([
    await screener.isRefused(ONE, 'local'),
    await screener.isRefused(OTHER, 'local'),
  ]).toEqual([true, false])
  await appendFile(path, `${OTHER}\n`)
  expect(await screener.isRefused(OTHER, 'local')).toBe(true)
  await writeFile(`${path}.new`, `${OTHER}\n`)
  await rename(`${path}.new`, path)
  expect([
    await screener.isRefused(ONE, 'local'),
    await screener.isRefused(OTHER, 'local'),
  ]).toEqual([false, true])
  expect(failures).toEqual([])
})

it.each([
  ['is gone', () => rm(path), 'ENOENT'],
  ['was emptied', () => writeFile(path, ''), 'is empty'],
  ['was cut short', () => writeFile(path, OTHER.slice(0, 20)), 'line 1'],
  ['contains something else', () => writeFile(path, `${OTHER}\n<html>\n`), 'line 2'],
])('a file that %s does not change the list', async (_, damage, reason) => {
  const screener = await open()
  await damage()
  for (let asked = 0; asked < 3; asked += 1) {
    expect([
      await screener.isRefused(ONE, 'local'),
      await screener.isRefused(OTHER, 'local'),
    ]).toEqual([true, false])
  }
  expect(failures).toHaveLength(1)
  expect(failures[0]).toContain(reason)
  expect(failures[0]).not.toContain(OTHER.slice(0, 20))
  await writeFile(`${path}.new`, `${OTHER}\n`)
  await rename(`${path}.new`, path)
  expect(await screener.isRefused(OTHER, 'local')).toBe(true)
})

it('accepts an empty list if the file contains a comment', async () => {
  const screener = await open()
  await writeFile(path, '# nobody\n')
  expect(await screener.isRefused(ONE, 'local')).toBe(false)
})

it('does not start with a missing or invalid file', async () => {
  await writeFile(path, 'nobody')
  await expect(open()).rejects.toThrow('line 1 of the deny list')
  await rm(path)
  await expect(open()).rejects.toThrow('ENOENT')
})
