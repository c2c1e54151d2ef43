// Makes a development key for the settle circuit: `npx tsx circuit/setup.ts`.
//
// The script compiles the circuit, and makes powers of tau and the proving key. It verifies the key against circuit and
// powers of tau, and exports it. Making powers of tau takes minutes, so a later run uses the existing file. Delete that
// file to make new powers of tau. A single machine makes every contribution. The manifest therefore says
// `"development": true`, and the service refuses the key on mainnet.
import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { zKey } from 'snarkjs'
import { type Contribution, drawLocalBeacon } from './contribution.ts'
import { compileCircuit } from './compile.ts'
import { ARTEFACTS, CIRCUIT, POWERS_OF_TAU, WORK, hashFile, writeManifest } from './manifest.ts'
import { POWER, makePowersOfTau } from './powers-of-tau.ts'
import { makeProvingKey } from './proving-key.ts'
import { assertSoundVerificationKey, assertZkeyBelongsToCircuit } from './verification-key.ts'

const WARNING =
  'One machine made every contribution to this key. Anyone who controlled it could forge proofs, so use it ' +
  'for development only, never for notes that have value.'

const say = (line: string) => process.stderr.write(`${line}\n`)

/** If there are no powers of tau yet, makes them and writes their record into the same folder. */
async function preparePowersOfTau(): Promise<Contribution[]> {
  const record = `${POWERS_OF_TAU}.json`
  const existing = await stat(POWERS_OF_TAU).catch(() => undefined)
  if (existing === undefined) {
    say('Making powers of tau; this takes minutes.')
    await mkdir(dirname(POWERS_OF_TAU), { recursive: true })
    const made = await makePowersOfTau(POWERS_OF_TAU, WORK, POWER, drawLocalBeacon())
    await writeFile(record, `${JSON.stringify(made, null, 2)}\n`)
  }
  return JSON.parse(await readFile(record, 'utf8')) as Contribution[]
}

await mkdir(ARTEFACTS, { recursive: true })
const compiled = await compileCircuit(CIRCUIT, WORK)
const powers = await preparePowersOfTau()

say('Making the proving key.')
const zkey = join(ARTEFACTS, 'settle.zkey')
const phase2 = await makeProvingKey(compiled.r1cs, POWERS_OF_TAU, zkey, drawLocalBeacon())

say('Verifying the key against the circuit and the powers of tau.')
await assertZkeyBelongsToCircuit(zkey, compiled.r1cs, POWERS_OF_TAU)
const vkey = await zKey.exportVerificationKey(zkey)
assertSoundVerificationKey(vkey)

await writeFile(join(ARTEFACTS, 'vkey.json'), `${JSON.stringify(vkey, null, 1)}\n`)
await copyFile(compiled.wasm, join(ARTEFACTS, 'settle.wasm'))
await writeManifest(ARTEFACTS, {
  development: true,
  warning: WARNING,
  r1cs: await hashFile(compiled.r1cs),
  powersOfTau: { sha256: await hashFile(POWERS_OF_TAU), contributions: powers },
  phase2: { contributions: phase2 },
})
say('Done. Next: npx tsx circuit/generate-vk.ts')
// The process is ended here, because snarkjs keeps its worker threads alive.
process.exit(0)
