import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { builtProgram } from '../../../demo/src/stack/built-program.ts'
import type { Endpoints } from './client.ts'

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
const MAIN = pathOf('../src/main.ts')
const DIE_WITH_PARENT = pathOf('../../../demo/src/stack/die-with-parent.mjs')

type Ending = 'SIGKILL' | 'SIGTERM' | 'SIGINT'

async function launch(args: readonly string[]) {
  // If the test run is interrupted, the chain's standard input closes, and the chain ends.
  const nodeArgs = ['--import', DIE_WITH_PARENT, await builtProgram(MAIN)]
  const child = spawn(process.execPath, [...nodeArgs, ...args], { stdio: 'pipe' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Starts the executable and waits until it answers requests. */
export async function startProcess(args: readonly string[]) {
  const child = await launch(['--port', '0', '--json', ...args])
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const endpoints = JSON.parse(line) as Endpoints
  const end = async (signal: Ending) => {
    const exited = once(child, 'exit') as Promise<[number | null, string | null]>
    child.kill(signal)
    return (await exited)[0]
  }
  return { endpoints, end, pid: child.pid }
}

/** Starts the executable and kills it after `afterMs`. The start may not be complete by then. */
export async function killWhileStarting(args: readonly string[], afterMs: number): Promise<void> {
  const child = await launch(['--port', '0', '--json', ...args])
  const exited = once(child, 'exit')
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
  await exited
  clearTimeout(timer)
}

/** Runs the executable until it exits, for command lines that must not start a chain. */
export async function runToEnd(args: readonly string[]) {
  const child = await launch(args)
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => (stdout += String(chunk)))
  child.stderr.on('data', (chunk) => (stderr += String(chunk)))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}
