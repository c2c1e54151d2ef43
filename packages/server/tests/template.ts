import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { FolderInUseError, lockFolder } from '../src/adapters/store/folder-lock.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const MIGRATIONS = path('../migrations')
const TEMPLATES = path('../dist/templates')
/**
 * The sources that determine a template's content, in addition to the migrations. If one of these sources changes, the
 * template is built again.
 */
const SOURCES = [
  './template.ts',
  './migrated-pglite.ts',
  './start-postgres.ts',
  ...['migrate.ts', 'migration-files.ts', 'migration-rules.ts', 'pglite.ts'].map(
    (name) => `../src/adapters/store/${name}`,
  ),
]
const PAUSE_MS = 100

/**
 * Returns the path of the initial content of the tests' databases. The content is a file or folder that is made once
 * for each set of migrations and each version of the database. The first caller makes it, and the other callers wait.
 *
 * @param maker the npm package that makes the template.
 * @param make makes the template in a folder and returns its path there.
 */
export async function readTemplate(
  maker: string,
  make: (folder: string) => Promise<string>,
): Promise<string> {
  const kind = basename(maker)
  const template = join(TEMPLATES, `${kind}-${await versionOf(maker)}`)
  const folder = join(TEMPLATES, `making-${kind}`)
  for (;;) {
    if (await stat(template).catch(() => undefined)) return template
    await mkdir(folder, { recursive: true, mode: 0o711 })
    try {
      const unlock = lockFolder(folder)
      await makeTemplate(template, folder, make).finally(unlock)
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error
      await sleep(PAUSE_MS)
    }
  }
}

/** The template's version: a hash of the package, the sources and the migrations from which it is made. */
async function versionOf(maker: string): Promise<string> {
  const hash = createHash('sha256')
  const { resolve } = createRequire(import.meta.url)
  const sources = SOURCES.map(path)
  const scripts = (await readdir(MIGRATIONS)).sort().map((name) => join(MIGRATIONS, name))
  for (const file of [resolve(maker), ...sources, ...scripts]) {
    hash.update(`${basename(file)}\n`).update(await readFile(file))
  }
  return hash.digest('hex').slice(0, 16)
}

async function makeTemplate(
  template: string,
  folder: string,
  make: (folder: string) => Promise<string>,
): Promise<void> {
  if (await stat(template).catch(() => undefined)) return
  const own = await mkdtemp(join(folder, 'new-'))
  try {
    // Renaming is atomic, so a reader never sees a partial template.
    await rename(await make(own), template)
  } finally {
    await rm(own, { recursive: true })
  }
}
