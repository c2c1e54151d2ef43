import { copyFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { powersOfTau } from 'snarkjs'
import { hashFile } from '../manifest.ts'
import { makeUncontributedKey } from '../proving-key.ts'
import { readPowersHeader } from './powers-header.ts'
import { verifyPowersOfTau } from './snarkjs-verify.ts'
import {
  type Prepared,
  type Transcript,
  PREPARED_FILE,
  fileOf,
  preparedIn,
  startOf,
  stepsOf,
} from './transcript.ts'
import { writeTranscript } from './transcript-file.ts'
import { verifyCeremony } from './verify-ceremony.ts'

/**
 * Opens phase 2: prepares the finished powers of tau, and makes the circuit's first key, which has no contribution. The
 * step needs no secret, and anyone who repeats it gets the same bytes. If a published file is already prepared, it is
 * used unchanged. The preparation takes ten minutes at 2^14.
 *
 * @throws Error if phase 1 isn't closed, is invalid, or is too small for the circuit.
 */
export async function preparePhase2(folder: string, r1cs: string): Promise<Prepared> {
  const transcript = await verifyCeremony(folder, r1cs, 'newest')
  assertPhase1IsClosed(transcript)
  const from = join(folder, fileOf(1, stepsOf(transcript, 1).length))
  const unfinished = join(folder, `${PREPARED_FILE}.unfinished`)
  const { isPrepared } = await verifyPowersOfTau(from, 'The file to prepare')
  const { power, ceremonyPower } = await readPowersHeader(from)
  if (isPrepared) await copyFile(from, unfinished)
  else if (power === ceremonyPower) await powersOfTau.preparePhase2(from, unfinished)
  else
    throw new Error('Powers of tau that were truncated must be published in their prepared form.')
  await rename(unfinished, join(folder, PREPARED_FILE))

  const keyFile = fileOf(2, 0)
  await makeUncontributedKey(r1cs, join(folder, PREPARED_FILE), join(folder, keyFile))
  const [sha256, keySha256] = [
    await hashFile(join(folder, PREPARED_FILE)),
    await hashFile(join(folder, keyFile)),
  ]
  const entry: Prepared = { kind: 'prepared', file: PREPARED_FILE, sha256, keyFile, keySha256 }
  await writeTranscript(folder, { ...transcript, entries: [...transcript.entries, entry] })
  return entry
}

function assertPhase1IsClosed(transcript: Transcript): void {
  if (preparedIn(transcript) !== undefined) throw new Error('Phase 2 is already open.')
  const steps = stepsOf(transcript, 1)
  const isUntouched = steps.length === 0 && startOf(transcript).published !== undefined
  if (!isUntouched && steps.at(-1)?.kind !== 'beacon') {
    throw new Error('Phase 1 is not closed yet; the next command is `contribute` or `beacon`.')
  }
}
