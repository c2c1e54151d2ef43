import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { withoutIndexes } from './without-indexes.ts'
import { LEAF_COLUMNS, ORDER_COLUMNS, seedRows, type SeedOptions } from './seed-rows.ts'

async function write(stream: WriteStream, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain')
}

/** Number of rows in each write. One write for each row would be slower. */
const ROWS_AT_ONCE = 1_000

async function writeFiles(orders: string, leaves: string, options: SeedOptions): Promise<void> {
  // All users may read the files, because the database server reads them under its own user.
  const files = [orders, leaves].map((path) => createWriteStream(path, { mode: 0o644 }))
  const [orderFile, leafFile] = files as [WriteStream, WriteStream]
  let rows: { order: string; leaf: string }[] = []
  const flush = async () => {
    await write(orderFile, rows.map(({ order }) => order).join(''))
    await write(leafFile, rows.map(({ leaf }) => leaf).join(''))
    rows = []
  }
  for (const row of seedRows(options)) {
    rows.push(row)
    if (rows.length === ROWS_AT_ONCE) await flush()
  }
  await flush()
  for (const file of files) {
    file.end()
    await once(file, 'close')
  }
}

/** Copies a database, and adds `count` delivered orders with their leaves. Returns the copy's URL. */
export async function seedDatabase(like: string, options: SeedOptions): Promise<string> {
  const template = new URL(like).pathname.slice(1)
  const name = `${template}_with_${options.count}`
  const at = (database: string) => Object.assign(new URL(like), { pathname: `/${database}` }).href
  const create = `CREATE DATABASE ${name} TEMPLATE ${template}`
  await onDatabase(at('postgres'), (client) => client.query(create))
  const folder = await mkdtemp(join(tmpdir(), 'sotto-seed-'))
  try {
    await chmod(folder, 0o711)
    const [orders, leaves] = [join(folder, 'orders'), join(folder, 'leaves')]
    await writeFiles(orders, leaves, options)
    await onDatabase(at(name), async (client) => {
      await withoutIndexes(client, async () => {
        await client.query(`COPY orders (${ORDER_COLUMNS}) FROM '${orders}'`)
        await client.query(`COPY leaves (${LEAF_COLUMNS}) FROM '${leaves}'`)
      })
      // Updates the statistics and finishes pending vacuum work, as the database itself would have done after some
      // days.
      await client.query('VACUUM (ANALYZE, FREEZE)')
      await client.query('CHECKPOINT')
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return at(name)
}

async function onDatabase(url: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
