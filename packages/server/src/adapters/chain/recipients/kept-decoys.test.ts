import type { Address } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { KeptDecoys, type HiddenRecipient } from './kept-decoys.ts'

const MOST = 12
const ASKERS = ['one', 'two', 'three', undefined]

const hidden = (asker: string | undefined): HiddenRecipient => ({
  ...{ wallets: [], place: 0, madeAtMs: 0 },
  asker,
})

/** Returns a generator of pseudorandom numbers. It gives the same numbers in every run. */
function numbers(): (below: number) => number {
  let state = 12_345
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 1
    return (state >>> 8) % below
  }
}

/**
 * Returns the decoys that `KeptDecoys` may drop. Searches through all kept decoys, which must be ordered oldest first.
 */
function droppable(kept: ReadonlyMap<string, string | undefined>): string[] {
  const deliveries = [...kept].flatMap(([one, asker]) => (asker === undefined ? [one] : []))
  if (deliveries.length >= MOST / 2) return deliveries.slice(0, 1)
  const counts = new Map<string, number>()
  for (const asker of kept.values()) {
    if (asker !== undefined) counts.set(asker, (counts.get(asker) ?? 0) + 1)
  }
  const most = Math.max(...counts.values())
  const largest = [...counts].flatMap(([asker, count]) => (count === most ? [asker] : []))
  return largest.flatMap((asker) => [...kept].find((entry) => entry[1] === asker)?.[0] ?? [])
}

it('drops the same decoys as a search through all decoys would', () => {
  const draw = numbers()
  const decoys = new KeptDecoys(MOST)
  const model = new Map<string, string | undefined>()
  let dropped = 0
  for (let step = 0; step < 8_000; step += 1) {
    const recipient = `wallet ${draw(40)}`
    // The last 99 of each thousand steps are deliveries, so that the decoys of deliveries are dropped too.
    const asker = step % 1_000 > 900 ? undefined : ASKERS[draw(ASKERS.length)]
    model.delete(recipient)
    const allowed = model.size === MOST ? droppable(model) : []
    decoys.set(recipient as Address, hidden(asker))
    const gone = [...model.keys()].filter((one) => decoys.get(one as Address) === undefined)
    expect(gone).toHaveLength(allowed.length === 0 ? 0 : 1)
    for (const one of gone) {
      expect(allowed).toContain(one)
      model.delete(one)
      dropped += 1
    }
    model.set(recipient, asker)
    expect(decoys.get(recipient as Address)?.asker).toBe(asker)
  }
  expect(dropped).toBeGreaterThan(2_000)
})

it('keeps the decoys of quotes after many deliveries, up to half of all decoys', () => {
  const decoys = new KeptDecoys(MOST)
  const add = (asker: string | undefined, recipients: string[]) =>
    recipients.forEach((one) => decoys.set(one as Address, hidden(asker)))
  const list = (kind: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${kind} ${index}`)
  add(undefined, list('delivered', 2 * MOST))
  const quoted = list('quoted', MOST / 2)
  add('one', quoted)
  add(undefined, list('delivered later', 2 * MOST))
  expect(quoted.filter((one) => decoys.get(one as Address) === undefined)).toEqual([])
})
