import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { zKey } from 'snarkjs'
import type { Contribution as ManifestEntry } from '../contribution.ts'
import { hashFile, writeManifest } from '../manifest.ts'
import { assertSoundVerificationKey } from '../verification-key.ts'
import { beaconValue, describeBeacon, isPublic } from './beacon-source.ts'
import { findShortcomings } from './requirements.ts'
import {
  type PhaseNumber,
  type Step,
  type Transcript,
  hashTranscript,
  preparedIn,
  renderTranscript,
  stepsOf,
} from './transcript.ts'
import { CEREMONY_FILE } from './transcript-file.ts'
import { verifyCeremony } from './verify-ceremony.ts'

const REHEARSAL =
  'This key comes from a rehearsal that does not meet the requirements of a ceremony: use it for ' +
  'development only, never for notes that have value.'

/** Options of `finalise`, in addition to the ceremony's folder. */
export interface FinaliseOptions {
  r1cs: string
  wasm: string
  /** The folder from which the prover reads the key. */
  artefacts: string
  /** If true, a key that doesn't meet the requirements is written too, and is marked as a development key. */
  rehearsal?: boolean
}

/**
 * Verifies a whole ceremony with all its files, and writes its key and a manifest for the prover. The manifest says
 * `development: false` only if the ceremony has no shortcomings.
 *
 * @throws Error if a check fails. If the ceremony has shortcomings and this isn't a rehearsal, the error names all of
 *   them.
 */
export async function finaliseCeremony(
  folder: string,
  options: FinaliseOptions,
): Promise<Transcript> {
  const { r1cs, wasm, artefacts } = options
  const transcript = await verifyCeremony(folder, r1cs)
  const shortcomings = findShortcomings(transcript)
  const last = stepsOf(transcript, 2).at(-1)
  const prepared = preparedIn(transcript)
  const isOpen = last === undefined || prepared === undefined
  if (isOpen || (shortcomings.length > 0 && options.rehearsal !== true)) {
    throw new Error(`This ceremony gives no key yet. ${shortcomings.join(' ')}`)
  }
  const key = join(folder, last.file)
  const vkey = await zKey.exportVerificationKey(key)
  assertSoundVerificationKey(vkey)

  await mkdir(artefacts, { recursive: true })
  await copyFile(key, join(artefacts, 'settle.zkey'))
  await copyFile(wasm, join(artefacts, 'settle.wasm'))
  await writeFile(join(artefacts, 'vkey.json'), `${JSON.stringify(vkey, null, 1)}\n`)
  await writeFile(join(artefacts, CEREMONY_FILE), renderTranscript(transcript))
  const isReal = shortcomings.length === 0
  await writeManifest(artefacts, {
    development: !isReal,
    ...(isReal ? {} : { warning: REHEARSAL }),
    r1cs: await hashFile(r1cs),
    powersOfTau: { sha256: prepared.sha256, contributions: listSteps(transcript, 1) },
    phase2: { contributions: listSteps(transcript, 2) },
    ceremony: { transcript: hashTranscript(transcript) },
  })
  return transcript
}

const listSteps = (transcript: Transcript, phase: PhaseNumber) =>
  stepsOf(transcript, phase).map(toManifestEntry)

function toManifestEntry(step: Step): ManifestEntry {
  if (step.kind === 'contribution') return { name: step.name, hash: step.hash }
  const { source, hash } = step
  const beacon = {
    hex: beaconValue(source),
    source: describeBeacon(source),
    public: isPublic(source),
  }
  return { name: 'beacon', hash, beacon }
}
