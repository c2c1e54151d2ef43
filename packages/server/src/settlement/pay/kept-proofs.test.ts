import { ROOTS, unixSeconds, type Settlement } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { KeptProofs } from './kept-proofs.ts'
import type { OpenedOrder } from './open-note.ts'

const SIZE = 700
const statement = { isRefund: false, time: unixSeconds(1_200n) }
const opened = (nullifier: bigint) =>
  ({ order: { orderId: new Uint8Array(16) }, nullifier }) as OpenedOrder

it('a kept proof is of no use for another time or payment, an older root or another leaf', () => {
  const proofs = new KeptProofs()
  const settlement = { ...statement, nullifier: 5n } as Settlement
  proofs.keep(opened(5n), settlement, SIZE)
  expect(proofs.find(opened(5n), statement, SIZE)).toBe(settlement)
  expect(proofs.find(opened(5n), statement, SIZE + ROOTS / 2)).toBe(settlement)
  expect(proofs.find(opened(5n), statement, SIZE + ROOTS / 2 + 1)).toBeUndefined()
  // The tree was rebuilt from other leaves.
  expect(proofs.find(opened(5n), statement, SIZE - 1)).toBeUndefined()
  expect(proofs.find(opened(5n), { ...statement, isRefund: true }, SIZE)).toBeUndefined()
  const later = { ...statement, time: unixSeconds(1_800n) }
  expect(proofs.find(opened(5n), later, SIZE)).toBeUndefined()
  // The note was found at another leaf, so its settlement creates another nullifier.
  expect(proofs.find(opened(6n), statement, SIZE)).toBeUndefined()
})
