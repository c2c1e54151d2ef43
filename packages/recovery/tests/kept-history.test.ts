import type { Ticket } from '@sotto/protocol'
import { beforeEach, describe, expect, it } from 'vitest'
import { locateNote, type HistoryPage, type HistoryStore } from '../index.ts'
import { rememberingPoseidon } from '../../../testing/tree/remembering-poseidon.ts'
import { FakeChain, NodeRefusal, note, PROGRAM } from './fake-chain.ts'
import { nodeOf } from './fake-node.ts'

const poseidon = rememberingPoseidon()
const leavesOf = (count: number) => Array.from({ length: count }, (_, index) => BigInt(index + 1))
const LATER = leavesOf(1_500).map((leaf) => leaf + 10_000n)
const SKIPPED = 1_200
const ticket: Ticket = { program: PROGRAM, orderId: new Uint8Array(16).fill(3), note: note() }

type Answering = Pick<FakeChain, 'answer'>
type Answer = FakeChain['answer']

let chain: FakeChain
let pages: HistoryPage[]
let store: HistoryStore
beforeEach(async () => {
  chain = await new FakeChain().open()
  chain.fill(leavesOf(300), 5)
  await chain.deposit(ticket.note, ticket.orderId)
  pages = []
  store = {
    load: () => Promise.resolve([...pages]),
    add: (side, added) => {
      if (side === 'newer') pages.unshift(...added)
      else pages.push(...added)
      return Promise.resolve()
    },
    forget: () => Promise.resolve(void pages.splice(0)),
  }
})

async function find(node: Answering) {
  const on = nodeOf(node)
  const { position } = await locateNote(on.rpc, poseidon, ticket, { history: { store } })
  expect(position.leafIndex).toBe(300n)
  return on.asked
}
const MISSING = { code: 'HISTORY_MISSING' }
const nodeWith = (change: (answer: Answer) => Answer): Answering => ({
  answer: change((method, params) => chain.answer(method, params)),
})

/** A node with the block of every slot except one, in which the chain has no block. */
const skipping = () =>
  nodeWith((answer) => (method, params) => {
    if (method !== 'getBlock' || params[0] !== BigInt(SKIPPED)) return answer(method, params)
    throw new NodeRefusal(-32_007, `Slot ${SKIPPED} was skipped`)
  })

describe('a history that an earlier run has kept', () => {
  it.each([
    ['omitted a transaction', 'getSignaturesForAddress'],
    ['showed a transaction without its meta data', 'getTransaction'],
  ])(
    'does not hide a note from an honest node if an earlier node %s',
    async (_, faulty) => {
      chain.fill(LATER, 7)
      const { signature } = chain.transactions[200]!
      const node = nodeWith((answer) => (method, params) => {
        const shown = answer(method, params)
        if (method !== faulty) return shown
        if (Array.isArray(shown)) {
          return (shown as { signature: string }[]).filter((one) => one.signature !== signature)
        }
        return params[0] === signature ? { ...(shown as object), meta: null } : shown
      })
      await expect(find(node)).rejects.toMatchObject(MISSING)
      await find(chain)
      // The pages that lead to the root are kept, so that the next run reads no transaction.
      expect(await find(chain)).not.toContain('getTransaction')
    },
    60_000,
  )

  it('does not hide a note from an honest node if an earlier node ignored an unknown signature', async () => {
    chain.fill(LATER.slice(0, 1_100), 3)
    await find(chain)
    chain.fill(LATER.slice(1_100), 3)
    const whole = [...chain.transactions]
    chain.prune(whole.length - 50)
    // Agave before version 4.0 lists all transactions if it doesn't know the signature `until`.
    const old = nodeWith((answer) => (method, params) => {
      try {
        return answer(method, params)
      } catch (error) {
        const [account, { until: _, ...rest }] = params as [string, Record<string, unknown>]
        if (method !== 'getSignaturesForAddress') throw error
        return answer(method, [account, rest])
      }
    })
    await expect(find(old)).rejects.toMatchObject(MISSING)
    chain.restore(whole)
    await find(chain)
  })

  it('does not hide a note from an honest node if it names a block that the chain does not have', async () => {
    chain.fill(LATER, 7)
    await find(chain)
    const [page] = pages
    const slot = BigInt(SKIPPED)
    const invented = page!.appending.slice(0, 2).map((one) => ({ ...one, slot, leaves: [5n] }))
    pages.splice(0, 1, { ...page!, appending: [...page!.appending, ...invented] })
    await find(skipping())
    expect(await find(chain)).not.toContain('getTransaction')
  })
})
