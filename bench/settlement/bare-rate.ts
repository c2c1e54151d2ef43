import { readFile } from 'node:fs/promises'
import { startEngine } from '../prover/engine.ts'

const vectorsUrl = new URL('../../vectors/circuit.json', import.meta.url)

/** The prover alone, without the service. It makes one proof after another without pauses. */
export interface BareProver {
  /** Makes this number of proofs. Returns the proofs per second. */
  readonly rate: (proofs: number) => Promise<number>
  readonly stop: () => void
}

export async function startBareProver(): Promise<BareProver> {
  const { cases } = JSON.parse(await readFile(vectorsUrl, 'utf8')) as {
    cases: { input: unknown }[]
  }
  const engine = await startEngine('native')
  const proveOne = (index: number) => engine.prove(cases[index % cases.length]?.input)
  // The first proof isn't counted, because it compiles code.
  await proveOne(0)
  return {
    rate: async (proofs) => {
      const startedMs = performance.now()
      for (let index = 0; index < proofs; index += 1) await proveOne(index)
      return (proofs * 1_000) / (performance.now() - startedMs)
    },
    stop: engine.stop,
  }
}
