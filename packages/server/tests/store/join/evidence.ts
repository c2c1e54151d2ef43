import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../../../src/adapters/store/sql.ts'

/**
 * A row as PostgreSQL's files store it: its position, the transactions that wrote, locked or replaced it, and its
 * cells.
 */
export interface DumpedRow {
  readonly table: string
  /** The block, and the position in the block. */
  readonly place: readonly [number, number]
  readonly xmin: number
  readonly xmax: number
  /** Every column as text. Bytes are in hex after `\x`. */
  readonly cells: Readonly<Record<string, string>>
}

/** All data that an attacker could steal from the service at any moment. */
export interface Evidence {
  /** The dumps: one before the first delivery, one after each delivery, and one after the destruction of the keys. */
  readonly dumps: readonly (readonly DumpedRow[])[]
  readonly logLines: readonly string[]
  /** The keystore's content at the end: the names of its files, and their contents in hex. */
  readonly keys: readonly { readonly name: string; readonly hex: string }[]
}

interface Row {
  readonly place: string
  readonly xmin: string
  readonly xmax: string
  readonly cells: Record<string, unknown>
}

/** Dumps every table of the database, with everything that a copy of its files would show about each row. */
export async function dumpDatabase(database: Database): Promise<DumpedRow[]> {
  const tables = await database.query<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname`,
    [],
  )
  const dumped: DumpedRow[] = []
  for (const { name } of tables) {
    const rows = await database.query<Row>(
      `SELECT ctid::text AS place, xmin::text AS xmin, xmax::text AS xmax, to_jsonb(t) AS cells
       FROM ${name} t`,
      [],
    )
    dumped.push(...rows.map((row) => decode(name, row)))
  }
  return dumped
}

function decode(table: string, { place, xmin, xmax, cells }: Row): DumpedRow {
  const [block = 0, position = 0] = place.slice(1, -1).split(',').map(Number)
  const texts = Object.entries(cells).map(([column, value]) => [column, String(value ?? '')])
  return {
    table,
    place: [block, position],
    xmin: Number(xmin),
    xmax: Number(xmax),
    cells: Object.fromEntries(texts) as Record<string, string>,
  }
}

/** Reads every file in a folder and its subfolders. */
export async function dumpFolder(folder: string): Promise<Evidence['keys']> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(
    files.map(async ({ name, parentPath }) => ({
      name,
      hex: (await readFile(join(parentPath, name))).toString('hex'),
    })),
  )
}
