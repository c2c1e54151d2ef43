import { spawnSync } from 'node:child_process'

/** The result of a command; `found` is false if the program doesn't exist. */
export interface Run {
  readonly found: boolean
  readonly code: number
  /** Standard output. */
  readonly output: string
}

interface RunOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** Shows the command's output instead of returning it. */
  readonly isShown?: boolean
}

/** Runs a command to its end. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Run {
  const result = spawnSync(command, [...args], {
    encoding: 'utf8',
    stdio: options.isShown === true ? ['ignore', 2, 2] : ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 26,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: options.env ?? process.env,
  })
  const found = (result.error as NodeJS.ErrnoException | undefined)?.code !== 'ENOENT'
  return { found, code: result.status ?? 1, output: result.stdout ?? '' }
}
