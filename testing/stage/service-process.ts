import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { builtProgram } from '../../demo/src/stack/built-program.ts'

const pathOf = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url))
const MAIN = pathOf('packages/server/src/main.ts')
const DIE_WITH_PARENT = pathOf('demo/src/stack/die-with-parent.mjs')
/** Pause before the supervisor restarts a process. */
const RESTART_MS = 200
/** Maximum number of consecutive failed starts. After that, the run fails, because the service can't start. */
const FAILED_STARTS_MAX = 20
const STOP_MS = 25_000

export interface ServiceOptions {
  readonly role: 'api' | 'worker' | 'api,worker'
  /** The built program; the default is today's program. */
  readonly program?: string
  readonly env: Readonly<Record<string, string>>
  /** The process's working directory; the default is the repository's root. */
  readonly folder?: string
  /** The file for the process's standard error. */
  readonly logFile: string
}

/** The service under a supervisor, which restarts the process each time it ends, for any reason. */
export class ServiceProcess {
  readonly #options: ServiceOptions
  #child: ChildProcess | undefined
  #isStopping = false
  #running: Promise<void> | undefined
  #starts = 0
  #isReady = false
  #kills = 0
  #exit: number | string | undefined

  constructor(options: ServiceOptions) {
    this.#options = options
  }

  /** Starts the process and waits for its ready line; returns the line's content. */
  async start(): Promise<{ baseUrl?: string }> {
    return new Promise((resolve, reject) => {
      this.#running = this.#supervise(resolve).catch((error: unknown) => {
        reject(error)
        throw error
      })
      this.#running.catch(() => undefined)
    })
  }

  /** Kills the process, as a power cut would. */
  kill(): void {
    this.#kills += 1
    this.#isReady = false
    this.#child?.kill('SIGKILL')
  }

  /** `kills`: how often the process was killed. `others`: how often it ended without being killed. */
  get ends(): { readonly kills: number; readonly others: number } {
    return { kills: this.#kills, others: Math.max(0, this.#starts - 1 - this.#kills) }
  }

  /** True while the process runs and is ready. */
  get isReady(): boolean {
    return this.#isReady
  }

  /** The exit code or signal of the process's last run. */
  get exit(): number | string | undefined {
    return this.#exit
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /**
   * The sum of a metric over all its labels. @throws Error if the process has no metrics or doesn't have this metric.
   */
  async metric(name: string): Promise<number> {
    const url = `http://127.0.0.1:${this.#options.env['SOTTO_METRICS_PORT']}/metrics`
    const text = await fetch(url).then((answer) => answer.text())
    const found = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))]
    if (found.length === 0) throw new Error(`the service has no metric ${name}`)
    return found.reduce((sum, [, value]) => sum + Number(value), 0)
  }

  /** Kills the process. The supervisor doesn't restart it. */
  async crash(): Promise<void> {
    this.#isStopping = true
    this.kill()
    await this.#running?.catch(() => undefined)
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    const child = this.#child
    child?.kill('SIGTERM')
    const timer = setTimeout(() => child?.kill('SIGKILL'), STOP_MS)
    await this.#running?.catch(() => undefined)
    clearTimeout(timer)
  }

  async #supervise(ready: (line: { baseUrl?: string }) => void): Promise<void> {
    let failedStarts = 0
    while (!this.#isStopping) {
      const isReady = await this.#runOnce(ready)
      failedStarts = isReady ? 0 : failedStarts + 1
      if (failedStarts > FAILED_STARTS_MAX) {
        throw new Error(`the service never starts; its log is ${this.#options.logFile}`)
      }
      if (!this.#isStopping) await sleep(RESTART_MS)
    }
  }

  /** Runs the process once. Returns true if the process became ready, or was killed before it became ready. */
  async #runOnce(ready: (line: { baseUrl?: string }) => void): Promise<boolean> {
    const { role, env, folder, logFile, program } = this.#options
    const log = await open(logFile, 'a', 0o600)
    const built = program ?? (await builtProgram(MAIN))
    const args = ['--import', DIE_WITH_PARENT, built, 'serve', '--json']
    const child = spawn(process.execPath, [...args, '--role', role], {
      cwd: folder ?? pathOf(''),
      env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', ...env },
      stdio: ['pipe', 'pipe', log.fd],
    })
    this.#child = child
    this.#starts += 1
    this.#isReady = false
    createInterface({ input: child.stdout as Readable }).on('line', (line) => {
      if (!line.startsWith('{')) return
      this.#isReady = true
      ready(JSON.parse(line) as { baseUrl?: string })
    })
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
    this.#exit = signal ?? code ?? undefined
    await log.close()
    const isGood = this.#isReady || signal === 'SIGKILL'
    this.#isReady = false
    return isGood
  }
}

/** Resident memory of a process and its children, in bytes; 0 if the process has ended. */
export async function residentBytes(pid: number): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    const own = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
    const pids = children.trim().split(/\s+/).filter(Boolean).map(Number)
    return (await Promise.all(pids.map(residentBytes))).reduce((sum, one) => sum + one, own)
  } catch {
    return 0
  }
}
