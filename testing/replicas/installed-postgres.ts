import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../stage/free-port.ts'

const run = promisify(execFile)
/** The folder in which Debian's packages install the programs, with one folder for each version. */
const DEBIAN = '/usr/lib/postgresql'
/** The user that runs the server if the tests run as root, because PostgreSQL refuses to run as root. */
const SERVER_USER = 'postgres'

/** A PostgreSQL server from the installed packages, as operators run it, with its tools for backup and restore. */
export class InstalledPostgres {
  readonly #bin: string
  readonly #folder: string
  readonly #port: number
  readonly #user: { readonly uid: number; readonly gid: number } | undefined

  private constructor(
    bin: string,
    folder: string,
    port: number,
    user: { readonly uid: number; readonly gid: number } | undefined,
  ) {
    this.#bin = bin
    this.#folder = folder
    this.#port = port
    this.#user = user
  }

  /** Creates a server in a separate folder, and doesn't start it. @throws Error that names the package to install. */
  static async find(parent: string): Promise<InstalledPostgres> {
    const bin = await findPrograms()
    const folder = join(parent, 'postgres')
    await mkdir(folder, { recursive: true })
    const user = process.getuid?.() === 0 ? await idsOf(SERVER_USER) : undefined
    if (user !== undefined) {
      await chown(folder, user.uid, user.gid)
      // The user that runs the server must be able to traverse this folder.
      await chmod(parent, 0o711)
    }
    return new InstalledPostgres(bin, folder, await freePort(), user)
  }

  get url(): string {
    return `postgres://sotto@127.0.0.1:${this.#port}/sotto`
  }

  get #data(): string {
    return join(this.#folder, 'data')
  }

  async version(): Promise<string> {
    return (await this.#do('postgres', '--version')).trim()
  }

  /** A new server with an empty database. */
  async create(): Promise<void> {
    const access = ['--auth', 'trust', '--username', 'sotto', '--encoding', 'UTF8']
    await this.#do('initdb', '--pgdata', this.#data, ...access)
    const options = `-p ${this.#port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`
    const log = join(this.#folder, 'log')
    await this.#do('pg_ctl', 'start', '-w', '-D', this.#data, '-l', log, '-o', options)
    await this.#do('createdb', ...this.#access, 'sotto')
  }

  /** Backs up a consistent snapshot while all processes keep running. */
  async backUp(file: string): Promise<void> {
    await this.#do('pg_dump', '--format', 'custom', '--file', file, this.url)
  }

  /** Restores the backup into the empty database. */
  async restore(file: string): Promise<void> {
    const whole = ['--exit-on-error', '--single-transaction']
    await this.#do('pg_restore', ...whole, '--dbname', this.url, file)
  }

  /** Kills the server and deletes its data. */
  async destroy(): Promise<void> {
    const pid = await readFile(join(this.#data, 'postmaster.pid'), 'utf8').catch(() => undefined)
    if (pid !== undefined) await this.#do('pg_ctl', 'stop', '-D', this.#data, '-m', 'immediate')
    await rm(this.#data, { recursive: true, force: true })
  }

  get #access(): readonly string[] {
    return ['--host', '127.0.0.1', '--port', String(this.#port), '--username', 'sotto']
  }

  async #do(program: string, ...words: readonly string[]): Promise<string> {
    const options = { cwd: this.#folder, ...this.#user }
    return (await run(join(this.#bin, program), words, options)).stdout
  }
}

async function findPrograms(): Promise<string> {
  const versions = await readdir(DEBIAN).catch(() => [])
  const newestFirst = versions
    .map(Number)
    .filter(Number.isInteger)
    .sort((a, b) => b - a)
  for (const version of newestFirst) {
    const bin = join(DEBIAN, String(version), 'bin')
    const needed = ['initdb', 'pg_ctl', 'pg_dump', 'pg_restore'].map((name) => join(bin, name))
    const found = await Promise.all(needed.map((path) => stat(path).catch(() => undefined)))
    if (found.every((one) => one !== undefined)) return bin
  }
  throw new Error(`no PostgreSQL with its tools in ${DEBIAN}: apt-get install postgresql`)
}

async function idsOf(user: string): Promise<{ uid: number; gid: number }> {
  const line = (await readFile('/etc/passwd', 'utf8'))
    .split('\n')
    .find((one) => one.startsWith(`${user}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined || gid === undefined)
    throw new Error(`there is no user ${user} to run PostgreSQL`)
  return { uid: Number(uid), gid: Number(gid) }
}
