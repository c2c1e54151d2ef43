import { beforeAll, beforeEach, expect, test } from 'vitest'
import { withBytes } from '../fixtures/instruction-edits.ts'
import { START } from '../fixtures/pool.ts'
import { takeSnapshot } from '../random/snapshot.ts'
import type { PreparedSettlement, Snapshot } from '../random/snapshot-shape.ts'
import { relay, settlementOf } from './prepared-pool.ts'

const PROOF_OFFSET = 125
/** The modulus of the field that contains the points' coordinates. */
const BASE_MODULUS =
  21_888_242_871_839_275_222_246_405_745_257_275_088_696_311_157_297_823_662_689_037_894_645_226_208_583n
const CLOCK = START + 10n

let snapshot: Snapshot
let delivery: PreparedSettlement

beforeAll(async () => {
  snapshot = await takeSnapshot()
  delivery = settlementOf(snapshot, 5, false)
})
beforeEach(() => {
  snapshot.world.reset()
})

/** The eight coordinates of a proof: A.x A.y, B.x1 B.x0 B.y1 B.y0, C.x C.y. */
const coordinates = (): Uint8Array[] =>
  Array.from({ length: 8 }, (_, at) => delivery.settlement.proof.slice(32 * at, 32 * at + 32))
const submit = (parts: readonly Uint8Array[]) =>
  relay(snapshot, CLOCK, [
    withBytes(
      delivery.instruction,
      PROOF_OFFSET,
      Uint8Array.from(parts.flatMap((part) => [...part])),
    ),
  ])
const numberOf = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
const bytesOf = (value: bigint) =>
  new Uint8Array(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'))
const negated = (bytes: Uint8Array | undefined) =>
  bytesOf(BASE_MODULUS - numberOf(bytes ?? new Uint8Array(32)))
const reorder = (order: readonly number[]) => {
  const parts = coordinates()
  return order.map((at) => parts[at] ?? new Uint8Array(32))
}

test('a proof is refused if its point A is not negated', async () => {
  const parts = coordinates()
  parts[1] = negated(parts[1])
  expect(await submit(parts)).toBe('ProofInvalid')
})

test('a proof is refused if A and C are swapped', async () => {
  expect(await submit(reorder([6, 7, 2, 3, 4, 5, 0, 1]))).toBe('ProofInvalid')
})

test('a proof is refused if the halves of B are in the other order', async () => {
  expect(await submit(reorder([0, 1, 3, 2, 5, 4, 6, 7]))).toBe('ProofInvalid')
})

test('a proof in little-endian is refused', async () => {
  expect(await submit(coordinates().map((part) => part.slice().reverse()))).toBe('ProofInvalid')
  const whole = delivery.settlement.proof
  const points = [whole.slice(0, 64), whole.slice(64, 192), whole.slice(192)]
  expect(await submit(points.map((point) => point.reverse()))).toBe('ProofInvalid')
})

test('a coordinate plus the modulus is refused', async () => {
  for (const at of [0, 1, 6, 7]) {
    const parts = coordinates()
    parts[at] = bytesOf(numberOf(parts[at] ?? new Uint8Array(32)) + BASE_MODULUS)
    expect(await submit(parts), `coordinate ${at}`).toBe('ProofInvalid')
  }
})

test('harmless: another valid proof of the same statement does not settle the note again', async () => {
  // Anyone can vary a Groth16 proof: if (A, B, C) is valid, so is (-A, -B, C). But the nullifier stays the same.
  const parts = coordinates()
  for (const at of [1, 4, 5]) parts[at] = negated(parts[at])
  expect(await submit(parts)).toBeUndefined()
  expect(await submit(parts)).toBe('NullifierSpent')
  expect(await submit(coordinates())).toBe('NullifierSpent')
})

test('the unchanged proof is valid', async () => {
  expect(await submit(coordinates())).toBeUndefined()
})
