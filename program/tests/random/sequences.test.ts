import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { HUNG_MS } from '../../../testing/patience/hung.ts'
import { FOUND } from './found-sequences.ts'
import { runSequence, type Tally } from './sequence.ts'
import { takeSnapshot } from './snapshot.ts'
import type { Snapshot } from './snapshot-shape.ts'
import { step } from './steps.ts'

/** Number of sequences: 40 by default; the full CI sets 10,000. */
const SEQUENCES = Number(process.env['SOTTO_SEQUENCES'] ?? 40)
const STEPS = 24
let snapshot: Snapshot
const tally: Tally = { landed: new Map(), refused: new Map() }

beforeAll(async () => {
  snapshot = await takeSnapshot()
})

const sequence = fc.array(step, { minLength: 12, maxLength: STEPS, size: 'max' })
const property = fc.asyncProperty(sequence, (steps) => runSequence(snapshot, steps, tally))

test.each(FOUND)('I1 to I6: accounts equal the model $when', async ({ steps }) => {
  await runSequence(snapshot, steps, { landed: new Map(), refused: new Map() })
})

test(
  'I1 to I6: after any mix of honest and hostile transactions, accounts equal the model',
  { timeout: 40 * SEQUENCES * STEPS + 2 * HUNG_MS },
  async () => {
    await fc.assert(property, { numRuns: SEQUENCES })
  },
)

/** Maximum number of further sequences until each kind of transaction has landed and enough refusals have occurred. */
const FURTHER = 1_000

test('in the sequences, each kind of transaction lands and over 25 kinds of refusal occur', async () => {
  const kinds = [
    'deposit',
    'settle',
    'close',
    'config',
    'asset',
    'rotate',
    'add',
    'remove',
    'collect',
    'pair',
  ]
  // A rare kind may be missing by chance in the first sequences, for example a collection of fees.
  const isComplete = () => kinds.every((kind) => tally.landed.has(kind)) && tally.refused.size > 25
  for (let further = 0; further < FURTHER && !isComplete(); further += 1) {
    await fc.assert(property, { numRuns: 1 })
  }
  expect([...tally.landed.keys()].sort()).toEqual(kinds.sort())
  expect(tally.refused.size).toBeGreaterThan(25)
  if (process.env['SOTTO_SEQUENCES'] !== undefined) console.log(tally)
})
