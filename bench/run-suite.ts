import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Options } from './options.ts'
import type { Line } from './report/line.ts'
import { SUITES } from './suites.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
/**
 * The time limit for a suite. On a busy machine, the longest suite takes half of this time. Because of the limit, a
 * suite that hangs doesn't block the other suites.
 */
const SUITE_MS = 45 * 60_000

/** Runs one suite in this process or in a separate one. Returns the suite's lines. */
export async function runSuite(
  name: string,
  options: Options,
  progress: (text: string) => void,
): Promise<readonly Line[]> {
  const { isApart, only, quick } = options
  if (isApart) return runApart(name, options)
  const suite = await SUITES[name]?.()
  if (suite === undefined) throw new Error(`there is no suite ${name}`)
  progress(`${name}: ${suite.measures}`)
  const wants = (line: string) => line.includes(only)
  return suite.run({ quick, progress, wants })
}

async function runApart(name: string, { only, quick }: Options): Promise<readonly Line[]> {
  const words = [name, '--json', '--only', only, ...(quick ? ['--quick'] : [])]
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: SUITE_MS,
  })
  const written: Buffer[] = []
  child.stdout.on('data', (bytes: Buffer) => written.push(bytes))
  const ended = await new Promise<string>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(signal ?? `${code}`))
  })
  // Exit code 1 means that a value missed its limit. This isn't an error here, because the value's line shows it.
  if (ended !== '0' && ended !== '1') throw new Error(`the suite's process ended with ${ended}`)
  return JSON.parse(Buffer.concat(written).toString()) as Line[]
}
