import { readFile } from 'node:fs/promises'
import { quantile } from '../load/open-loop.ts'
import { lineOf, type Line, type Measured } from '../report/line.ts'
import type { Suite, SuiteOptions } from '../suite.ts'
import { startEngine } from './engine.ts'
import { measureTwoAtHand, TWO_AT_HAND } from './two-at-hand.ts'

const ROUNDS = 40
const QUICK_ROUNDS = 1
const P99 = 0.99
/**
 * The engines that are compared with snarkjs. `bar` is the limit for the time of a proof, as a share of snarkjs' time.
 */
const ENGINES = [
  { engine: 'native', bar: '<= 0.10' },
  { engine: 'wasm', bar: '<= 0.25' },
] as const

const vectorsUrl = new URL('../../vectors/circuit.json', import.meta.url)

/**
 * In each round, each engine makes one proof, one engine after the other. So the machine's load affects all engines
 * equally.
 */
async function measure({ quick, progress }: SuiteOptions): Promise<Measured[]> {
  const { cases } = JSON.parse(await readFile(vectorsUrl, 'utf8')) as {
    cases: { input: unknown }[]
  }
  const rounds = quick ? QUICK_ROUNDS : ROUNDS
  const snarkjs = await startEngine('snarkjs')
  const ours = await Promise.all(ENGINES.map(({ engine }) => startEngine(engine)))
  try {
    const values: number[][] = ours.map(() => [])
    const baselines: number[] = []
    // The first proof of each engine isn't counted, because it compiles code.
    for (let round = 0; round <= rounds; round += 1) {
      const input = cases[round % cases.length]?.input
      const times: number[] = []
      for (const one of ours) times.push(await one.prove(input))
      const baseline = await snarkjs.prove(input)
      if (round === 0) continue
      times.forEach((time, index) => values[index]?.push(time))
      baselines.push(baseline)
      progress(`  proof ${round} of ${rounds}: ${times.join(' and ')} ms, snarkjs ${baseline} ms`)
    }
    const measured: Measured[] = []
    const [native] = ours
    if (native !== undefined) measured.push(await measureTwoAtHand(native, cases, quick))
    // The peak of `native` includes the rounds in which the prover makes two proofs at once.
    const memory = await snarkjs.peakMemory()
    for (const [index, { engine, bar }] of ENGINES.entries()) {
      const times = values[index] ?? []
      const tail = { values: [quantile(times, P99)], baselines: [quantile(baselines, P99)] }
      const peak = { values: [(await ours[index]?.peakMemory()) ?? 0], baselines: [memory] }
      measured.push(
        { name: `prover: proof, ${engine}`, unit: 'ms', values: times, baselines, bar },
        { name: `prover: proof, ${engine}, p99`, unit: 'ms', ...tail, bar: null },
        { name: `prover: peak memory, ${engine}`, unit: 'MB', ...peak, bar: null },
      )
    }
    return measured
  } finally {
    for (const one of [...ours, snarkjs]) one.stop()
  }
}

/**
 * Compares the prover with snarkjs. Also compares two ways to use the prover. In the first way, a second request always
 * waits at the prover. In the second way, the prover gets each request only after the previous answer. All times
 * include the verification of the proof.
 */
export const proverSuite: Suite = {
  measures: 'a proof by packages/prover compared with a proof by snarkjs',
  run: async (options): Promise<Line[]> => {
    const names = [...ENGINES.map(({ engine }) => `prover: proof, ${engine}`), TWO_AT_HAND]
    const measured = names.some((name) => options.wants(name)) ? await measure(options) : []
    return measured
      .filter(({ name }) => options.wants(name))
      .map((one) => lineOf(one, !options.quick))
  },
}
