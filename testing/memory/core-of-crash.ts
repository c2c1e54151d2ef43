import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { foundIn } from './database-places.ts'
import type { Found, Needle } from './process-memory.ts'

const execute = promisify(execFile)
const PATTERN = '/proc/sys/kernel/core_pattern'

/**
 * Makes a process crash with a core dump, even if the process's limit forbids core dumps. Then searches the core. If
 * the system collects cores in another place, the debugger writes the core of the running process before the crash.
 *
 * @param pid a process whose working directory is `folder`
 * @throws Error if the system wrote no core
 */
export async function searchCore(
  pid: number,
  folder: string,
  needles: readonly Needle[],
): Promise<Found> {
  const pattern = readFileSync(PATTERN, 'utf8').trim()
  if (/[|/]/.test(pattern)) await execute('gcore', ['-o', join(folder, 'core'), String(pid)])
  else await execute('prlimit', ['--pid', String(pid), '--core=unlimited:unlimited'])
  process.kill(pid, 'SIGABRT')
  while (existsSync(`/proc/${pid}/maps`) && isAlive(pid)) await sleep(50)
  const cores = (await readdir(folder)).filter((name) => name.startsWith('core'))
  if (cores.length === 0) throw new Error(`the system wrote no core; see ${PATTERN}`)
  let found: Found = { names: [], bytesRead: 0 }
  for (const core of cores) {
    const bytes = await readFile(join(folder, core))
    found = {
      names: [...found.names, ...foundIn([bytes], needles)],
      bytesRead: found.bytesRead + bytes.length,
    }
    bytes.fill(0)
    await rm(join(folder, core))
  }
  return found
}

/** False if a process has ended, even if its parent hasn't read its exit status yet. */
function isAlive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

const HOLDER = `globalThis.key = Buffer.from(process.argv[1], 'hex')
  process.stdout.write('ready')
  setInterval(() => {}, 1000)`

/**
 * Searches the core of a process that has a secret in its memory. The result shows whether the search can find a secret
 * at all.
 */
export async function searchHolder(secret: Buffer, needles: readonly Needle[]): Promise<Found> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-core-'))
  try {
    const child = spawn(process.execPath, ['-e', HOLDER, secret.toString('hex')], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await once(child.stdout, 'data')
    return await searchCore(child.pid ?? 0, folder, needles)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
