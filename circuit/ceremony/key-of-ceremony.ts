import { join } from 'node:path'
import type { Manifest } from '../manifest.ts'
import { assertTranscriptHolds } from './check-transcript.ts'
import { findShortcomings } from './requirements.ts'
import { type Transcript, hashTranscript, preparedIn, stepsOf } from './transcript.ts'
import { CEREMONY_FILE, readTranscript } from './transcript-file.ts'

/**
 * Checks the transcript in the folder of a manifest with `development: false`. The transcript must have the hash in the
 * manifest, be fully signed, have no shortcomings, and end in exactly the manifest's key.
 *
 * This function doesn't read the ceremony's other files, so it doesn't replace `verifyCeremony`.
 *
 * @throws Error that names the first fault.
 */
export async function assertKeyOfCeremony(folder: string, manifest: Manifest): Promise<Transcript> {
  const refuse = (reason: string): never => {
    throw new Error(`The manifest says that this is not a development key, but ${reason}`)
  }
  if (manifest.ceremony === undefined) return refuse('names no transcript of a ceremony.')
  const transcript = await readTranscript(join(folder, CEREMONY_FILE))
  if (hashTranscript(transcript) !== manifest.ceremony.transcript) {
    return refuse(
      'the transcript next to the manifest is not the transcript that the manifest names.',
    )
  }
  assertTranscriptHolds(transcript)
  const [shortcoming] = findShortcomings(transcript)
  if (shortcoming !== undefined) return refuse(`its ceremony has a shortcoming: ${shortcoming}`)
  const isSame =
    stepsOf(transcript, 2).at(-1)?.sha256 === manifest.files['settle.zkey'] &&
    preparedIn(transcript)?.sha256 === manifest.powersOfTau.sha256 &&
    transcript.circuit.r1cs === manifest.r1cs
  return isSame ? transcript : refuse('its ceremony ended in another key.')
}
