import { PGlite } from '@electric-sql/pglite'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { FolderInUseError, lockFolder } from '../src/adapters/store/folder-lock.ts'
import { migrate } from '../src/adapters/store/migrate.ts'
import { openPglite } from '../src/adapters/store/pglite.ts'
import type { Database } from '../src/adapters/store/sql.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const MIGRATIONS = path('../migrations')
const TEMPLATES = path('../dist/templates')
const PAUSE_MS = 100

/**
 * A new embedded database in memory that has every migration: a copy of one that was made from nothing
 * once for these migrations, which takes four times as long.
 */
export async function openMigrated(): Promise<Database> {
  return openPglite(undefined, new Blob([await readTemplate()]))
}

/** The bytes of the template; whoever comes first makes it, and the others wait. */
async function readTemplate(): Promise<Buffer> {
  await mkdir(TEMPLATES, { recursive: true })
  const file = join(TEMPLATES, await templateName())
  for (;;) {
    const found = await readFile(file).catch(() => undefined)
    if (found !== undefined) return found
    try {
      const unlock = await lockFolder(TEMPLATES)
      await makeTemplate(file).finally(unlock)
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error
      await sleep(PAUSE_MS)
    }
  }
}

/** One for every version of PGlite and of what migrates. */
async function templateName(): Promise<string> {
  const hash = createHash('sha256')
  const modules = [createRequire(import.meta.url).resolve('@electric-sql/pglite')]
  const sources = ['../src/adapters/store/migrate.ts', '../src/adapters/store/pglite.ts'].map(path)
  const scripts = (await readdir(MIGRATIONS)).sort().map((name) => join(MIGRATIONS, name))
  for (const file of [...modules, ...sources, ...scripts]) {
    hash.update(`${basename(file)}\n`).update(await readFile(file))
  }
  return `${hash.digest('hex').slice(0, 16)}.tar`
}

async function makeTemplate(file: string): Promise<void> {
  // Those of other migrations: each is some forty megabytes.
  for (const name of await readdir(TEMPLATES)) {
    if (name.endsWith('.tar')) await rm(join(TEMPLATES, name))
  }
  const folder = await mkdtemp(join(TEMPLATES, 'making-'))
  const database = await openPglite(folder)
  await migrate(database)
  await database.close()
  const pglite = await PGlite.create({ dataDir: join(folder, 'database') })
  const dump = await pglite.dumpDataDir('none')
  await pglite.close()
  await writeFile(join(folder, 'dump'), Buffer.from(await dump.arrayBuffer()))
  // Whole or not at all: a reader never sees half of it.
  await rename(join(folder, 'dump'), file)
  await rm(folder, { recursive: true })
}
