import { RECENT, unixSeconds, type Settlement } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { KeptProofs } from './kept-proofs.ts'
import type { OpenedOrder } from '../notes/opened-order.ts'

const SIZE = 700
const RECENT_ROOT = { kind: 'recent', index: 9 } as const
const statement = { isRefund: false, time: unixSeconds(1_200n) }
const opened = (nullifier: bigint) =>
  ({ order: { orderId: new Uint8Array(16) }, nullifier }) as OpenedOrder

it('finds a proof only for the same time, kind and nullifier, and with a recent root', () => {
  const proofs = new KeptProofs()
  const settlement = { ...statement, root: RECENT_ROOT, nullifier: 5n } as Settlement
  proofs.keep(opened(5n), settlement, SIZE)
  expect(proofs.find(opened(5n), statement, SIZE)).toBe(settlement)
  expect(proofs.find(opened(5n), statement, SIZE + RECENT / 2)).toBe(settlement)
  expect(proofs.find(opened(5n), statement, SIZE + RECENT / 2 + 1)).toBeUndefined()
  // The tree was rebuilt from other leaves.
  expect(proofs.find(opened(5n), statement, SIZE - 1)).toBeUndefined()
  expect(proofs.find(opened(5n), { ...statement, isRefund: true }, SIZE)).toBeUndefined()
  const later = { ...statement, time: unixSeconds(1_800n) }
  expect(proofs.find(opened(5n), later, SIZE)).toBeUndefined()
  // The note was found at another leaf index, so its settlement creates another nullifier.
  expect(proofs.find(opened(6n), statement, SIZE)).toBeUndefined()
})

it('finds a proof against an hour’s last root after any number of further leaves', () => {
  const proofs = new KeptProofs()
  const root = { kind: 'checkpoint', index: 9 } as const
  const settlement = { ...statement, root, nullifier: 5n } as Settlement
  proofs.keep(opened(5n), settlement, SIZE)
  expect(proofs.find(opened(5n), statement, SIZE + 50 * RECENT)).toBe(settlement)
})

it('asks for a checkpoint’s root once the chain has dropped the last proof’s root', () => {
  const proofs = new KeptProofs()
  expect(proofs.isOutrun(opened(5n), SIZE)).toBe(false)
  proofs.keep(opened(5n), { ...statement, root: RECENT_ROOT, nullifier: 5n } as Settlement, SIZE)
  expect(proofs.isOutrun(opened(5n), SIZE + RECENT - 1)).toBe(false)
  expect(proofs.isOutrun(opened(5n), SIZE + RECENT)).toBe(true)
})

it('does not find a proof whose root the chain has refused', () => {
  const proofs = new KeptProofs()
  const settlement = { ...statement, root: RECENT_ROOT, nullifier: 5n } as Settlement
  proofs.keep(opened(5n), settlement, SIZE)
  proofs.refuse(opened(5n))
  expect(proofs.find(opened(5n), statement, SIZE)).toBeUndefined()
  // When more leaves have pushed the root out of the ring, the next proof uses a checkpoint's root.
  expect(proofs.isOutrun(opened(5n), SIZE + RECENT)).toBe(true)
  const checkpoint = { ...settlement, root: { kind: 'checkpoint', index: 9 } } as Settlement
  proofs.keep(opened(5n), checkpoint, SIZE)
  proofs.refuse(opened(5n))
  expect(proofs.find(opened(5n), statement, SIZE)).toBeUndefined()
  expect(proofs.isOutrun(opened(5n), SIZE)).toBe(false)
})
