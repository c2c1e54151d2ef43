import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

// The prover runs as a separate process, as in an operator's service. If this code imported the prover, the GPL would
// apply to this code.
const EXECUTABLE = fileURLToPath(new URL('../../packages/prover/sotto-prover.mjs', import.meta.url))

/** A running prover with one engine. */
export interface EngineProcess {
  /** Proves one input. Returns the milliseconds that the prover itself measured. */
  readonly prove: (input: unknown) => Promise<number>
  /** Peak memory of the process and its child processes, in MB (10^6 bytes). */
  readonly peakMemory: () => Promise<number>
  readonly stop: () => void
}

/** Starts a prover and waits until it is ready. */
export async function startEngine(engine: 'native' | 'wasm' | 'snarkjs'): Promise<EngineProcess> {
  const child = spawn(process.execPath, [EXECUTABLE, '--engine', engine], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {},
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const answer = async () => {
    const { value, done } = await lines.next()
    if (done === true) throw new Error(`the prover with ${engine} ended`)
    return JSON.parse(value) as { engine?: string; ok?: boolean; ms?: number; code?: string }
  }
  const ready = await answer()
  if (ready.engine !== engine) throw new Error(`the prover started with ${ready.engine}`)
  return {
    prove: async (input) => {
      child.stdin.write(`${JSON.stringify({ id: 'bench', input })}\n`)
      const { ok, ms, code } = await answer()
      if (ok !== true || ms === undefined) throw new Error(`the prover answered ${code}`)
      return ms
    },
    peakMemory: async () => peakMemoryOf(child.pid ?? 0),
    stop: () => child.stdin.end(),
  }
}

async function peakMemoryOf(pid: number): Promise<number> {
  const [status, children] = await Promise.all([
    readFile(`/proc/${pid}/status`, 'utf8'),
    readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'),
  ])
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]
  if (kilobytes === undefined)
    throw new Error('the system does not report the peak memory of a process')
  const others = await Promise.all(
    children.split(' ').filter(Boolean).map(Number).map(peakMemoryOf),
  )
  return others.reduce((sum, peak) => sum + peak, (Number(kilobytes) * 1_024) / 1e6)
}
