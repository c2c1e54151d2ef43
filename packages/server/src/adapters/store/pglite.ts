import { PGlite, types, type Transaction } from '@electric-sql/pglite'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { lockFolder } from './folder-lock.ts'
import type { Database, Sql } from './sql.ts'

// By default, PGlite returns bigint columns as numbers. Numbers can't represent every amount exactly.
const parsers = { [types.INT8]: (text: string) => text, [types.NUMERIC]: (text: string) => text }

function sqlOf(connection: PGlite | Transaction): Sql {
  return {
    query: async <Row>(text: string, parameters: readonly unknown[]) =>
      (await connection.query<Row>(text, [...parameters])).rows,
    script: async (text) => {
      await connection.exec(text)
    },
  }
}

/**
 * Opens the embedded database in `<folder>/database`; without a folder, in memory. Only one process with one connection
 * can use it at a time. A power cut can lose the last writes, so this database isn't for mainnet. `dump` is PGlite's
 * own dump of a data folder. If it is given, a new database starts with the dump's content.
 *
 * @throws FolderInUseError if the folder is already open, in another process or in this process.
 */
export async function openPglite(folder?: string, dump?: Blob): Promise<Database> {
  if (folder !== undefined) await mkdir(folder, { recursive: true, mode: 0o700 })
  const unlock = folder === undefined ? undefined : lockFolder(folder)
  try {
    const pglite = await PGlite.create({
      ...(folder === undefined ? {} : { dataDir: join(folder, 'database') }),
      ...(dump === undefined ? {} : { loadDataDir: dump }),
      parsers,
    })
    return {
      ...sqlOf(pglite),
      transaction: (work) => pglite.transaction((transaction) => work(sqlOf(transaction))),
      close: async () => {
        await pglite.close()
        unlock?.()
      },
    }
  } catch (error) {
    unlock?.()
    throw error
  }
}
