import { cp, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtProgram } from '../../demo/src/stack/built-program.ts'

const SERVER = fileURLToPath(new URL('../../packages/server', import.meta.url))
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** Greater than the number of any migration of ours. */
const MIGRATION = '9000_drill.sql'

/**
 * What a release may do to the tables that are busiest, in the first of its two steps (docs/upgrade.md): columns
 * with a constant default, an index, a table.
 */
const expand = (newest: string): string => `-- Works beside: ${newest}
ALTER TABLE orders ADD COLUMN drilled text NOT NULL DEFAULT 'by the next version';
ALTER TABLE settlements ADD COLUMN drilled text;
ALTER TABLE leaves ADD COLUMN drilled integer NOT NULL DEFAULT 0;
ALTER TABLE api_keys ADD COLUMN drilled boolean;
CREATE INDEX orders_drilled ON orders (drilled);
CREATE TABLE drills (id integer PRIMARY KEY);
`

/**
 * Builds the version after today's: the same sources, with one more migration. Its program differs from
 * today's in what it does to the database, and that is all that a process of today meets of it.
 */
export async function nextVersion(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-next-'))
  for (const part of ['src', 'migrations', 'package.json']) {
    await cp(join(SERVER, part), join(folder, part), { recursive: true })
  }
  await symlink(MODULES, join(folder, 'node_modules'))
  const migrations = await readdir(join(folder, 'migrations'))
  const newest =
    migrations
      .filter((name) => /^[0-9]{4}_/.test(name))
      .sort()
      .at(-1) ?? ''
  await writeFile(join(folder, 'migrations', MIGRATION), expand(newest.slice(0, 4)))
  return builtProgram(join(folder, 'src', 'main.ts'))
}
