import { PGlite } from '@electric-sql/pglite'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { migrate } from '../src/adapters/store/migrate.ts'
import { openPglite } from '../src/adapters/store/pglite.ts'
import type { Database } from '../src/adapters/store/sql.ts'
import { readTemplate } from './template.ts'

// PGlite is ten megabytes of WebAssembly. Optimising it would take longer than a test's work.
setFlagsFromString('--liftoff-only')

/**
 * Opens a new embedded in-memory database with every migration. It is a copy of a database that was built once for
 * these migrations, because copying takes a quarter of the time.
 */
export async function openMigratedPglite(): Promise<Database> {
  const template = await readTemplate('@electric-sql/pglite', dumpMigrated)
  return openPglite(undefined, new Blob([await readFile(template)]))
}

async function dumpMigrated(folder: string): Promise<string> {
  const database = await openPglite(folder)
  await migrate(database)
  await database.close()
  const pglite = await PGlite.create({ dataDir: join(folder, 'database') })
  const dump = await pglite.dumpDataDir('none')
  await pglite.close()
  const file = join(folder, 'dump.tar')
  await writeFile(file, Buffer.from(await dump.arrayBuffer()))
  return file
}
