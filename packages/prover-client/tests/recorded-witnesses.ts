import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { SettleWitness } from '../index.ts'

/** The real executable. It runs as a separate process and is never imported. */
export const EXECUTABLE = fileURLToPath(new URL('../../prover/sotto-prover.mjs', import.meta.url))

const file = new URL('../../../vectors/circuit.json', import.meta.url)
const { cases, vkeyHash } = JSON.parse(await readFile(file, 'utf8')) as {
  vkeyHash: string
  cases: { input: Record<string, string | string[]>; publicInputs: string[] }[]
}

export const VKEY_HASH = vkeyHash

/** The recorded witnesses. The first witness is a delivery. */
export const WITNESSES = cases.map(({ input }) => {
  const numbers = Object.entries(input).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(BigInt) : BigInt(value),
  ])
  return Object.fromEntries(numbers) as SettleWitness
})

/** The witnesses' public inputs, as reported by the prover that recorded them. */
export const PUBLIC_INPUTS = cases.map(({ publicInputs }) => publicInputs.map(BigInt))
