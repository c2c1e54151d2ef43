import { fieldToBytes } from '@sotto/protocol'
import type { Sightings } from '../chain/sightings.ts'
import { CHANCE_MAX, type Finding, type LeakName } from './finding.ts'
import { chiSquareTail } from './statistics.ts'

/** Byte strings of one kind that should look random. */
interface RandomField {
  readonly leak: LeakName
  readonly name: string
  readonly values: readonly Uint8Array[]
  /** The index of the first byte to test. The earlier bytes of a field element aren't uniformly distributed. */
  readonly from: number
}

/** The tests need at least this many values to show a pattern. */
const VALUES_MIN = 48
const NIBBLES = 16
const EPOCH_BYTES = 4
const FIELD_FROM = 2

function fieldsOf({ deposits, settlements }: Sightings): RandomField[] {
  const elements = { from: FIELD_FROM }
  return [
    {
      ...{ leak: 'change-form', name: 'leaves of changes', ...elements },
      values: settlements.map(({ changeLeaf }) => fieldToBytes(changeLeaf)),
    },
    {
      ...{ leak: 'random-form', name: 'nullifiers', ...elements },
      values: settlements.map(({ nullifier }) => fieldToBytes(nullifier)),
    },
    {
      ...{ leak: 'random-form', name: 'commitments of deposits', ...elements },
      values: deposits.map(({ inner }) => fieldToBytes(inner)),
    },
    {
      ...{ leak: 'random-form', name: 'order ids', from: 0 },
      values: deposits.map(({ orderId }) => orderId),
    },
    {
      ...{ leak: 'payload-form', name: 'sealed payloads', from: EPOCH_BYTES },
      values: deposits.map(({ payload }) => payload),
    },
  ]
}

/**
 * Finds fields that should be random but have repeated values, or a hexadecimal digit that isn't uniformly distributed.
 */
export function findForms(sightings: Sightings): Finding[] {
  const fields = fieldsOf(sightings)
  const places = fields.reduce((sum, { values, from }) => sum + 2 * lengthOf(values, from), 0)
  return fields.flatMap((field) => repeated(field) ?? uneven(field, places) ?? [])
}

const lengthOf = (values: readonly Uint8Array[], from: number): number =>
  Math.max(0, (values[0]?.length ?? 0) - from)

function repeated({ leak, name, values }: RandomField): Finding | undefined {
  const different = new Set(values.map((value) => Buffer.from(value).toString('hex'))).size
  if (different === values.length) return undefined
  const seen = `${values.length} ${name} have only ${different} different values`
  return { leak, seen, chance: 0 }
}

/**
 * Finds the hexadecimal digit whose distribution over all values is the least uniform. Returns undefined if the
 * deviation may be chance.
 */
function uneven({ leak, name, values, from }: RandomField, places: number): Finding | undefined {
  if (values.length < VALUES_MIN) return undefined
  let [worst, worstPlace] = [1, 0]
  for (let place = 0; place < 2 * lengthOf(values, from); place += 1) {
    const chance = chiSquareTail(spreadAt(values, from, place), NIBBLES - 1)
    if (chance < worst) [worst, worstPlace] = [chance, place]
  }
  const chance = worst * places
  if (chance > CHANCE_MAX) return undefined
  const byte = from + (worstPlace >> 1)
  return { leak, seen: `byte ${byte} of the ${name} is not random`, chance }
}

function spreadAt(values: readonly Uint8Array[], from: number, place: number): number {
  const counts = new Array<number>(NIBBLES).fill(0)
  for (const value of values) {
    const byte = value[from + (place >> 1)] ?? 0
    const nibble = place % 2 === 0 ? byte >> 4 : byte & 0x0f
    counts[nibble] = (counts[nibble] ?? 0) + 1
  }
  const expected = values.length / NIBBLES
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}
