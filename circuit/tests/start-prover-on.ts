import { PROVER_EXECUTABLE } from '@sotto/prover'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** Starts a prover on a folder of artefacts, sends no request, and returns its ready message. */
export async function startProverOn(artefacts: string) {
  const child = spawn(process.execPath, [PROVER_EXECUTABLE, '--artefacts', artefacts])
  child.stdin.end()
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ])
  return { code, err, out: out === '' ? undefined : (JSON.parse(out) as object) }
}
