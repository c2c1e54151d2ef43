import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { VerificationKey } from 'snarkjs'
import { assertKeyOfCeremony } from './ceremony/key-of-ceremony.ts'
import { PREPARED_FILE, hashTranscript } from './ceremony/transcript.ts'
import { verifyCeremony } from './ceremony/verify-ceremony.ts'
import { type Manifest, PINNED_FILES, hashFile, readManifest } from './manifest.ts'
import { renderRust } from './render-vk.ts'
import {
  assertSoundVerificationKey,
  assertVkeyBelongsToZkey,
  assertZkeyBelongsToCircuit,
} from './verification-key.ts'

/**
 * The sources of a proving key: the compiled circuit and the prepared powers of tau. A key that isn't a development key
 * needs the whole folder of its ceremony instead of the powers of tau.
 */
export type KeySources = { r1cs: string; ptau: string } | { r1cs: string; ceremony: string }

/**
 * Verifies a folder of artefacts and returns the Rust file for building the program.
 *
 * Without `sources` the proving key isn't verified against circuit and powers of tau. This is enough to compare a
 * committed Rust file, but not to write a new one.
 *
 * @throws Error that names the first fault.
 */
export async function verifyArtefacts(folder: string, sources?: KeySources): Promise<string> {
  const manifest = await readManifest(folder)
  for (const name of PINNED_FILES) {
    if ((await hashFile(join(folder, name))) !== manifest.files[name]) {
      throw new Error(`${name} is not the file that the manifest pins.`)
    }
  }
  const vkey = JSON.parse(await readFile(join(folder, 'vkey.json'), 'utf8')) as VerificationKey
  assertSoundVerificationKey(vkey)
  const zkey = join(folder, 'settle.zkey')
  await assertVkeyBelongsToZkey(vkey, zkey)
  // If the manifest lacks the member `development`, or misspells it, the key counts as a development key.
  const isDevelopment = manifest.development !== false
  if (!isDevelopment) await assertKeyOfCeremony(folder, manifest)
  if (sources !== undefined) await followBack(zkey, manifest, sources)
  return renderRust(vkey, manifest.files['vkey.json'], isDevelopment)
}

async function followBack(zkey: string, manifest: Manifest, sources: KeySources): Promise<void> {
  const { r1cs } = sources
  if ((await hashFile(r1cs)) !== manifest.r1cs) {
    throw new Error('The circuit compiles to other constraints than the manifest pins.')
  }
  if ('ceremony' in sources) {
    const transcript = await verifyCeremony(sources.ceremony, r1cs)
    if (hashTranscript(transcript) !== manifest.ceremony?.transcript) {
      throw new Error('This is not the ceremony that the manifest names.')
    }
  } else if (manifest.development === false) {
    throw new Error(
      'A key that is not a development key must be verified against its whole ceremony.',
    )
  }
  const ptau = 'ceremony' in sources ? join(sources.ceremony, PREPARED_FILE) : sources.ptau
  await assertZkeyBelongsToCircuit(zkey, r1cs, ptau)
}
