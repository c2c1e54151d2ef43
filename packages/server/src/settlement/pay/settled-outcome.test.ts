import { wasmPoseidon } from '@sotto/poseidon'
import { NATIVE_MINT, TREE_LEVELS, amount, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { FoundSettlement, SettledNote } from '../../ports/settlement-chain.ts'
import { FirstReadings } from '../notes/first-readings.ts'
import { settledOutcome } from './settled-outcome.ts'

const EXPIRY = 10_000n
const NOW = 5_000n
const CHANGE = 100n
/** The note's settlement with a proof, as one node shows it. */
const DELIVERY: FoundSettlement = {
  ...{ isRefund: false, changeLeaf: CHANGE, payee: NATIVE_MINT, payout: amount(7n) },
  ...{ signature: 'settled', slot: 8n, unixSeconds: unixSeconds(900n) },
  shown: {
    ...{ nullifier: 5n, changeLeaf: CHANGE, root: { kind: 'recent', index: 0 }, isRefund: false },
    ...{ mint: NATIVE_MINT, payee: NATIVE_MINT, payout: amount(7n), fee: amount(2n) },
    time: unixSeconds(900n),
  } as unknown as NonNullable<FoundSettlement['shown']>,
}
const SHOWN_BY_TWO = { atSeconds: unixSeconds(900n), rentPayer: 'p' } as SettledNote
const CONTRADICTED = { ...SHOWN_BY_TWO, isAlone: true, isContradicted: true }

interface Scene {
  /** The settlements that several nodes show, one from each node; `one node` if only one node is configured. */
  readonly said?: readonly FoundSettlement[] | 'one node'
  readonly isRefunding?: boolean
  readonly cursorSlot?: bigint
}

/** Returns the outcome of a note in each round. The tree has the leaf of the note's settlement. */
async function outcomes(
  rounds: readonly (readonly [number, SettledNote])[],
  found: FoundSettlement | undefined,
  isProved: boolean,
  { said = [], isRefunding = false, cursorSlot = 0n }: Scene = {},
) {
  let clock = NOW
  const alerts: string[] = []
  const leaves = [0n, CHANGE]
  const d = {
    tree: {
      ...{ isVerified: true, size: leaves.length, leaf: (index: number) => leaves[index] },
      path: () => Array.from({ length: 3 * TREE_LEVELS }, () => 0n),
    },
    ...{ poseidon: wasmPoseidon, pool: { domain: new Uint8Array(32) } },
    verifier: { isProved: () => isProved },
    log: { alert: (code: string) => alerts.push(code) },
    chain: {
      findSettlement: async () => found,
      findSettlements: said === 'one node' ? undefined : async () => said,
    },
    store: {
      readCursor: async () => ({ slot: cursorSlot, unixSeconds: clock }),
      findLeaves: async () => new Map([[CHANGE, 1]]),
    },
    firstReadings: new FirstReadings(),
  } as unknown as Parameters<typeof settledOutcome>[0]
  const opened = {
    order: {
      ...{ orderId: new Uint8Array(16), amountOut: 7n },
      status: isRefunding ? 'refunding' : 'deposited',
    },
    ...{ terms: {}, plan: {} },
    ...{ note: { mint: NATIVE_MINT, value: 9n, expiry: EXPIRY } },
    ...{ leafIndex: 0, nullifier: 5n, changeLeaf: CHANGE },
    secrets: { pseudonym: () => new Uint8Array(32) },
  } as unknown as Parameters<typeof settledOutcome>[1]
  const kinds: (string | undefined)[] = []
  const times = new Set<bigint>()
  for (const [after, settled] of rounds) {
    clock = NOW + BigInt(after)
    // A node may show any time as its clock.
    const head = { slot: 1n, blockHeight: 1n, unixSeconds: unixSeconds(90_000n), nextLeaf: 2n }
    const outcome = await settledOutcome(d, opened, settled, head)
    kinds.push(outcome?.kind)
    if (outcome !== undefined) times.add(outcome.unixSeconds)
  }
  return { kinds, alerts: [...new Set(alerts)], times: [...times] }
}

it('without a proof, ends an order with a contradicted Nullifier only once two nodes show the Nullifier', async () => {
  const rounds = [
    [0, CONTRADICTED],
    [119, CONTRADICTED],
    [9_000, SHOWN_BY_TWO],
  ] as const
  const expected = [undefined, undefined, 'delivery']
  expect(await outcomes(rounds, DELIVERY, true)).toMatchObject({ kinds: expected, alerts: [] })
  const lasting = [...rounds.slice(0, 2), [9_000, CONTRADICTED]] as const
  const denied = { kinds: [undefined, undefined, undefined], alerts: ['nodes_disagree'] }
  expect(await outcomes(lasting, DELIVERY, false)).toMatchObject(denied)
  expect((await outcomes(lasting, undefined, true)).kinds).toEqual(denied.kinds)
})

it('ends an order only when the tree is followed up to its settlement', async () => {
  const at = (seconds: bigint) => ({ ...SHOWN_BY_TWO, atSeconds: unixSeconds(seconds) })
  const kindOf = async (settled: SettledNote, cursorSlot: bigint) =>
    (await outcomes([[0, settled]], DELIVERY, true, { cursorSlot })).kinds[0]
  expect(await kindOf(at(NOW), DELIVERY.slot - 1n)).toBeUndefined()
  expect(await kindOf(at(NOW), DELIVERY.slot)).toBe('delivery')
  expect(await kindOf(at(NOW - 1n), DELIVERY.slot - 1n)).toBe('delivery')
})

it('ends an order by a proven settlement even if another node never shows the Nullifier', async () => {
  const rounds = [0, 119, 120].map((after) => [after, CONTRADICTED] as const)
  const ended = { kinds: [undefined, undefined, 'delivery'], alerts: [] }
  expect(await outcomes(rounds, DELIVERY, true)).toMatchObject(ended)
})

it('ends an order by the history of the other nodes if the first node hides the order’s settlement', async () => {
  const rounds = [0, 120].map((after) => [after, CONTRADICTED] as const)
  const kinds = async (isProved: boolean, ...said: FoundSettlement[]) =>
    (await outcomes(rounds, undefined, isProved, { said })).kinds
  expect(await kinds(true, DELIVERY)).toEqual([undefined, 'delivery'])
  const refund = { ...DELIVERY, isRefund: true }
  for (const said of [[], [refund], [DELIVERY, refund]]) {
    expect(await kinds(true, ...said)).toEqual([undefined, undefined])
  }
  expect(await kinds(false, DELIVERY)).toEqual([undefined, undefined])
})

it('ends a refunding order as delivered only if two nodes or a proof show the delivery', async () => {
  const ended = async (
    shown: SettledNote,
    isProved: boolean,
    said: readonly FoundSettlement[] | 'one node',
    found: FoundSettlement | undefined = DELIVERY,
  ) => {
    const scene = { said, isRefunding: true, cursorSlot: DELIVERY.slot }
    const { kinds, alerts } = await outcomes([[0, shown]], found, isProved, scene)
    return [kinds[0], alerts]
  }
  const doubted = [undefined, ['outcome_contradicts_status']]
  expect(await ended(SHOWN_BY_TWO, false, [])).toEqual(['delivery', []])
  // The refund may have landed, because it appends the same leaf. Only one node shows the delivery.
  expect(await ended({ ...SHOWN_BY_TWO, isAlone: true }, false, [])).toEqual(doubted)
  expect(await ended({ ...SHOWN_BY_TWO, isAlone: true }, true, [])).toEqual(['delivery', []])
  expect(await ended(SHOWN_BY_TWO, false, 'one node')).toEqual(doubted)
  expect(await ended(SHOWN_BY_TWO, true, 'one node')).toEqual(['delivery', []])
  const refund = { ...SHOWN_BY_TWO, atSeconds: unixSeconds(EXPIRY + 1n) }
  const landed = { ...DELIVERY, isRefund: true }
  expect(await ended(refund, false, 'one node', landed)).toEqual(['refund', []])
})

it('dates an outcome by the Nullifier and the followed clock, not by the block time that a node shows', async () => {
  const timesOf = async (atSeconds: bigint, blockSeconds: bigint) => {
    const found = { ...DELIVERY, unixSeconds: unixSeconds(blockSeconds) }
    const settled = { ...SHOWN_BY_TWO, atSeconds: unixSeconds(atSeconds) }
    const scene = { cursorSlot: DELIVERY.slot }
    return (await outcomes([[0, settled]], found, true, scene)).times
  }
  for (const blockSeconds of [0n, 900n, 4_000_000_000n]) {
    expect(await timesOf(900n, blockSeconds)).toEqual([900n])
  }
  // A worker's clock may be slow. Then the followed clock is slow too.
  expect(await timesOf(NOW + 1n, NOW + 1n)).toEqual([NOW])
})
