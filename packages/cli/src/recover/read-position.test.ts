import { FIELD_MODULUS } from '@sotto/protocol'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readPosition } from './read-position.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-position-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function read(leafIndex: number, node = '00'.repeat(32)) {
  const file = join(folder, `${leafIndex}.json`)
  const path = Array.from({ length: 39 }, () => node)
  await writeFile(file, JSON.stringify({ recoveryProof: { leafIndex, path } }))
  return readPosition(file)
}

it('reads the last position of the tree', async () => {
  expect((await read(4 ** 13 - 1)).leafIndex).toBe(4n ** 13n - 1n)
})

it.each([-1, 4 ** 13, 0.5])('refuses the position %s, which the tree does not have', async (at) => {
  await expect(read(at)).rejects.toMatchObject({ code: 'PATH_INVALID' })
})

it('refuses a path with a number that is not in the field', async () => {
  const largest = (FIELD_MODULUS - 1n).toString(16)
  expect((await read(0, largest)).path[0]).toBe(FIELD_MODULUS - 1n)
  const modulus = FIELD_MODULUS.toString(16)
  await expect(read(0, modulus)).rejects.toMatchObject({ code: 'PATH_INVALID' })
})
