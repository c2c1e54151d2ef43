import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

/** Thrown if the schema of the database can't be migrated to the schema of this version. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

export interface Migration {
  readonly name: string
  readonly text: string
  readonly sha256: string
  /**
   * The number of this migration or of an earlier migration. A version of the service can work with the schema after
   * this migration if the newest migration that the version knows has at least this number. By default, it is this
   * migration's own number, but the migration's file may name an earlier number. The number has four digits, so numbers
   * can be compared as text.
   */
  readonly worksBeside: string
}

const FILE = /^([0-9]{4})_[a-z0-9_]+\.sql$/
const WORKS_BESIDE = /^-- Works beside: ([0-9]{4})$/m

/** Returns the number in a migration's name; empty for any other name. */
export const numberOf = (name: string): string => FILE.exec(name)?.[1] ?? ''

/**
 * Reads the migrations of a folder in ascending order. @throws MigrationError if two migrations have the same number.
 */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => FILE.test(name)).sort()
  const numbers = names.map(numberOf)
  const twice = names.find((_, index) => numbers[index] === numbers[index - 1])
  if (twice !== undefined) throw new MigrationError(`another migration has the number of ${twice}`)
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(`${folder}/${name}`, 'utf8')
      const worksBeside = WORKS_BESIDE.exec(text)?.[1] ?? numberOf(name)
      const sha256 = createHash('sha256').update(text).digest('hex')
      return { name, text, sha256, worksBeside }
    }),
  )
}
