import { MigrationError, numberOf, type Migration } from './migration-files.ts'

/** A migration that ran on the database. */
export interface Applied {
  readonly name: string
  readonly sha256: string
  /** As `Migration.worksBeside`; null of one that ran before that was written down. */
  readonly works_beside: string | null
}

const newestOf = (names: readonly string[]): string => names.map(numberOf).sort().at(-1) ?? ''

/**
 * An older version may work with a newer schema, where every migration that it doesn't know says so. With
 * migrations of its own beside unknown ones it is no older version but another one.
 *
 * @throws MigrationError where one that ran is unknown and can't be worked with, or was changed.
 */
export function assertKnown(
  applied: readonly Applied[],
  migrations: readonly Migration[],
  pending: readonly Migration[],
): void {
  const known = new Map(migrations.map(({ name, sha256 }) => [name, sha256]))
  const newest = newestOf([...known.keys()])
  for (const { name, sha256, works_beside: worksBeside } of applied) {
    const expected = known.get(name)
    if (expected === undefined) {
      const isWorkable = worksBeside !== null && worksBeside <= newest && pending.length === 0
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
 * What starts may find the former version at work, and breaks nothing under it.
 *
 * @throws MigrationError that names what must wait until nothing runs.
 */
export function assertBeside(applied: readonly Applied[], pending: readonly Migration[]): void {
  if (applied.length === 0) return
  const running = newestOf(applied.map(({ name }) => name))
  const breaking = pending.find(({ worksBeside }) => worksBeside > running)
  if (breaking === undefined) return
  throw new MigrationError(
    `migration ${breaking.name} can't run beside a version that knows only ${running}: stop every process ` +
      'of the service, then run "sotto-server migrate --alone"',
  )
}
