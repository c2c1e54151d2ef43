import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { curves, powersOfTau, zKey } from 'snarkjs'
import type { VerificationKey } from 'snarkjs'
import { ROOT } from '../compile.ts'
import { drawLocalBeacon } from '../contribution.ts'
import { ARTEFACTS, hashFile, writeManifest } from '../manifest.ts'
import { makePowersOfTau } from '../powers-of-tau.ts'
import { makeProvingKey, makeUncontributedKey } from '../proving-key.ts'
import { assertSoundVerificationKey, assertZkeyBelongsToCircuit } from '../verification-key.ts'
import { verifyArtefacts } from '../verify-artefacts.ts'
import { compileOnce } from './compile-once.ts'

const sourceOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const POWER = 5

let folder: string
let r1cs: string
let otherR1cs: string
let wasm: string
let ptau: string
let zkey: string
let vkey: VerificationKey

const inFolder = (name: string) => join(folder, name)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-setup-'))
  const compiled = await compileOnce(sourceOf('ten-inputs.circom'))
  r1cs = compiled.r1cs
  wasm = compiled.wasm
  otherR1cs = (await compileOnce(sourceOf('ten-others.circom'))).r1cs
  ptau = inFolder('powers.ptau')
  await makePowersOfTau(ptau, folder, POWER, drawLocalBeacon())
  zkey = inFolder('good.zkey')
  await makeProvingKey(r1cs, ptau, zkey, drawLocalBeacon())
  vkey = await zKey.exportVerificationKey(zkey)
})

afterAll(async () => {
  // Ends the worker threads of snarkjs. They would keep the test process running.
  await (await curves.getCurveFromName('bn128')).terminate()
  await rm(folder, { recursive: true })
})

/** A folder of artefacts for the prover that contains this key. */
async function makeArtefacts(name: string, key: string, vkeyOfKey?: VerificationKey) {
  const to = inFolder(name)
  await mkdir(to)
  await copyFile(key, join(to, 'settle.zkey'))
  await copyFile(wasm, join(to, 'settle.wasm'))
  const exported = vkeyOfKey ?? (await zKey.exportVerificationKey(key))
  await writeFile(join(to, 'vkey.json'), JSON.stringify(exported))
  await writeManifest(to, {
    development: true,
    r1cs: await hashFile(r1cs),
    powersOfTau: { sha256: await hashFile(ptau), contributions: [] },
    phase2: { contributions: [] },
  })
  return to
}

describe('the on-chain key is generated', () => {
  test('from a verified key with a contribution', async () => {
    const rust = await verifyArtefacts(await makeArtefacts('good', zkey), { r1cs, ptau })
    expect(rust).toContain('pub const PUBLIC_INPUTS: usize = 10;')
    expect(rust).toContain('pub const DEVELOPMENT_KEY: bool = true;')
  })

  test('from the committed artefacts', async () => {
    const committed = await readFile(join(ROOT, 'program/src/vk.rs'), 'utf8')
    expect(committed).toBe(await verifyArtefacts(ARTEFACTS))
  })
})

