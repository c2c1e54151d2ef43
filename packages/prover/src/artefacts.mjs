import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The prover's artefacts. Each is read only once, so that the prover uses exactly the bytes that it checked.
 *
 * @typedef {object} Artefacts
 * @property {Uint8Array} zkey proving key
 * @property {Uint8Array} wasm witness generator
 * @property {string} r1cs SHA-256 of the circuit's constraints, in hexadecimal
 * @property {object} vkey verification key
 * @property {string} vkeyHash SHA-256 of vkey.json, in hexadecimal; compare it with
 *   `VKEY_SHA256` of packages/protocol, the hash of the file from which the on-chain program's key was generated
 * @property {boolean} development true for a key that must never guard real funds
 */

/**
 * Reads a folder of artefacts and checks each file against the manifest.
 *
 * @param {string} folder
 * @returns {Promise<Artefacts>}
 * @throws {Error} that names the file if it is missing or its hash differs from the manifest's.
 */
export async function loadArtefacts(folder) {
  const manifest = parse('manifest.json', await read(folder, 'manifest.json'))
  const load = async (name) => {
    const bytes = await read(folder, name)
    const hash = createHash('sha256').update(bytes).digest('hex')
    if (hash !== manifest.files?.[name]) {
      throw new Error(
        `${name} in ${folder} has been changed: its SHA-256 differs from the manifest's.`,
      )
    }
    return bytes
  }
  // If the member `development` is missing or misspelt, the key must not count as a key for real funds.
  const development = manifest.development !== false
  if (!development) await assertMadeByCeremony(folder, manifest)
  return {
    zkey: await load('settle.zkey'),
    wasm: await load('settle.wasm'),
    r1cs: manifest.r1cs,
    vkey: parse('vkey.json', await load('vkey.json')),
    vkeyHash: manifest.files['vkey.json'],
    development,
  }
}

/**
 * Checks a manifest that says `development: false`. Someone may have written that by hand. The manifest must name a
 * transcript. The transcript must be fully signed and have no shortcomings, and its last key must be this key. Before a
 * program gets its key, `circuit/generate-vk.ts` also verifies every file of the ceremony.
 */
async function assertMadeByCeremony(folder, manifest) {
  const { assertKeyOfCeremony } = await import('./generated/ceremony-check.mjs')
  try {
    await assertKeyOfCeremony(folder, manifest)
  } catch (cause) {
    throw new Error(
      `ceremony.json in ${folder} does not prove that a ceremony made this key: ${cause.message}`,
      {
        cause,
      },
    )
  }
}

async function read(folder, name) {
  try {
    return await readFile(join(folder, name))
  } catch (cause) {
    throw new Error(`${name} cannot be read from ${folder} (${cause.code}).`, { cause })
  }
}

function parse(name, bytes) {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw new Error(`${name} is not JSON.`, { cause })
  }
}
