import { Command } from 'commander'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../src/adapters/store/sql.ts'
import type { OperatorContext } from '../../src/operator/context.ts'
import { registerPoolResume } from '../../src/operator/pool/pool-resume.ts'
import { beginLife, NOW_MS, type Life } from './join/life.ts'
import { openMigrated } from '../migrated-database.ts'

const MINUTE_MS = 60_000

let database: Database
let life: Life
beforeAll(async () => {
  database = await openMigrated()
  life = await beginLife(database)
})
afterAll(() => database?.close())
beforeEach(async () => {
  await database.query("UPDATE chain_cursor SET halted = 'books_differ'", [])
})

const halted = async () =>
  (await database.query<{ halted: string | null }>('SELECT halted FROM chain_cursor', []))[0]!
    .halted

/** Runs the command. `meanwhile` runs between the command's read of the halt and its next step. */
async function resume(meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
  let isFirst = true
  const query: Database['query'] = async (text, parameters) => {
    const rows = await database.query<never>(text, parameters)
    if (isFirst) await meanwhile()
    isFirst = false
    return rows
  }
  const clock = { nowMs: () => NOW_MS, sleep: async () => undefined }
  const pool = new Command()
  registerPoolResume(pool, (work) =>
    work({
      database: { ...database, query },
      clock,
      out: () => undefined,
    } as unknown as OperatorContext),
  )
  await pool.parseAsync(['resume'], { from: 'user' })
}

it('a halt is lifted if a comparison in the last minutes found that the books agree', async () => {
  await life.store.recordBooks(true, NOW_MS - MINUTE_MS)
  await resume()
  expect(await halted()).toBeNull()
})

it('a halt stays if the newest agreement is old, or if the books differ', async () => {
  await life.store.recordBooks(true, NOW_MS - 60 * MINUTE_MS)
  await expect(resume()).rejects.toThrow('books-differ.md')
  await life.store.recordBooks(false, NOW_MS)
  await expect(resume()).rejects.toThrow('books-differ.md')
  expect(await halted()).toBe('books_differ')
})

it('a halt stays if the books differ again during the command', async () => {
  await life.store.recordBooks(true, NOW_MS)
  const meanwhile = async () => {
    await life.store.recordBooks(false, NOW_MS)
  }
  await expect(resume(meanwhile)).rejects.toThrow('books-differ.md')
  expect(await halted()).toBe('books_differ')
})
