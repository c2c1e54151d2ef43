import { readFile } from 'node:fs/promises'
import { quantile } from '../load/open-loop.ts'
import { lineOf, type Line, type Measured } from '../report/line.ts'
import type { Suite, SuiteOptions } from '../suite.ts'
import { startEngine } from './engine.ts'

const ROUNDS = 40
const QUICK_ROUNDS = 1
const P99 = 0.99
const NAMES = ['proof', 'proof, p99', 'peak memory']

const vectorsUrl = new URL('../../vectors/circuit.json', import.meta.url)

/** One proof with each engine in turns: both see the same load of the machine. */
async function measure({ quick, progress }: SuiteOptions): Promise<Measured[]> {
  const { cases } = JSON.parse(await readFile(vectorsUrl, 'utf8')) as {
    cases: { input: unknown }[]
  }
  const rounds = quick ? QUICK_ROUNDS : ROUNDS
  const product = await startEngine('wasm')
  const snarkjs = await startEngine('snarkjs')
  try {
    const values: number[] = []
    const baselines: number[] = []
    // The first proof of each compiles code and counts for nothing.
    for (let round = 0; round <= rounds; round += 1) {
      const input = cases[round % cases.length]?.input
      const value = await product.prove(input)
      const baseline = await snarkjs.prove(input)
      if (round === 0) continue
      values.push(value)
      baselines.push(baseline)
      progress(`  proof ${round} of ${rounds}: ${value} ms, snarkjs ${baseline} ms`)
    }
    const memory = {
      values: [await product.peakMemory()],
      baselines: [await snarkjs.peakMemory()],
    }
    const tail = { values: [quantile(values, P99)], baselines: [quantile(baselines, P99)] }
    return [
      { name: 'prover: proof', unit: 'ms', values, baselines, bar: '<= 0.5' },
      { name: 'prover: proof, p99', unit: 'ms', ...tail, bar: null },
      { name: 'prover: peak memory', unit: 'MB', ...memory, bar: null },
    ]
  } finally {
    product.stop()
    snarkjs.stop()
  }
}

/** The prover against snarkjs: one core each, verification of each proof included in both. */
export const proverSuite: Suite = {
  measures: 'a proof by packages/prover beside one by snarkjs',
  run: async (options): Promise<Line[]> => {
    const wanted = NAMES.some((name) => options.wants(`prover: ${name}`))
    const measured = wanted ? await measure(options) : []
    return measured
      .filter(({ name }) => options.wants(name))
      .map((one) => lineOf(one, !options.quick))
  },
}
