import { measureInstructions, type Measure } from '../../program/tests/fixtures/measurements.ts'
import { lineOf, type Measured } from '../report/line.ts'
import type { Suite } from '../suite.ts'

interface Limits {
  readonly units: number
  readonly bytes: number
}

/** The chain's limits: the default compute units of an instruction, and the size of a transaction in bytes. */
const CHAIN: Limits = { units: 200_000, bytes: 1_232 }
/**
 * The limits that we chose. The limits of a deposit are lower than the chain's limits, because wallets add instructions
 * to a deposit's transaction.
 */
const DECIDED: Readonly<Record<string, Limits>> = {
  deposit: { units: 70_000, bytes: 1_050 },
  settle: { units: 160_000, bytes: CHAIN.bytes },
}

const kindOf = ({ name }: Measure): string => name.split(':')[0] ?? name

function linesOf(kind: string, measures: readonly Measure[]): Measured[] {
  const { units, bytes } = DECIDED[kind] ?? CHAIN
  const greatest = (figure: (measure: Measure) => number) => Math.max(...measures.map(figure))
  return [
    {
      ...{ name: `program: ${kind}, most expensive`, unit: 'CU', bar: '<= 1' },
      ...{ values: [greatest(({ computeUnits }) => computeUnits)], baselines: [units] },
    },
    {
      ...{ name: `program: ${kind}, longest`, unit: 'bytes', bar: '<= 1' },
      ...{ values: [greatest((measure) => measure.bytes)], baselines: [bytes] },
    },
  ]
}

/**
 * Measures compute units and sizes of transactions. They are the same on every machine and for all random numbers in a
 * proof.
 */
export const programSuite: Suite = {
  measures: 'compute units and bytes of every instruction',
  run: async ({ quick, wants }) => {
    const measures = await measureInstructions()
    const kinds = [...new Set(measures.map(kindOf))]
    return kinds
      .flatMap((kind) =>
        linesOf(
          kind,
          measures.filter((one) => kindOf(one) === kind),
        ),
      )
      .filter(({ name }) => wants(name))
      .map((one) => lineOf(one, !quick))
  },
}
