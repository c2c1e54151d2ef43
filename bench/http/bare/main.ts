import fastify from 'fastify'
import { readFile } from 'node:fs/promises'
import { registerBare } from './handlers.ts'
import { openRows } from './rows.ts'
import type { Sample } from './sample.ts'

// The baseline is a separate process. So it shares no heap and no compiled code with the product. Its only argument is
// the path of its sample file.
const file = process.argv[2]
if (file === undefined) throw new Error('give the path of the sample file')
const sample = JSON.parse(await readFile(file, 'utf8')) as Sample
const database = await openRows(sample)
const app = fastify({ logger: false })
registerBare(app, database, sample)
const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${JSON.stringify({ baseUrl })}\n`)
process.once('SIGTERM', () => {
  void app
    .close()
    .then(() => database.close())
    .then(() => process.exit(0))
})
