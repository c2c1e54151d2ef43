import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inLeafOrder } from '../src/notes/leaf-order.ts'

interface One {
  readonly slot: bigint
  readonly leaf: bigint | undefined
}

const leafOf = ({ leaf }: One) => leaf
const leavesOf = (transactions: readonly One[]) =>
  transactions.flatMap(({ leaf }) => (leaf === undefined ? [] : [leaf]))

describe('the order of leaves within a slot', () => {
  it('is found across a transaction that made none', () => {
    const mixed = [3n, undefined, 2n].map((leaf) => ({ slot: 7n, leaf }))
    expect(inLeafOrder(mixed, leafOf).map(leafOf)).toEqual([2n, undefined, 3n])
  })

  it('is found for every order that a node may list a slot in, and slots stay in order', () => {
    const history = fc
      .array(fc.record({ slots: fc.nat(2), isDeposit: fc.boolean() }), { maxLength: 30 })
      .map((steps) => {
        let slot = 0n
        let next = 0n
        return steps.map(({ slots, isDeposit }): One => {
          slot += BigInt(slots)
          return { slot, leaf: isDeposit ? next++ : undefined }
        })
      })
    fc.assert(
      fc.property(history, fc.infiniteStream(fc.nat()), (executed, weights) => {
        const listed = executed
          .map((one) => ({ one, weight: weights.next().value! }))
          .sort((a, b) => (a.one.slot === b.one.slot ? a.weight - b.weight : 0))
          .map(({ one }) => one)
        const ordered = inLeafOrder(listed, leafOf)
        expect(leavesOf(ordered)).toEqual(leavesOf(executed))
        expect(ordered.map(({ slot }) => slot)).toEqual(executed.map(({ slot }) => slot))
      }),
    )
  })
})
