import { expect, it } from 'vitest'
import { unixSeconds } from '@sotto/protocol'
import { DepositLocator } from './locate-deposits.ts'
import { depositWatcher } from './watch-deposits.ts'

/** Watches a node that shows one of these lists of leaves in each round. Rounds are half a minute apart. */
async function watch(shown: readonly (readonly bigint[])[], stored: readonly bigint[] = []) {
  const from: number[] = []
  const marked: bigint[][] = []
  const cleared: { readonly round: number; readonly leaves: readonly bigint[] }[] = []
  const see = depositWatcher({
    chain: {
      readConfirmedLeaves: async (index: number) => {
        from.push(index)
        return shown[from.length - 1]!
      },
    },
    store: {
      markSeen: async (leaves: readonly bigint[]) => void marked.push([...leaves]),
      listSeen: async () => stored,
      clearSeen: async (leaves: readonly bigint[]) =>
        void cleared.push({ round: from.length, leaves }),
    },
    clock: { nowMs: () => from.length * 30_000 },
    size: () => 9,
  } as unknown as Parameters<typeof depositWatcher>[0])
  for (const _ of shown) await see()
  return { from, marked, cleared }
}

it('marks a deposit as seen only once', async () => {
  const { from, marked, cleared } = await watch([[5n], [5n, 6n], [5n, 6n]])
  expect(from).toEqual([9, 9, 9])
  expect(marked).toEqual([[5n], [6n]])
  expect(cleared).toEqual([])
})

it('no longer counts a deposit as seen if its leaf is missing for 90 seconds', async () => {
  const { cleared } = await watch([[5n, 6n], [6n], [6n], [6n], [6n], [6n]])
  expect(cleared).toEqual([{ round: 5, leaves: [5n] }])
})

it('still counts a deposit as seen if its leaf is shown again in time', async () => {
  const { marked, cleared } = await watch([[5n], [], [], [5n], [], [], [5n]])
  expect(cleared).toEqual([])
  expect(marked).toEqual([[5n], [5n], [5n]])
})

it('no longer counts a dropped deposit as seen, even if it was seen before a restart', async () => {
  const { cleared } = await watch([[], [], [], []], [7n])
  expect(cleared).toEqual([{ round: 4, leaves: [7n] }])
})

const idOf = (number: number) => new Uint8Array(16).fill(number)
const FOUND = { signature: 's', slot: 3n, unixSeconds: unixSeconds(4n) }

/** Locates deposits with a node that shows only deposits of orders with an even id. */
async function locate(rounds: number, stored: readonly number[], added: readonly number[]) {
  let nowMs = 0
  const asked: number[] = []
  const recorded: number[] = []
  const locator = new DepositLocator({
    chain: {
      findDeposit: async (id) => {
        asked.push(id[0]!)
        return id[0]! % 2 === 0 ? FOUND : undefined
      },
    },
    store: {
      listUnlocated: async () => stored.map(idOf),
      recordLocated: async (id) => void recorded.push(id[0]!),
    },
    clock: { nowMs: () => nowMs, sleep: async () => undefined },
    log: { alert: () => undefined, failed: () => undefined, event: () => undefined },
  })
  locator.add(added.map(idOf))
  for (let round = 0; round < rounds; round += 1) {
    await locator.locate()
    nowMs += 4 * 3_600_000
  }
  return { asked, recorded }
}

it('finds the transactions of recorded deposits, including those from before a restart', async () => {
  const { recorded } = await locate(1, [2], [4])
  expect(recorded.sort()).toEqual([2, 4])
})

it('searches only a few times for a deposit that no node shows', async () => {
  const { asked, recorded } = await locate(40, [], [3])
  expect(asked).toHaveLength(12)
  expect(recorded).toEqual([])
})

it('searches for only a few deposits in each round', async () => {
  const many = Array.from({ length: 40 }, (_, index) => 2 * index)
  expect((await locate(1, [], many)).asked).toHaveLength(8)
})
