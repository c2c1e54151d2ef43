import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Address } from '@sotto/protocol'
import { builtProgram } from '../../../../../demo/src/stack/built-program.ts'

const path = (relative: string) =>
  fileURLToPath(new URL(`../../../../../${relative}`, import.meta.url))
const MAIN = path('packages/localnet/src/main.ts')
const DIE_WITH_PARENT = path('demo/src/stack/die-with-parent.mjs')
const PROGRAM_FILE = path('program/artefacts/sotto_program.so')

export const PROGRAM = 'Sotto11111111111111111111111111111111111111' as Address

export interface LocalnetProcess {
  readonly rpcUrl: string
  /** Calls a method that only the local chain has. */
  readonly local: <Result>(method: string, parameters: unknown[]) => Promise<Result>
  readonly stop: () => Promise<void>
}

/**
 * Starts the local chain as a separate process, with the program file from the repository and its upgrade authority. If
 * no authority is given, the program isn't loaded. `others` are additional programs, as `<address>=<file>`. `more` are
 * additional options.
 */
export async function startLocalnetProcess(
  upgradeAuthority?: Address,
  others: readonly string[] = [],
  more: readonly string[] = [],
): Promise<LocalnetProcess> {
  const options = ['--json', '--port', '0', '--slot-ms', '100', ...more]
  if (upgradeAuthority) options.push('--program', `${PROGRAM}=${PROGRAM_FILE}:${upgradeAuthority}`)
  for (const program of others) options.push('--program', program)
  // If the test run is interrupted, the chain's standard input is closed, which ends the chain.
  const nodeArgs = ['--import', DIE_WITH_PARENT, await builtProgram(MAIN)]
  const child = spawn(process.execPath, [...nodeArgs, ...options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const [line] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exited.then(() => Promise.reject(new Error('the local chain did not start'))),
  ])) as [string]
  const { rpcUrl } = JSON.parse(line) as { rpcUrl: string }
  return {
    rpcUrl,
    local: async (method, parameters) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: parameters })
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(rpcUrl, { method: 'POST', headers, body })
      const answer = (await response.json()) as { result?: unknown; error?: { message: string } }
      if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`)
      return answer.result as never
    },
    stop: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}
