import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PROVER_ARTEFACTS } from '@sotto/prover'
import { ROOT } from './compile.ts'
import type { Contribution } from './contribution.ts'

/** The folder that the prover reads and checks at every start. */
export const ARTEFACTS = PROVER_ARTEFACTS

/** The prepared powers of tau that the committed key was made from; kept so that anyone can verify it. */
export const POWERS_OF_TAU = join(ROOT, 'circuit/artefacts/powers-of-tau-14.ptau')

/** The circuit that these files belong to. */
export const CIRCUIT = join(ROOT, 'circuit/settle.circom')

/** The folder for compilations and unfinished keys; it isn't committed. */
export const WORK = join(ROOT, '.sotto/circuit')

/** The files that a prover needs; the manifest pins each by its SHA-256. */
export const PINNED_FILES = ['settle.zkey', 'settle.wasm', 'vkey.json'] as const

/** The content of `manifest.json`, which describes the key beside it. */
export interface Manifest {
  circuit: 'settle'
  /** True if others can't check who made the key: it must never guard real funds. Only a verified
   * ceremony with enough contributors and public beacons makes it false. */
  development: boolean
  warning?: string
  files: Record<(typeof PINNED_FILES)[number], string>
  r1cs: string
  powersOfTau: { sha256: string; contributions: Contribution[] }
  phase2: { contributions: Contribution[] }
  /** SHA-256 of `ceremony.json`, the transcript. */
  ceremony?: { transcript: string }
}

/** SHA-256 of a file, in hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex')
}

/** Reads the manifest of a folder of artefacts. */
export async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest
}

/** Writes the manifest of a folder whose files are all in place, hashing each of them. */
export async function writeManifest(
  folder: string,
  manifest: Omit<Manifest, 'circuit' | 'files'>,
): Promise<void> {
  const hashes = PINNED_FILES.map(async (name) => [name, await hashFile(join(folder, name))])
  const files = Object.fromEntries(await Promise.all(hashes)) as Manifest['files']
  const { development, warning, ...rest } = manifest
  const label = warning === undefined ? { development } : { development, warning }
  const text = JSON.stringify({ circuit: 'settle', ...label, files, ...rest }, null, 2)
  await writeFile(join(folder, 'manifest.json'), `${text}\n`)
}
