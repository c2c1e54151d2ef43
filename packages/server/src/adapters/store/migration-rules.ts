import { MigrationError, numberOf, type Migration } from './migration-files.ts'

/** A migration that ran on the database. */
export interface Applied {
  readonly name: string
  readonly sha256: string
  /** Has the same meaning as `Migration.worksBeside`. */
  readonly works_beside: string
}

const newestOf = (names: readonly string[]): string => names.map(numberOf).sort().at(-1) ?? ''

/**
 * Checks that this version can work with the migrations that ran on the database. A newer version may have migrated the
 * database. In this case, this version can still work if every migration that it doesn't know allows it. But if this
 * version also has a migration that didn't run, it belongs to another branch of development, so the check fails.
 *
 * @throws MigrationError if migrations ran on the database, but not this version's first migration. Also throws it if a
 * migration that ran was changed, or is both unknown and incompatible.
 */
export function assertKnown(
  applied: readonly Applied[],
  migrations: readonly Migration[],
  pending: readonly Migration[],
): void {
  const known = new Map(migrations.map(({ name, sha256 }) => [name, sha256]))
  const newest = newestOf([...known.keys()])
  const first = migrations[0]?.name
  if (first !== undefined && applied.length > 0 && !applied.some(({ name }) => name === first)) {
    throw new MigrationError(
      'an incompatible version of the service made the database, which cannot be migrated: use an empty database',
    )
  }
  for (const { name, sha256, works_beside: worksBeside } of applied) {
    const expected = known.get(name)
    if (expected === undefined) {
      const isWorkable = worksBeside <= newest && pending.length === 0
      if (isWorkable) continue
      throw new MigrationError(`the database was migrated by a newer version (${name}); upgrade`)
    }
    if (expected !== sha256) {
      throw new MigrationError(
        `migration ${name} was changed after it ran on this database; restore the released file`,
      )
    }
  }
}

/**
 * Checks that the pending migrations don't break processes of the previous version. Such processes may still run while
 * this process starts.
 *
 * @throws MigrationError if a pending migration would break such a process. The error names the migration.
 */
export function assertBeside(applied: readonly Applied[], pending: readonly Migration[]): void {
  if (applied.length === 0) return
  const running = newestOf(applied.map(({ name }) => name))
  const breaking = pending.find(({ worksBeside }) => worksBeside > running)
  if (breaking === undefined) return
  throw new MigrationError(
    `migration ${breaking.name} can't run beside processes of a version whose newest migration is ${running}: stop every ` +
      'process of the service, then run "sotto-server migrate --alone"',
  )
}
