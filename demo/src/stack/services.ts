import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { runCommand, startProcess, type StartedProcess } from './child-process.ts'

// Each path is written out, so that the build of the published package, which has these files elsewhere, can replace
// it.
const LOCALNET = fileURLToPath(new URL('../../../packages/localnet/src/main.ts', import.meta.url))
const SERVER = fileURLToPath(new URL('../../../packages/server/src/main.ts', import.meta.url))
export const PROGRAM_FILE = fileURLToPath(
  new URL('../../../program/artefacts/sotto_program.so', import.meta.url),
)

/** The program's address on the local chain; a real cluster has another one. */
export const LOCAL_PROGRAM = 'Sotto11111111111111111111111111111111111111'

export interface LocalnetReady {
  readonly rpcUrl: string
  readonly wsUrl: string
}

export interface ServerReady {
  readonly baseUrl: string
  readonly docsUrl: string
  /** The send page's URL; undefined without one. */
  readonly sendUrl?: string
  /** The operator console's URL; undefined without a port for it. */
  readonly consoleUrl?: string
}

/** Starts the embedded chain with the program and its upgrade authority; in memory if there is no folder. */
export function startLocalnet(options: {
  readonly port: number
  readonly folder?: string
  readonly upgradeAuthority: string
  /** More arguments for the chain's own command line. */
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

/** Starts the service, with API and worker in one process. */
export function startServer(env: ServerEnvironment): Promise<StartedProcess<ServerReady>> {
  return startProcess('the service', SERVER, ['serve', '--json'], env)
}

/** Runs the operator's commands from `file` like an operator would; returns the output of each. */
export async function operateAll(
  env: ServerEnvironment,
  file: string,
  lines: readonly (readonly string[])[],
): Promise<object[]> {
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return runCommand('sotto-server batch', SERVER, ['--json', 'batch', file], env)
}
