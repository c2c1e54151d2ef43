import { copyFile, mkdir, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { hashFile } from '../manifest.ts'
import { MOST_POWER, isPower } from './parse-transcript.ts'
import { makeFreshPowers } from './fresh-files.ts'
import { readPowersHeader } from './powers-header.ts'
import { assertPublishedHash } from './published-powers.ts'
import { verifyPowersOfTau } from './snarkjs-verify.ts'
import { type Start, type Transcript, fileOf } from './transcript.ts'
import { writeTranscript } from './transcript-file.ts'
import { endsInBeacon } from './verify-ceremony.ts'

/** How a ceremony begins: with fresh powers of tau, or with a published file and its published hash. */
export type Beginning = { power: number } | { path: string; hash: string; source: string }

/**
 * Starts a ceremony in an empty folder.
 *
 * @param r1cs path of the constraints of the key's circuit; the file's name becomes the circuit's name
 * @throws Error if the folder isn't empty, or if a published file doesn't have its published hash.
 */
export async function startCeremony(
  folder: string,
  r1cs: string,
  beginning: Beginning,
): Promise<Transcript> {
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length > 0) throw new Error('A ceremony starts in an empty folder.')
  await mkdir(join(folder, 'phase1'))
  await mkdir(join(folder, 'phase2'))
  const file = fileOf(1, 0)
  const path = join(folder, file)
  const begun =
    'power' in beginning ? await begin(path, beginning.power) : await adopt(path, beginning)
  const { power, published } = begun
  const start: Start = { kind: 'start', power, file, sha256: await hashFile(path) }
  if (published !== undefined) start.published = published
  const circuit = { name: basename(r1cs, '.r1cs'), r1cs: await hashFile(r1cs) }
  const transcript: Transcript = { format: 1, circuit, entries: [start] }
  await writeTranscript(folder, transcript)
  return transcript
}

type Begun = Pick<Start, 'power' | 'published'>

async function begin(path: string, power: number): Promise<Begun> {
  if (!isPower(power)) throw new Error(`A power is a whole number from 3 to ${MOST_POWER}.`)
  await makeFreshPowers(power, path)
  return { power }
}

async function adopt(
  path: string,
  { path: from, hash, source }: { path: string; hash: string; source: string },
): Promise<Begun> {
  await assertPublishedHash(from, hash)
  await copyFile(from, path)
  const { power } = await readPowersHeader(path)
  const { steps } = await verifyPowersOfTau(path, 'The published file')
  const published = { source, hash, contributions: steps.length, endsInBeacon: endsInBeacon(steps) }
  return { power, published }
}
