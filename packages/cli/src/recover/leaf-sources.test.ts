import { fieldToBytes } from '@sotto/protocol'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { leafSource } from './leaf-sources.ts'

const LEAVES = Array.from({ length: 1_030 }, (_, index) => BigInt(index) + 2n ** 200n)
const hex = (leaf: bigint) => Buffer.from(fieldToBytes(leaf)).toString('hex')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-leaves-'))
  for (const from of [0, 1_024]) {
    const leaves = LEAVES.slice(from, from + 1_024).map(hex)
    await writeFile(join(folder, `${from}.json`), JSON.stringify({ from, leaves }))
  }
  const bytes = Buffer.concat(LEAVES.map(fieldToBytes))
  await writeFile(join(folder, 'whole'), Buffer.concat([Buffer.from('sotto leaves 1\n'), bytes]))
  await writeFile(
    join(folder, 'cut'),
    Buffer.concat([Buffer.from('sotto leaves 1\n'), bytes]).subarray(0, 70),
  )
  await writeFile(join(folder, 'other'), 'no leaves')
})
afterAll(() => rm(folder, { recursive: true }))

it.each([
  ['a folder', '.'],
  ['a file', 'whole'],
])('all leaves are read from %s', async (_kind, place) => {
  const source = await leafSource(join(folder, place))
  expect(await source(0)).toEqual(LEAVES.slice(0, 1_024))
  expect(await source(1_024)).toEqual(LEAVES.slice(1_024))
  expect(await source(1_030)).toEqual([])
})

it('the leaves of one page are read from its file', async () => {
  const source = await leafSource(join(folder, '0.json'))
  expect(await source(0)).toHaveLength(1_024)
  expect(await source(1_024)).toEqual([])
})

it.each(['cut', 'other', 'missing'])(
  'a source without valid leaves is refused: %s',
  async (place) => {
    await expect(leafSource(join(folder, place))).rejects.toMatchObject({ code: 'LEAVES_INVALID' })
  },
)
