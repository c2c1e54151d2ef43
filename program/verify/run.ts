import { spawnSync } from 'node:child_process'

/** The result of a command. `found` is false if the machine doesn't have the command. */
export interface Run {
  readonly found: boolean
  readonly code: number
  /** The command's standard output. */
  readonly output: string
}

interface RunOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** If true, the command's output is shown and not returned. */
  readonly isShown?: boolean
}

/** Runs a command and waits until it ends. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Run {
  const result = spawnSync(command, [...args], {
    encoding: 'utf8',
    stdio: options.isShown === true ? ['ignore', 2, 2] : ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 26,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: options.env ?? process.env,
  })
  const failure: NodeJS.ErrnoException | undefined = result.error
  const found = failure?.code !== 'ENOENT'
  return { found, code: result.status ?? 1, output: result.stdout ?? '' }
}
