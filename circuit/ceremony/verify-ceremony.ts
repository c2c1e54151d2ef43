import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { BEACON_ITERATIONS_EXP } from '../contribution.ts'
import { hashFile } from '../manifest.ts'
import { beaconValue } from './beacon-source.ts'
import { assertTranscriptHolds } from './check-transcript.ts'
import { hashFreshKey, hashFreshPowers } from './fresh-files.ts'
import { readPowersHeader } from './powers-header.ts'
import { assertPublishedHash } from './published-powers.ts'
import { type VerifiedStep, verifyPowersOfTau, verifyProvingKey } from './snarkjs-verify.ts'
import {
  type Prepared,
  type Start,
  type Step,
  type Transcript,
  fileOf,
  preparedIn,
  startOf,
  stepsOf,
} from './transcript.ts'
import { readTranscriptIn } from './transcript-file.ts'

/** The name that snarkjs writes into the files for a beacon's contribution. */
export const BEACON_NAME = 'beacon'

/** The files of a phase that are verified back to the phase's beginning: all of them, or only the newest. */
export type Depth = 'every file' | 'newest'

/**
 * Verifies a ceremony from its folder alone. The function checks the transcript, and that every file exists and has the
 * hash in the transcript. It makes the first file of each phase again and compares the hashes. If phase 1 began with
 * published powers of tau, it checks the published hash instead. It checks that every later file extends the previous
 * file by exactly the contribution in the transcript.
 *
 * With `newest`, only the last file of the newest phase is verified back to the phase's beginning. That file contains
 * all contributions of its phase, so this is enough before another contribution.
 *
 * @param r1cs the circuit's constraints, compiled by the verifier
 * @throws Error that names the first wrong file or entry.
 */
export async function verifyCeremony(
  folder: string,
  r1cs: string,
  depth: Depth = 'every file',
): Promise<Transcript> {
  const transcript = await readTranscriptIn(folder)
  if (transcript.circuit.r1cs !== (await hashFile(r1cs))) {
    throw new Error('The ceremony belongs to a different circuit.')
  }
  assertTranscriptHolds(transcript)
  await assertFilesAreThere(folder, transcript)
  const prepared = preparedIn(transcript)
  if (depth === 'every file' || prepared === undefined) {
    await verifyPhase1(folder, transcript, depth)
  }
  if (prepared !== undefined) {
    await verifyFirstKey(folder, prepared, r1cs)
    await verifyPhase2(folder, transcript, prepared, depth)
  }
  return transcript
}

async function assertFilesAreThere(folder: string, transcript: Transcript): Promise<void> {
  for (const entry of transcript.entries) {
    await assertHash(folder, entry.file, entry.sha256)
    if (entry.kind === 'prepared') await assertHash(folder, entry.keyFile, entry.keySha256)
  }
}

async function assertHash(folder: string, file: string, sha256: string): Promise<void> {
  const found = await hashFile(join(folder, file)).catch((cause: unknown) => {
    throw new Error(`${file} is missing or cannot be read.`, { cause })
  })
  if (found !== sha256) throw new Error(`${file} is not the file that the transcript names.`)
}

async function verifyPhase1(folder: string, transcript: Transcript, depth: Depth): Promise<void> {
  const start = startOf(transcript)
  const before = await verifyStart(folder, start)
  const steps = stepsOf(transcript, 1)
  for (const count of toFollow(steps.length, depth)) {
    const file = fileOf(1, count)
    const verified = await verifyPowersOfTau(join(folder, file), file)
    assertHolds(file, verified.steps, [...before, ...steps.slice(0, count).map(toVerified)])
  }
  const prepared = preparedIn(transcript)
  if (prepared === undefined) return
  const { file } = prepared
  const { steps: held, isPrepared } = await verifyPowersOfTau(join(folder, file), file)
  assertHolds(file, held, [...before, ...steps.map(toVerified)])
  if (!isPrepared) throw new Error(`${file} is not prepared for phase 2.`)
}

/** Checks the start of phase 1. Returns the contributions that its file already contains. */
async function verifyStart(folder: string, start: Start): Promise<VerifiedStep[]> {
  const path = join(folder, start.file)
  const { published, power } = start
  if (published === undefined) {
    if ((await hashFreshPowers(power)) === start.sha256) return []
    throw new Error(`${start.file} is not the file that every ceremony of this size begins with.`)
  }
  await assertPublishedHash(path, published.hash)
  const { steps } = await verifyPowersOfTau(path, start.file)
  const found = { ...published, contributions: steps.length, endsInBeacon: endsInBeacon(steps) }
  if (!isDeepStrictEqual(found, published) || (await readPowersHeader(path)).power !== power) {
    throw new Error(`${start.file} does not contain what the transcript says.`)
  }
  return steps
}

/** True if the last contribution is a beacon. */
export const endsInBeacon = (steps: readonly VerifiedStep[]): boolean =>
  steps.at(-1)?.beacon !== undefined

async function verifyFirstKey(folder: string, entry: Prepared, r1cs: string): Promise<void> {
  if ((await hashFreshKey(r1cs, join(folder, entry.file))) === entry.keySha256) return
  throw new Error(
    `${entry.keyFile} is not the key that follows from the circuit and the powers of tau.`,
  )
}

async function verifyPhase2(
  folder: string,
  transcript: Transcript,
  { file, keyFile }: Prepared,
  depth: Depth,
): Promise<void> {
  const [prepared, initial] = [join(folder, file), join(folder, keyFile)]
  const steps = stepsOf(transcript, 2)
  for (const count of toFollow(steps.length, depth)) {
    const name = fileOf(2, count)
    const verified = await verifyProvingKey(join(folder, name), name, initial, prepared)
    assertHolds(name, verified, steps.slice(0, count).map(toVerified))
  }
}

/** The numbers of the steps whose files must be verified. */
const toFollow = (steps: number, depth: Depth): number[] =>
  Array.from({ length: steps }, (_, at) => at + 1).slice(depth === 'newest' ? -1 : 0)

/** The report that snarkjs must give for a step when it verifies the step's file. */
function toVerified(step: Step): VerifiedStep {
  if (step.kind === 'contribution') return { name: step.name, hash: step.hash }
  const beacon = { hex: beaconValue(step.source), iterationsExp: BEACON_ITERATIONS_EXP }
  return { name: BEACON_NAME, hash: step.hash, beacon }
}

function assertHolds(file: string, found: VerifiedStep[], expected: VerifiedStep[]): void {
  const length = Math.max(found.length, expected.length)
  for (let at = 0; at < length; at += 1) {
    if (isDeepStrictEqual(found[at], expected[at])) continue
    const name = (step: VerifiedStep | undefined) =>
      step === undefined ? 'nothing' : `${step.name || 'unnamed'} (${step.hash.slice(0, 16)}...)`
    throw new Error(
      `${file} does not extend the file before it as the transcript describes: contribution ${at + 1} ` +
        `is ${name(found[at])} in the file and ${name(expected[at])} in the transcript.`,
    )
  }
}
