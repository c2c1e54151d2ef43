import { CLOSE_COMPUTE_UNITS, CLOSINGS_MAX } from '@sotto/protocol'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { measureInstructions, renderMeasures, type Measure } from './fixtures/measurements.ts'

let measures: Measure[]

beforeAll(async () => {
  measures = await measureInstructions()
})

test('the committed table of measures is current', () => {
  const file = fileURLToPath(new URL('../MEASURES.md', import.meta.url))
  expect(readFileSync(file, 'utf8')).toBe(renderMeasures(measures))
})

const isOf = (kind: string) => (measure: Measure) => measure.name.startsWith(`${kind}:`)
const greatest = (kind: string, figure: (measure: Measure) => number) =>
  Math.max(...measures.filter(isOf(kind)).map(figure))

test('a deposit costs at most 70,000 compute units and a settlement at most 160,000', () => {
  expect(measures.filter(isOf('deposit')).length).toBeGreaterThanOrEqual(6)
  expect(greatest('deposit', ({ computeUnits }) => computeUnits)).toBeLessThanOrEqual(70_000)
  expect(greatest('settle', ({ computeUnits }) => computeUnits)).toBeLessThanOrEqual(160_000)
})

test('the largest closing transaction takes at most half of its compute limit', () => {
  for (const kind of ['close_order', 'close_nullifier']) {
    expect(measures.map(({ name }) => name)).toContain(`${kind}: ${CLOSINGS_MAX}`)
    const units = greatest(kind, ({ computeUnits }) => computeUnits)
    expect(units).toBeLessThanOrEqual(CLOSE_COMPUTE_UNITS / 2)
  }
})

test('depositing a token swap with a partner fee takes at most 1,050 bytes', () => {
  expect(greatest('deposit', ({ bytes }) => bytes)).toBeLessThanOrEqual(1_050)
  expect(measures.map(({ name }) => name)).toContain('deposit: a token to SOL with a partner fee')
})
