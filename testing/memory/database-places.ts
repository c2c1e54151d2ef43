import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Database } from '../../packages/server/src/adapters/store/sql.ts'
import { dumpDatabase } from '../../packages/server/tests/store/join/evidence.ts'
import type { Needle } from './process-memory.ts'

/** The names of the needles that occur in at least one buffer. */
export function foundIn(contents: readonly Buffer[], needles: readonly Needle[]): string[] {
  return needles
    .filter(({ bytes }) => contents.some((content) => content.includes(bytes)))
    .map(({ name }) => name)
}

/** All files under a folder, with their paths. A file that disappears during the search is omitted. */
export async function filesUnder(folder: string): Promise<{ path: string; bytes: Buffer }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const read = entries
    .filter((entry) => entry.isFile())
    .map(async ({ name, parentPath }) => {
      const path = join(parentPath, name)
      return readFile(path).then(
        (bytes) => [{ path, bytes }],
        () => [],
      )
    })
  return (await Promise.all(read)).flat()
}

export const DATABASE_PLACES = [
  ...['WAL', 'heap', 'indexes', 'TOAST', 'statistics', 'temporary files', 'file names'],
  ...['backup of the files', 'dump of the rows'],
] as const

/**
 * Returns the content of each place. First, the function makes the database write every page to its file and update the
 * statistics of every table.
 */
export async function readPlaces(
  database: Database,
  { dataFolder, keyFolder }: { readonly dataFolder: string; readonly keyFolder: string },
): Promise<ReadonlyMap<string, readonly Buffer[]>> {
  await database.script('ANALYZE')
  await database.script('CHECKPOINT')
  const relations = await database.query<{ kind: string; path: string }>(
    `SELECT CASE WHEN relname LIKE 'pg_statistic%' OR relname = 'pg_toast_2619' THEN 'statistics'
         WHEN relkind = 't' THEN 'TOAST' WHEN relkind = 'i' THEN 'indexes' ELSE 'heap' END AS kind,
       pg_relation_filepath(oid) AS path
     FROM pg_class WHERE pg_relation_filepath(oid) IS NOT NULL`,
    [],
  )
  const backup = await mkdtemp(join(tmpdir(), 'sotto-backup-'))
  try {
    await cp(dataFolder, backup, { recursive: true })
    const files = await filesUnder(backup)
    const under = (part: string) =>
      files.filter(({ path }) => path.includes(`/${part}/`)).map(({ bytes }) => bytes)
    const of = (kind: string) => {
      const paths = relations
        .filter((one) => one.kind === kind)
        .map(({ path }) => join(backup, path))
      return files.filter(({ path }) => paths.includes(path)).map(({ bytes }) => bytes)
    }
    const keyFiles = await readdir(keyFolder, { recursive: true })
    const names = [...files.map(({ path }) => basename(path)), ...keyFiles]
    return new Map<string, readonly Buffer[]>([
      ['WAL', under('pg_wal')],
      ['heap', of('heap')],
      ['indexes', of('indexes')],
      ['TOAST', of('TOAST')],
      ['statistics', [...of('statistics'), ...under('pg_stat'), ...under('pg_stat_tmp')]],
      ['temporary files', under('pgsql_tmp')],
      ['file names', [Buffer.from(names.join('\n'))]],
      ['backup of the files', files.map(({ bytes }) => bytes)],
      [
        'dump of the rows',
        [Buffer.from(bytesOfText(JSON.stringify(await dumpDatabase(database))))],
      ],
    ])
  } finally {
    await rm(backup, { recursive: true, force: true })
  }
}

/** A text, followed by the decoded bytes of the hexadecimal values in it. */
function bytesOfText(text: string): Uint8Array {
  const cells = [...text.matchAll(/\\\\x([0-9a-f]+)/g)].map(([, hex = '']) => hex)
  return Buffer.concat([Buffer.from(text), ...cells.map((hex) => Buffer.from(hex, 'hex'))])
}
