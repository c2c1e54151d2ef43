import type { Measured } from '../report/line.ts'
import type { EngineProcess } from './engine.ts'

export const TWO_AT_HAND = 'prover: a proof with two requests at hand, native'
const ROUNDS = 10
const QUICK_ROUNDS = 1
/** Number of proofs in a round. */
const PROOFS = 6

/**
 * Measures the milliseconds for each proof while a second request always waits at the prover. A worker with a backlog
 * causes the same load. In the baseline, the prover gets each request only after it has answered the previous one.
 * Rounds of both kinds alternate.
 */
export async function measureTwoAtHand(
  prover: EngineProcess,
  cases: readonly { readonly input: unknown }[],
  quick: boolean,
): Promise<Measured> {
  const proofMs = async (atHand: number) => {
    let asked = 0
    const startedMs = performance.now()
    const ask = async () => {
      while (asked < PROOFS) {
        asked += 1
        await prover.prove(cases[asked % cases.length]?.input)
      }
    }
    await Promise.all(Array.from({ length: atHand }, ask))
    return (performance.now() - startedMs) / PROOFS
  }
  const values: number[] = []
  const baselines: number[] = []
  for (let round = 0; round < (quick ? QUICK_ROUNDS : ROUNDS); round += 1) {
    values.push(await proofMs(2))
    baselines.push(await proofMs(1))
  }
  return { name: TWO_AT_HAND, unit: 'ms', values, baselines, bar: null }
}
