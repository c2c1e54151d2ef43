// Reads a JSON array of settlement inputs from standard input. Prints a JSON array of booleans: true if the circuit
// has a witness for that input. Tests outside of this folder run this program as a process of its own.
import { readFile } from 'node:fs/promises'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const WITNESS_MODULE = new URL('../../packages/prover/src/circuit-witness.mjs', import.meta.url)
const WASM = new URL('../../packages/prover/artefacts/settle.wasm', import.meta.url)

const { startWitness } = await import(WITNESS_MODULE.href)
const generate = await startWitness(await readFile(fileURLToPath(WASM)))

const answers = (await json(process.stdin)).map((input) => {
  try {
    generate(input)
    return true
  } catch (error) {
    // Code 4 means a broken assertion. A misspelt input name would give another code.
    if (String(error).includes('code 4')) return false
    throw error
  }
})
process.stdout.write(JSON.stringify(answers))
