import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtProgram } from '../../demo/src/stack/built-program.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A name that sorts after the name of any real migration. */
export const MIGRATION = '9000_drill.sql'

/**
 * Changes to the busiest tables: a column with a constant default, a column, an index or a table. A release may make
 * these changes in the first of its two steps (docs/deployment/replicas.md).
 */
const expand = (newest: string): string => `-- Works beside: ${newest}
ALTER TABLE orders ADD COLUMN drilled text NOT NULL DEFAULT 'by the next version';
ALTER TABLE settlements ADD COLUMN drilled text;
ALTER TABLE leaves ADD COLUMN drilled integer NOT NULL DEFAULT 0;
ALTER TABLE api_keys ADD COLUMN drilled boolean;
CREATE INDEX orders_drilled ON orders (drilled);
CREATE TABLE drills (id integer PRIMARY KEY);
`

/** A test version of the service. */
export interface DrillVersion {
  /** The path of the version's main module. */
  readonly main: string
  /** The built program. */
  readonly program: string
  readonly remove: () => Promise<void>
}

/** The next version. Its migration is compatible with the processes of today's version. */
export const nextVersion = (): Promise<DrillVersion> => versionWith(expand)

/** A version whose migration isn't declared compatible with any running version. */
export const breakingVersion = (): Promise<DrillVersion> =>
  versionWith(() => 'ALTER TABLE orders DROP COLUMN account_id;')

/**
 * Builds a version from today's sources with an additional migration. Nothing else differs, because other differences
 * would have no effect on today's processes.
 */
async function versionWith(migration: (newest: string) => string): Promise<DrillVersion> {
  const root = await mkdtemp(join(tmpdir(), 'sotto-next-'))
  const folder = join(root, 'packages', 'server')
  await mkdir(folder, { recursive: true })
  for (const part of ['src', 'migrations', 'package.json']) {
    await cp(join(ROOT, 'packages', 'server', part), join(folder, part), { recursive: true })
  }
  // The prover is a separate program, and the new version uses it unchanged.
  for (const same of ['node_modules', 'packages/prover']) {
    await symlink(join(ROOT, same), join(root, same))
  }
  const migrations = await readdir(join(folder, 'migrations'))
  const newest =
    migrations
      .filter((name) => /^[0-9]{4}_/.test(name))
      .sort()
      .at(-1) ?? ''
  await writeFile(join(folder, 'migrations', MIGRATION), migration(newest.slice(0, 4)))
  const main = join(folder, 'src', 'main.ts')
  const remove = () => rm(root, { recursive: true, force: true })
  return { main, program: await builtProgram(main), remove }
}
