import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { builtProgram } from '../../demo/src/stack/built-program.ts'

const pathOf = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url))
const MAIN = pathOf('packages/server/src/main.ts')
const PRELOADED = ['demo/src/stack/die-with-parent.mjs', 'testing/privacy/crash-on-signal.mjs']
const STOP_MS = 25_000

/** The service as a process. The whole output is kept. */
export class WatchedService {
  /** Standard output and standard error of the service since its first start, across restarts. */
  out = ''
  err = ''
  readonly #env: Readonly<Record<string, string>>
  #child: ChildProcess | undefined

  constructor(env: Readonly<Record<string, string>>) {
    this.#env = env
  }

  /** Starts the process. Resolves with the content of its ready line. */
  async start(): Promise<{ readonly baseUrl: string }> {
    const preloaded = PRELOADED.flatMap((file) => ['--import', pathOf(file)])
    const program = await builtProgram(MAIN)
    const child = spawn(process.execPath, [...preloaded, program, 'serve', '--json'], {
      env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', ...this.#env },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    this.#child = child
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.err += text))
    return new Promise((resolve, reject) => {
      let said = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        this.out += text
        said += text
        const line = said.split('\n').find((one) => one.startsWith('{') && said.includes('\n'))
        if (line !== undefined) resolve(JSON.parse(line) as { baseUrl: string })
      })
      child.on('exit', () => reject(new Error(`the service ended: ${this.err}`)))
    })
  }

  /** Sends a signal and waits until the process has ended. Returns the exit code or the signal. */
  async end(signal: NodeJS.Signals): Promise<number | string | null> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return null
    const closed = once(child, 'close') as Promise<[number | null, string | null]>
    child.kill(signal)
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    const [code, by] = await closed
    clearTimeout(timer)
    return by ?? code
  }
}
