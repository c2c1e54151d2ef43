import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { runCommand, startProcess, type StartedProcess } from './child-process.ts'

// Each path is written in full, because the build of the published package finds and replaces these paths. The package
// has the files in other places.
const LOCALNET = fileURLToPath(new URL('../../../packages/localnet/src/main.ts', import.meta.url))
const SERVER = fileURLToPath(new URL('../../../packages/server/src/main.ts', import.meta.url))
export const PROGRAM_FILE = fileURLToPath(
  new URL('../../../program/artefacts/sotto_program.so', import.meta.url),
)

/** The program's address on the local chain. On real clusters, the program has another address. */
export const LOCAL_PROGRAM = 'Sotto11111111111111111111111111111111111111'

export interface LocalnetReady {
  readonly rpcUrl: string
  readonly wsUrl: string
}

export interface ServerReady {
  readonly baseUrl: string
  readonly docsUrl: string
  /** The URL of the send page; undefined if the service doesn't serve it. */
  readonly sendUrl?: string
  /** The URL of the operator's console; undefined if the console has no port. */
  readonly consoleUrl?: string
}

/**
 * Starts the embedded chain with the program and its upgrade authority. Without a folder, the chain is kept only in
 * memory.
 */
export function startLocalnet(options: {
  readonly port: number
  readonly folder?: string
  readonly upgradeAuthority: string
  /** Additional arguments for the chain's own command line. */
  readonly more?: readonly string[]
}): Promise<StartedProcess<LocalnetReady>> {
  return startProcess('the local chain', LOCALNET, [
    '--json',
    '--port',
    String(options.port),
    '--program',
    `${LOCAL_PROGRAM}=${PROGRAM_FILE}:${options.upgradeAuthority}`,
    ...(options.folder === undefined ? [] : ['--data', options.folder]),
    ...(options.more ?? []),
  ])
}

export type ServerEnvironment = Record<`SOTTO_${string}`, string>

/** Starts the service as one process, with API and worker. */
export function startServer(env: ServerEnvironment): Promise<StartedProcess<ServerReady>> {
  return startProcess('the service', SERVER, ['serve', '--json'], env)
}

/** Runs the operator's commands from `file`, as an operator would. Returns the output of each command. */
export async function operateAll(
  env: ServerEnvironment,
  file: string,
  lines: readonly (readonly string[])[],
): Promise<object[]> {
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return runCommand('sotto-server batch', SERVER, ['--json', 'batch', file], env)
}
