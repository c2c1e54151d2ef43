import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OperatorContext } from '../context.ts'
import { publishLeaves } from './publish-leaves.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-leaves-'))
})
afterAll(() => rm(folder, { recursive: true }))

const leafOf = (index: number, salt = 0) => Buffer.alloc(32, (index % 250) + salt)

/** Publishes a database with `count` leaves. Each `salt` gives a different pool's leaves. */
async function publish(count: number, salt = 0): Promise<object> {
  let printed = {}
  const database = {
    query: async (_: string, [from, size]: [number, number]) =>
      Array.from({ length: Math.max(0, Math.min(size, count - from)) }, (_, place) => ({
        leaf_index: from + place,
        leaf: leafOf(from + place, salt),
      })),
  } as unknown as OperatorContext['database']
  await publishLeaves({ database, out: (result) => void (printed = result) }, folder)
  return printed
}

const pageAt = async (first: number) =>
  JSON.parse(await readFile(join(folder, `${first}.json`), 'utf8')) as { leaves: string[] }

it('writes a file for each 1,024 leaves, and rewrites only files that have grown', async () => {
  expect(await publish(1_500)).toMatchObject({ leaves: 1_500, written: 2 })
  expect((await readdir(folder)).sort()).toEqual(['0.json', '1024.json'])
  const page = await pageAt(1_024)
  expect(page).toMatchObject({ success: true, from: 1_024, nextIndex: 1_500 })
  expect(page.leaves[3]).toBe(leafOf(1_027).toString('hex'))
  const before = await stat(join(folder, '0.json'))
  expect(await publish(1_600)).toMatchObject({ leaves: 1_600, written: 1 })
  expect((await stat(join(folder, '0.json'))).mtimeMs).toBe(before.mtimeMs)
  expect((await pageAt(1_024)).leaves).toHaveLength(576)
  expect(await publish(1_600)).toMatchObject({ written: 0 })
})

it('does not overwrite a file with other leaves', async () => {
  await expect(publish(1_600, 1)).rejects.toThrow('belongs to another pool')
  expect((await pageAt(0)).leaves[0]).toBe(leafOf(0).toString('hex'))
})

it('refuses a file with more leaves than the database, and a file without leaves', async () => {
  await expect(publish(1_300)).rejects.toThrow('newer than the database')
  const page = await readFile(join(folder, '1024.json'))
  for (const text of ['null', '{}', '7']) {
    await writeFile(join(folder, '1024.json'), text)
    await expect(publish(1_600)).rejects.toThrow('1024.json')
  }
  await writeFile(join(folder, '1024.json'), page)
})

it.each([
  ['empty', ''],
  ['truncated', '{"success":true,"from":1024,"leaves":["00'],
  ['zeroed', '\0'.repeat(100)],
])('writes a page again that is %s after a power cut', async (_, text) => {
  await writeFile(join(folder, '1024.json'), text)
  expect(await publish(1_600)).toMatchObject({ leaves: 1_600, written: 1 })
  expect((await pageAt(1_024)).leaves).toHaveLength(576)
})

it('writes only whole pages while several runs publish at the same time', async () => {
  const torn: string[] = []
  let isOver = false
  const read = async () => {
    while (!isOver) {
      const text = await readFile(join(folder, '1024.json'), 'utf8')
      if (!text.endsWith('}\n')) torn.push(text)
    }
  }
  const reading = read()
  for (let count = 1_601; count < 1_640; count += 1) {
    const runs = await Promise.allSettled([publish(count), publish(count), publish(count)])
    expect(runs.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  }
  isOver = true
  await reading
  expect(torn).toEqual([])
  expect((await readdir(folder)).sort()).toEqual(['0.json', '1024.json'])
})
