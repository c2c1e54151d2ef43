import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PROVER_ARTEFACTS, PROVER_WITNESS_PROGRAM } from '@sotto/prover'
import { ROOT } from './compile.ts'
import type { Contribution } from './contribution.ts'

/** The folder with the key. The prover reads and checks it at every start. */
export const ARTEFACTS = PROVER_ARTEFACTS

/** The program that the prover runs to compute witnesses of the settle circuit. */
export const WITNESS_PROGRAM = PROVER_WITNESS_PROGRAM

/** The prepared powers of tau of the committed key. With them, anyone can verify the key. */
export const POWERS_OF_TAU = join(ROOT, 'circuit/artefacts/powers-of-tau-14.ptau')

/** The circuit that these files belong to. */
export const CIRCUIT = join(ROOT, 'circuit/settle.circom')

/** The folder for compilations and unfinished keys; it isn't committed. */
export const WORK = join(ROOT, '.sotto/circuit')

/** The files that a prover needs. The manifest contains the SHA-256 of each. */
export const PINNED_FILES = ['settle.zkey', 'settle.wasm', 'vkey.json'] as const

/** The content of `manifest.json`, which describes the key in the same folder. */
export interface Manifest {
  circuit: 'settle'
  /**
   * False only for a key from a verified ceremony with enough contributors and public beacons. For any other key, only
   * the key's maker can know how the key was made. So such a key must never guard real funds.
   */
  development: boolean
  warning?: string
  files: Record<(typeof PINNED_FILES)[number], string>
  r1cs: string
  powersOfTau: { sha256: string; contributions: Contribution[] }
  phase2: { contributions: Contribution[] }
  /** SHA-256 of the transcript `ceremony.json`. */
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

/** Writes the manifest of a folder, with the hash of each pinned file. All these files must exist already. */
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
