import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { hashFile } from '../manifest.ts'
import { type PhaseNumber, type Transcript, fileOf, preparedIn, stepsOf } from './transcript.ts'

/** The phase that is open for contributions. @throws Error that names the next command if no phase is open. */
export function openPhaseOf(transcript: Transcript): PhaseNumber {
  const phase = preparedIn(transcript) === undefined ? 1 : 2
  if (stepsOf(transcript, phase).at(-1)?.kind !== 'beacon') return phase
  throw new Error(
    `Phase ${phase} is closed; the next command is \`${phase === 1 ? 'prepare' : 'finalise'}\`.`,
  )
}

/**
 * Makes the next file of a phase from the phase's newest file. The new file gets its final name only when it is
 * complete, so an interrupted run can be repeated. This function doesn't change the transcript: the caller writes it.
 *
 * @param make calls snarkjs to make the file `to` from the file `from`; returns the contribution's hash
 */
export async function addStep<P extends PhaseNumber>(
  folder: string,
  transcript: Transcript,
  phase: P,
  make: (from: string, to: string) => Promise<Uint8Array | false>,
): Promise<{ phase: P; file: string; sha256: string; hash: string }> {
  const count = stepsOf(transcript, phase).length
  const file = fileOf(phase, count + 1)
  const unfinished = join(folder, `${file}.unfinished`)
  const hash = await make(join(folder, fileOf(phase, count)), unfinished)
  if (hash === false) throw new Error('snarkjs refused the beacon.')
  await rename(unfinished, join(folder, file))
  const sha256 = await hashFile(join(folder, file))
  return { phase, file, sha256, hash: Buffer.from(hash).toString('hex') }
}
