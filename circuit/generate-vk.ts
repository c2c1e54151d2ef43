// Writes the on-chain verifying key, `program/src/vk.rs`, from the committed artefacts:
//
//   npx tsx circuit/generate-vk.ts            first verifies the key against circuit and powers of tau (a minute)
//   npx tsx circuit/generate-vk.ts --check    writes nothing; fails if the committed file differs
//   npx tsx circuit/generate-vk.ts --ceremony <folder>    for a key that a ceremony made
//
// The file is written only if the key is sound and belongs to circuit, powers of tau and proving key.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { compileCircuit, ROOT } from './compile.ts'
import { ARTEFACTS, CIRCUIT, POWERS_OF_TAU, WORK } from './manifest.ts'
import { type KeySources, verifyArtefacts } from './verify-artefacts.ts'

const TARGET = join(ROOT, 'program/src/vk.rs')

const { values } = parseArgs({
  options: { check: { type: 'boolean', default: false }, ceremony: { type: 'string' } },
})

/** The sources for verifying the key; undefined with `--check`, because then the script only compares the files. */
async function prepareSources(): Promise<KeySources | undefined> {
  if (values.check) return undefined
  const { r1cs } = await compileCircuit(CIRCUIT, WORK)
  const { ceremony } = values
  return ceremony === undefined ? { r1cs, ptau: POWERS_OF_TAU } : { r1cs, ceremony }
}

try {
  const rust = await verifyArtefacts(ARTEFACTS, await prepareSources())
  if (values.check) {
    const committed = await readFile(TARGET, 'utf8').catch(() => '')
    if (committed !== rust)
      throw new Error('program/src/vk.rs differs from the file that the artefacts give.')
  } else {
    await mkdir(dirname(TARGET), { recursive: true })
    await writeFile(TARGET, rust)
  }
} catch (error) {
  process.stderr.write(`generate-vk: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
// The process is ended here, because snarkjs keeps its worker threads alive.
process.exit()
