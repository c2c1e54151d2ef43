import { Command } from 'commander'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readLeafFile } from '../../src/adapters/poseidon/leaf-file.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import type { OperatorContext } from '../../src/operator/context.ts'
import { registerLeavesCommands } from '../../src/operator/rebuild/leaves-commands.ts'
import { openMigrated } from '../migrated-database.ts'

/** The number of leaves that one statement of `leaves export` reads. */
const PAGE = 20_000

let database: Database
let folder: string
beforeAll(async () => {
  database = await openMigrated()
  folder = await mkdtemp(join(tmpdir(), 'sotto-leaves-'))
})
afterAll(async () => {
  await database?.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => database.query('DELETE FROM leaves', []))

/** Stores leaves with the indexes from 0 to `count - 1`, except `missing`. */
const store = (count: number, missing = -1) =>
  database.query(
    `INSERT INTO leaves (leaf_index, leaf)
     SELECT place, decode(lpad(to_hex(place), 64, '0'), 'hex')
     FROM generate_series(0, $1::integer - 1) AS place WHERE place <> $2::integer`,
    [count, missing],
  )

async function operate(words: readonly string[]): Promise<unknown> {
  let printed: unknown
  const context = { database, out: (result: object) => void (printed = result) }
  const program = new Command('sotto-server').exitOverride()
  registerLeavesCommands(program, (work) => work(context as unknown as OperatorContext))
  await program.parseAsync([...words], { from: 'user' })
  return printed
}

const exported = (name: string) => operate(['leaves', 'export', '--file', join(folder, name)])

it('exports every leaf', async () => {
  await store(PAGE + 1)
  expect(await exported('whole')).toMatchObject({ leaves: PAGE + 1 })
  expect((await readLeafFile(join(folder, 'whole'))).length).toBe(32 * (PAGE + 1))
  await database.query('DELETE FROM leaves WHERE leaf_index = $1', [PAGE])
  expect(await exported('one page')).toMatchObject({ leaves: PAGE })
})

it.each([
  ['the first leaf', 0],
  ['a leaf in the middle', 7],
  ['the last leaf of a page', PAGE - 1],
  ['the first leaf of a page', PAGE],
])('does not export if the database lacks %s', async (_, missing) => {
  await store(PAGE + 2, missing)
  await expect(exported(`without ${missing}`)).rejects.toThrow(`lacks leaf ${missing}`)
})

it('leaves no file after a refused export, so the same command works once the leaf is there', async () => {
  await store(PAGE + 2, PAGE)
  await expect(exported('again')).rejects.toThrow('run the command again')
  expect((await readdir(folder)).filter((name) => name.startsWith('again'))).toEqual([])
  await database.query('DELETE FROM leaves', [])
  await store(PAGE + 2)
  expect(await exported('again')).toMatchObject({ leaves: PAGE + 2 })
  await expect(exported('again')).rejects.toMatchObject({ name: 'OperatorError' })
  expect((await readdir(folder)).filter((name) => name.startsWith('again'))).toEqual(['again'])
})

it.each([
  ['a leaf in the middle', 7],
  ['the last leaf of a file', 1_023],
  ['the first leaf of a file', 1_024],
])('reports an error at the end of publishing if the database lacks %s', async (_, missing) => {
  await store(1_026, missing)
  const target = join(folder, `published without ${missing}`)
  await expect(operate(['leaves', 'publish', target])).rejects.toThrow(`lacks leaf ${missing}`)
  expect(await readdir(target)).toEqual(['0.json'])
})
