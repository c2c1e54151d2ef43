import { addressBytes, fieldToBytes } from '@sotto/protocol'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openPglite } from '../../packages/server/src/adapters/store/pglite.ts'
import { openPostgres } from '../../packages/server/src/adapters/store/postgres.ts'
import type { Database } from '../../packages/server/src/adapters/store/sql.ts'
import { startPostgres } from '../../packages/server/tests/start-postgres.ts'
import {
  beginLife,
  EPOCH,
  EPOCH_MS,
  RETENTION_MS,
  type Life,
  type LivedOrder,
} from '../../packages/server/tests/store/join/life.ts'
import { DATABASE_PLACES, foundIn, readPlaces } from './database-places.ts'
import { keyNeedles } from './key-needles.ts'
import { searchMemory, withChildren, type Needle } from './process-memory.ts'
import { HUNG_MS } from '../patience/hung.ts'

const TIME_LIMIT_MS = 4 * HUNG_MS
const ORDERS = 3
/** Number of rows that contain a key. With so many rows, the database puts samples of them into its statistics. */
const PLANTED_ROWS = 40
const LARGE_BYTES = 6_000

interface Opened {
  readonly database: Database
  readonly dataFolder: string
  /**
   * Searches the memory of the database's processes, and returns the names of the needles that were found. Undefined if
   * the database runs in this process.
   */
  readonly searchProcesses?: (needles: readonly Needle[]) => readonly string[]
  readonly close: () => Promise<unknown>
}

const KINDS: readonly { readonly kind: string; readonly open: () => Promise<Opened> }[] = [
  {
    kind: 'PGlite',
    open: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'sotto-at-rest-'))
      const database = await openPglite(folder)
      const close = async () => {
        await database.close()
        await rm(folder, { recursive: true })
      }
      return { database, dataFolder: join(folder, 'database'), close }
    },
  },
  {
    kind: 'PostgreSQL',
    open: async () => {
      const postgres = await startPostgres()
      const database = openPostgres(await postgres.createDatabase())
      const [row] = await database.query<{ folder: string }>(
        `SELECT current_setting('data_directory') AS folder`,
        [],
      )
      const dataFolder = row?.folder ?? ''
      const [pid = ''] = (await readFile(join(dataFolder, 'postmaster.pid'), 'utf8')).split('\n')
      return {
        ...{ database, dataFolder },
        searchProcesses: (needles) =>
          withChildren(Number(pid)).flatMap((one) => searchMemory(one, needles).names),
        close: async () => {
          try {
            await database.close()
          } finally {
            await postgres.stop()
          }
        },
      }
    },
  },
]

/** The needles: the key's secrets, and the contents of the orders' sealed columns. */
async function needlesOf({ keyFolder, secrets }: Life, lived: readonly LivedOrder[]) {
  const key = await readFile(join(keyFolder, 'epochs', `${EPOCH}.key`))
  const opened = await secrets.read(EPOCH)
  const needles = keyNeedles(
    key,
    lived.map(({ order }) => Buffer.from(order.id)),
  )
  for (const [index, { order, recipient }] of lived.entries()) {
    const nk = opened?.noteKey(order.id) ?? 0n
    needles.push(
      { name: `recipient of ${index}`, bytes: Buffer.from(recipient) },
      { name: `recipient of ${index} as bytes`, bytes: Buffer.from(addressBytes(recipient)) },
      { name: `secret of ${index}`, bytes: Buffer.from(fieldToBytes(nk)) },
      { name: `secret of ${index} as text`, bytes: Buffer.from(String(nk)) },
    )
  }
  return { key, needles }
}

/**
 * Writes a key to places that the search must cover. They are a table with large and small values, a temporary file,
 * and the name of a file.
 */
async function plant({ database, dataFolder }: Opened, keyFolder: string, key: Buffer) {
  await database.script(
    `CREATE TABLE planted (small bytea, large bytea);
     ALTER TABLE planted ALTER COLUMN large SET STORAGE EXTERNAL;
     CREATE INDEX ON planted (small)`,
  )
  for (let row = 0; row < PLANTED_ROWS; row += 1) {
    const small = Buffer.concat([key, Buffer.from([row])])
    const large = Buffer.concat([randomBytes(LARGE_BYTES), key])
    await database.query('INSERT INTO planted VALUES ($1, $2)', [small, large])
  }
  const temporary = join(dataFolder, 'base', 'pgsql_tmp')
  await mkdir(temporary, { recursive: true })
  await writeFile(join(temporary, 'pgsql_tmp1.0'), key)
  await writeFile(join(keyFolder, key.toString('hex')), '')
}

describe.each(KINDS)('$kind', ({ open }) => {
  it(
    'contains no destroyed key and no data that the key sealed',
    async () => {
      const opened = await open()
      try {
        const life = await beginLife(opened.database)
        const { keyFolder } = life
        const lived: LivedOrder[] = []
        for (let count = 0; count < ORDERS; count += 1) lived.push(await life.deposit())
        for (const [index, one] of lived.entries()) {
          await life.settle(one, index % 3 === 2 ? 'refund' : 'deliver')
        }
        const { key, needles } = await needlesOf(life, lived)
        const places = { dataFolder: opened.dataFolder, keyFolder }
        const found = async () =>
          [...(await readPlaces(opened.database, places))].map(
            ([place, contents]) => [place, foundIn(contents, needles)] as const,
          )
        const nothing = DATABASE_PLACES.map((place) => [place, []])
        // No place may contain a secret, before or after the key's destruction.
        expect(await found()).toEqual(nothing)
        await life.destroyAt((EPOCH + 3) * EPOCH_MS + RETENTION_MS)
        expect(await life.secrets.read(EPOCH)).toBeUndefined()
        expect(await found()).toEqual(nothing)
        expect(opened.searchProcesses?.(needles) ?? []).toEqual([])

        await plant(opened, keyFolder, key)
        const planted = await found()
        expect(planted.filter(([, names]) => names.length === 0)).toEqual([])
        if (opened.searchProcesses !== undefined) {
          expect(opened.searchProcesses(needles.slice(0, 1))).toContain('key, first half')
        }
      } finally {
        await opened.close()
      }
    },
    TIME_LIMIT_MS,
  )
})
