import { PGlite } from '@electric-sql/pglite'
import fastify from 'fastify'
import { Pool } from 'pg'

// A minimal service on the same framework and database as the product. It opens the database, answers over HTTP and
// reports that it is ready. Its only argument is the URL of a PostgreSQL database, or the folder of an embedded
// database.
const [where = ''] = process.argv.slice(2)

async function openDatabase(): Promise<() => Promise<unknown>> {
  if (where.startsWith('postgres://')) {
    const pool = new Pool({ connectionString: where })
    return async () => (await pool.query('SELECT 1 AS one')).rows[0] as unknown
  }
  const pglite = await PGlite.create(where)
  return async () => (await pglite.query('SELECT 1 AS one')).rows[0]
}

const ask = await openDatabase()
await ask()
const app = fastify({ logger: false })
app.get('/', ask)
const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${JSON.stringify({ baseUrl })}\n`)
process.once('SIGTERM', () => process.exit(0))