describe('the on-chain key is not generated', () => {
  const refuses = async (artefacts: Promise<string>, reason: string) =>
    expect(verifyArtefacts(await artefacts, { r1cs, ptau })).rejects.toThrow(reason)

  test('from a key without a contribution', async () => {
    const empty = inFolder('empty.zkey')
    await makeUncontributedKey(r1cs, ptau, empty)
    await refuses(makeArtefacts('empty', empty), 'gamma equals delta')
  })

  test('from powers of tau without a contribution', async () => {
    const [bare, prepared] = [inFolder('bare.ptau'), inFolder('bare-prepared.ptau')]
    await powersOfTau.newAccumulator(await curves.getCurveFromName('bn128'), POWER, bare)
    await powersOfTau.preparePhase2(bare, prepared)
    const key = inFolder('bare.zkey')
    await makeProvingKey(r1cs, prepared, key, drawLocalBeacon())
    await refuses(makeArtefacts('bare', key), 'phase 1 had no contribution')
  })

  test('from a key of another circuit of the same size', async () => {
    const key = inFolder('other.zkey')
    await makeProvingKey(otherR1cs, ptau, key, drawLocalBeacon())
    await refuses(makeArtefacts('other', key), 'does not verify against circuit')
  })

  test('from a key of other powers of tau', async () => {
    const others = inFolder('others.ptau')
    await makePowersOfTau(others, folder, POWER, drawLocalBeacon())
    const key = inFolder('others.zkey')
    await makeProvingKey(r1cs, others, key, drawLocalBeacon())
    await refuses(makeArtefacts('others', key), 'does not verify against circuit')
  })

  test('if the circuit differs from the circuit that the manifest pins', async () => {
    const artefacts = await makeArtefacts('changed-circuit', zkey)
    const generating = verifyArtefacts(artefacts, { r1cs: otherR1cs, ptau })
    await expect(generating).rejects.toThrow('other constraints')
  })

  test('if the verification key belongs to another proving key', async () => {
    const key = inFolder('second.zkey')
    await makeProvingKey(r1cs, ptau, key, drawLocalBeacon())
    const artefacts = makeArtefacts('mixed', key, vkey)
    await refuses(artefacts, 'does not belong to the proving key')
  })

  test('if a file was changed after the manifest was written', async () => {
    const artefacts = await makeArtefacts('changed-file', zkey)
    await writeFile(join(artefacts, 'vkey.json'), JSON.stringify(vkey, null, 2))
    await refuses(Promise.resolve(artefacts), 'vkey.json is not the file that the manifest pins')
  })
})

test('a proving key with two exchanged points does not verify', async () => {
  const bytes = await readFile(zkey)
  // The last two points of section 9. This section contains the points for the quotient polynomial.
  const { start, size } = findSection(bytes, 9)
  const last = bytes.subarray(start + size - 64, start + size)
  const before = bytes.subarray(start + size - 128, start + size - 64)
  const kept = Buffer.from(last)
  before.copy(last)
  kept.copy(before)
  const exchanged = inFolder('exchanged.zkey')
  await writeFile(exchanged, bytes)
  await expect(assertZkeyBelongsToCircuit(exchanged, r1cs, ptau)).rejects.toThrow('does not verify')
})

/** The position of a section in an iden3 binary file. */
function findSection(file: Buffer, wanted: number): { start: number; size: number } {
  for (let at = 12; at < file.length;) {
    const size = Number(file.readBigUInt64LE(at + 4))
    if (file.readUInt32LE(at) === wanted) return { start: at + 12, size }
    at += 12 + size
  }
  throw new Error(`No section ${wanted}.`)
}

describe('a verification key', () => {
  const refuses = (changes: Partial<VerificationKey>, reason: string) =>
    expect(() => assertSoundVerificationKey({ ...vkey, ...changes })).toThrow(reason)

  test('is accepted if it is unchanged', () => {
    expect(() => assertSoundVerificationKey(vkey)).not.toThrow()
  })

  test('is refused if delta is replaced by gamma', () =>
    refuses({ vk_delta_2: vkey.vk_gamma_2 }, 'gamma equals'))
  test('is refused if gamma is replaced by delta', () =>
    refuses({ vk_gamma_2: vkey.vk_delta_2 }, 'gamma equals delta'))
  test('is refused if delta is the generator', () =>
    refuses({ vk_delta_2: vkey.vk_gamma_2, vk_gamma_2: vkey.vk_beta_2 }, 'delta is the generator'))
  test('is refused if gamma is not the generator', () =>
    refuses({ vk_gamma_2: vkey.vk_beta_2 }, 'gamma is not the generator'))
  test('is refused if proofs do not depend on an input', () =>
    refuses({ IC: vkey.IC.with(3, ['0', '1', '0']) }, 'is zero'))
  test('is refused if two inputs share a point', () =>
    refuses({ IC: vkey.IC.with(3, vkey.IC[4]!) }, 'share a point'))
  test('is refused if an input is missing', () =>
    refuses({ IC: vkey.IC.slice(1) }, 'public inputs'))
  test('is refused if it belongs to another curve', () => refuses({ curve: 'bls12381' }, 'BN254'))
})
