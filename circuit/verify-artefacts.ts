import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { VerificationKey } from 'snarkjs'
import { PINNED_FILES, hashFile, readManifest } from './manifest.ts'
import { renderRust } from './render-vk.ts'
import {
  assertSoundVerificationKey,
  assertVkeyBelongsToZkey,
  assertZkeyBelongsToCircuit,
} from './verification-key.ts'

/** What a proving key is verified against: the compiled circuit and the prepared powers of tau. */
export interface KeySources {
  r1cs: string
  ptau: string
}

/**
 * Verifies a folder of artefacts and returns the Rust file that the program is built with.
 *
 * Without `sources` the proving key isn't followed back to circuit and powers of tau, which is enough
 * to compare a committed file and never enough to write one.
 *
 * @throws Error that names the first thing that is wrong.
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
  if (sources !== undefined) await followBack(zkey, manifest.r1cs, sources)
  return renderRust(vkey, manifest.files['vkey.json'], manifest.development)
}

async function followBack(zkey: string, r1csHash: string, sources: KeySources): Promise<void> {
  if ((await hashFile(sources.r1cs)) !== r1csHash) {
    throw new Error('The circuit compiles to other constraints than the manifest pins.')
  }
  await assertZkeyBelongsToCircuit(zkey, sources.r1cs, sources.ptau)
}
