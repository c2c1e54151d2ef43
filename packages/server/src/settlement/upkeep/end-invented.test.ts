import { CLOSE_DELAY_SECONDS } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { witnessedIndexes } from '../../adapters/chain/settlement/witnesses.ts'
import type { ChainRpc } from '../../adapters/rpc/rpc-client.ts'
import { inventedDepositEnder } from './end-invented.ts'

const DEADLINE = 1_000n
const HOUR = 3_600n
const ORDER = { orderId: new Uint8Array(16).fill(7), leaf: 7n, deadline: DEADLINE }

interface Scene {
  /** The chain's clock in each round. */
  readonly rounds: readonly bigint[]
  /** The indexes of the rounds in which the tree has the leaf. */
  readonly shownIn?: readonly number[]
  readonly hasAccount?: boolean
  /**
   * The answers of several nodes: the index in the Order account, undefined without an account, or 'down' for an error.
   */
  readonly nodes?: readonly (number | undefined | 'down')[]
  /** The time that two nodes confirm. */
  readonly confirmed?: bigint
  readonly hasHistory?: boolean
  readonly isWhole?: boolean
  /** True if the process's tree has the leaf, although the database lacks it. */
  readonly isInTree?: boolean
}

/** Uses the nodes' answers as their clients: `askNode` takes a client and returns its answer. */
const clients = (nodes: NonNullable<Scene['nodes']>) => nodes as unknown as ChainRpc[]

async function askNode(node: unknown, ids: readonly Uint8Array[]) {
  if (node === 'down') throw new Error('down')
  return ids.map(() => node as number | undefined)
}

/** Returns the round that ended the order, and the requests to the node. */
async function ended(scene: Scene) {
  const { rounds, shownIn = [], hasAccount = false, hasHistory = false, isWhole = true } = scene
  const { nodes, confirmed, isInTree = false } = scene
  let round = 0
  let endedIn: number | undefined
  const asked: string[] = []
  const step = inventedDepositEnder({
    clock: { nowMs: () => 0 },
    log: { event: () => undefined },
    tree: { isWhole, has: (leaf: bigint) => isInTree && leaf === ORDER.leaf },
    witness: confirmed === undefined ? undefined : { confirmed: () => confirmed },
    chain: {
      readHead: async () => ({ slot: 1n, unixSeconds: rounds[round]! }),
      readDepositIndexes: async (ids: readonly Uint8Array[]) => {
        asked.push('account')
        const first = [hasAccount ? 3 : undefined]
        return nodes === undefined ? first : witnessedIndexes(clients(nodes), ids, first, askNode)
      },
      findDeposit: async () => {
        asked.push('history')
        return hasHistory ? {} : undefined
      },
    },
    store: {
      readCursor: async () => ({ unixSeconds: rounds[round]! }),
      listVanished: async (before: bigint) =>
        before > DEADLINE && !shownIn.includes(round) ? [ORDER] : [],
      tryExpireVanished: async () => {
        endedIn ??= round
        return true
      },
    },
  } as unknown as Parameters<typeof inventedDepositEnder>[0])
  for (round = 0; round < rounds.length; round += 1) await step()
  return { endedIn, asked }
}

it('ends an order if its leaf has been missing for an hour', async () => {
  const [first, soon, later] = [DEADLINE + 1n, DEADLINE + HOUR, DEADLINE + 1n + HOUR]
  expect((await ended({ rounds: [first, soon] })).endedIn).toBeUndefined()
  expect(await ended({ rounds: [first, soon, later] })).toEqual({ endedIn: 2, asked: ['account'] })
})

it('restarts the hour if a node shows the leaf in between', async () => {
  const rounds = [0n, 1n, 2n, 3n].map((half) => DEADLINE + 1n + (half * HOUR) / 2n)
  expect((await ended({ rounds, shownIn: [1] })).endedIn).toBeUndefined()
  const longer = [...rounds, rounds[2]! + HOUR]
  expect((await ended({ rounds: longer, shownIn: [1] })).endedIn).toBe(4)
})

it('names no order whose deposit can still land', async () => {
  const rounds = [DEADLINE - HOUR, DEADLINE]
  expect(await ended({ rounds })).toEqual({ endedIn: undefined, asked: [] })
})

it('ends no order while leaves may be missing', async () => {
  const rounds = [DEADLINE + 1n, DEADLINE + 1n + HOUR]
  expect((await ended({ rounds, isWhole: false })).endedIn).toBeUndefined()
})

it('ends no order that has an Order account or a deposit in the history', async () => {
  const rounds = [DEADLINE + 1n, DEADLINE + 1n + HOUR]
  expect((await ended({ rounds, hasAccount: true })).endedIn).toBeUndefined()
  const late = rounds.map((time) => time + CLOSE_DELAY_SECONDS)
  const closed = await ended({ rounds: late, hasHistory: true })
  expect(closed).toEqual({ endedIn: undefined, asked: ['account', 'history'] })
  expect((await ended({ rounds: late })).endedIn).toBe(1)
})

it('reads the history from the first second in which the program lets anyone close the Order', async () => {
  const closing = DEADLINE + CLOSE_DELAY_SECONDS
  const ask = async (second: bigint) => ended({ rounds: [second - HOUR, second], hasHistory: true })
  expect(await ask(closing)).toEqual({ endedIn: undefined, asked: ['account', 'history'] })
  expect(await ask(closing - 1n)).toEqual({ endedIn: 1, asked: ['account'] })
})

it('I8: ends no order while no two nodes confirm a tree without its leaf', async () => {
  const rounds = [0n, 1n, 2n].map((hours) => DEADLINE + 1n + hours * HOUR)
  expect((await ended({ rounds, confirmed: 0n })).endedIn).toBeUndefined()
  expect((await ended({ rounds, confirmed: DEADLINE + HOUR })).endedIn).toBeUndefined()
})

it('I8: ends no order whose leaf is missing only in the database', async () => {
  const rounds = [DEADLINE + 1n, DEADLINE + 1n + HOUR]
  const endsIn = async (isInTree: boolean) => (await ended({ rounds, isInTree })).endedIn
  expect([await endsIn(true), await endsIn(false)]).toEqual([undefined, 1])
})

it('I8: ends no order whose account is hidden by only one of several nodes', async () => {
  const rounds = [DEADLINE + 1n, DEADLINE + 1n + HOUR]
  expect((await ended({ rounds, nodes: [undefined, undefined, 3] })).endedIn).toBeUndefined()
  expect((await ended({ rounds, nodes: [undefined, 'down'] })).endedIn).toBeUndefined()
  expect((await ended({ rounds, nodes: [undefined, undefined, 'down'] })).endedIn).toBe(1)
})
