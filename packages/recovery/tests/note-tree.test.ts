import { fieldToBytes, leafOfNote, rootOfPath, type Ticket } from '@sotto/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  heldLeaves,
  locateNote,
  publishedLeaves,
  readNoteTree,
  type HistoryPage,
  type HistoryStore,
  type LeafSource,
} from '../index.ts'
import { rememberingPoseidon } from '../../../testing/tree/remembering-poseidon.ts'
import { DOMAIN, FakeChain, note, PROGRAM } from './fake-chain.ts'
import { nodeOf } from './fake-node.ts'

const poseidon = rememberingPoseidon()
const leavesOf = (count: number) => Array.from({ length: count }, (_, index) => BigInt(index + 1))
const OLDER = leavesOf(300)
const ticket: Ticket = { program: PROGRAM, orderId: new Uint8Array(16).fill(3), note: note() }
const LEAF = leafOfNote(poseidon, DOMAIN, ticket.note)
/** All leaves that were appended, in order. The note is the 301st leaf. */
const ALL = [...OLDER, LEAF, ...leavesOf(1_500).map((leaf) => leaf + 10_000n)]

let chain: FakeChain
beforeAll(async () => {
  chain = await new FakeChain().open()
  chain.spam('landed')
  chain.fill(OLDER, 5)
  await chain.deposit(ticket.note, ticket.orderId)
  for (let times = 0; times < 20; times += 1) chain.spam(times % 2 === 0 ? 'failed' : 'landed')
  chain.fill(ALL.slice(301), 7)
  chain.spam('landed')
})

/** Locates the note and checks that its path leads to the newest root. */
async function expectFound(options: Parameters<typeof locateNote>[3], on = nodeOf(chain)) {
  const found = await locateNote(on.rpc, poseidon, ticket, options)
  expect(found.position.leafIndex).toBe(300n)
  const root = rootOfPath(poseidon, LEAF, 300n, found.position.path)
  expect(root).toBe(found.chain.account.recent(chain.size - 1).root)
  expect(found.root).toEqual({ kind: 'recent', index: (chain.size - 1) % 1_024 })
  return on.asked
}

const refusal = (reasons: string[]) => (reason: string) => reasons.push(reason)

describe('an older note', () => {
  it("is found in the chain's transactions, but not in a failed transaction", async () => {
    const asked = await expectFound({})
    const read = asked.filter((method) => method === 'getTransaction').length
    expect(read).toBe(chain.transactions.length - 10)
  })

  it('is found in published leaves, without any history', async () => {
    const asked = await expectFound({ sources: [heldLeaves(ALL.slice(0, 800))] })
    expect(asked).not.toContain('getSignaturesForAddress')
  })

  it('is found in the third source if the first has a false leaf and the second fails', async () => {
    const reasons: string[] = []
    const lies = heldLeaves(ALL.with(17, 99n))
    const fails: LeafSource = () => Promise.reject(new Error('its disk is gone'))
    const sources = [lies, fails, heldLeaves(ALL)]
    const asked = await expectFound({ sources, onRefused: refusal(reasons) })
    expect(reasons).toEqual(["its leaves do not lead to the chain's root", 'its disk is gone'])
    expect(asked).not.toContain('getSignaturesForAddress')
  })

  it('is found on the chain if every source lies', async () => {
    await expectFound({ sources: [heldLeaves(ALL.with(17, 99n))] })
    await expectFound({ sources: [heldLeaves([1n, 5n, 3n])] })
  })

  it('is found if one of the sources has the leaves that a node has pruned', async () => {
    const pruned = new FakeChain()
    await pruned.open()
    pruned.fill(ALL.slice(0, 400), 3)
    pruned.fill(ALL.slice(400), 3)
    pruned.prune(350)
    const on = nodeOf(pruned)
    await expect(locateNote(on.rpc, poseidon, ticket, {})).rejects.toMatchObject({
      code: 'HISTORY_MISSING',
    })
    const honest = heldLeaves(ALL.slice(0, 360))
    await expectFound({ sources: [honest] }, nodeOf(pruned))
    // Another source lies, and returns one leaf less than it is asked for.
    const lies = heldLeaves(leavesOf(ALL.length - 1_024 - 1).map((leaf) => leaf + 77n))
    for (const sources of [
      [honest, lies],
      [lies, honest],
    ]) {
      await expectFound({ sources }, nodeOf(pruned))
    }
  })

  it('is found in a full tree although the node lists refunds that appended nothing', async () => {
    const full = await new FakeChain().open()
    full.fill(OLDER, 5)
    await full.deposit(ticket.note, ticket.orderId)
    full.fill(ALL.slice(301), 7)
    // The last of these leaves equals the leaf of an earlier settlement.
    for (const leaf of [90_001n, 90_002n, ALL.at(-1)!]) full.refundWithoutLeaf(leaf)
    const known = ALL.slice(0, 290)
    for (const isUnordered of [false, true]) {
      full.isUnordered = isUnordered
      for (const sources of [[], [heldLeaves(known)]]) {
        const on = nodeOf(full)
        const { tree } = await readNoteTree(on.rpc, PROGRAM, poseidon, { sources })
        expect([tree.size, tree.leaf(300)]).toEqual([ALL.length, LEAF])
      }
    }
  })

  it('is found although the node lists the transactions of a slot in another order', async () => {
    chain.isUnordered = true
    const asked = await expectFound({})
    chain.isUnordered = false
    expect(asked).toContain('getBlock')
  })
})

describe('the history that was read', () => {
  /** Keeps pages in memory, and fails instead of keeping more than `failAfter` pages. */
  function fragileStore(failAfter = Infinity): HistoryStore & { pages: HistoryPage[] } {
    const pages: HistoryPage[] = []
    return {
      pages,
      load: () => Promise.resolve([...pages]),
      add: (side, added) => {
        if (pages.length + added.length > failAfter) return Promise.reject(new Error('power cut'))
        if (side === 'newer') pages.unshift(...added)
        else pages.push(...added)
        return Promise.resolve()
      },
      forget: () => Promise.resolve(void pages.splice(0)),
    }
  }

  it('is kept after a failure, so that the next run reads only the missing part', async () => {
    const kept = fragileStore(1)
    const first = nodeOf(chain)
    const broken = locateNote(first.rpc, poseidon, ticket, { history: { store: kept } })
    await expect(broken).rejects.toThrow('power cut')
    expect(kept.pages).toHaveLength(1)
    const store = fragileStore()
    store.pages.push(...kept.pages)
    const asked = await expectFound({ history: { store } })
    const read = asked.filter((method) => method === 'getTransaction').length
    expect(read).toBeLessThan(chain.transactions.length - 900)
    const again = await expectFound({ history: { store } })
    expect(again).not.toContain('getTransaction')
  })

  describe('at a node that answers -32020', () => {
    const OTHER = '1'.repeat(64) as HistoryPage['newest']

    it('continues if the node does not know the newest kept signature', async () => {
      const store = fragileStore()
      await expectFound({ history: { store } })
      const count = store.pages.length
      store.pages[0] = { ...store.pages[0]!, newest: OTHER }
      const asked = await expectFound({ history: { store } })
      // The last transaction named the tree but appended nothing, so the kept page doesn't contain it, and it is read
      // again.
      expect(asked.filter((method) => method === 'getTransaction')).toHaveLength(1)
      expect(store.pages).toHaveLength(count + 1)
    })

    it('continues if the node does not know the oldest kept signature', async () => {
      const store = fragileStore()
      await expectFound({ history: { store } })
      const [newest] = store.pages
      store.pages.splice(0, store.pages.length, { ...newest!, oldest: OTHER })
      const asked = await expectFound({ history: { store } })
      const read = asked.filter((method) => method === 'getTransaction').length
      expect(read).toBeLessThan(chain.transactions.length - 900)
      expect(store.pages.length).toBeGreaterThan(1)
    })

    it('stores no newer pages if the node has pruned transactions between them and the stored pages', async () => {
      const pruned = await new FakeChain().open()
      const store = fragileStore()
      pruned.fill(ALL.slice(0, 1_400), 3)
      await locateNote(nodeOf(pruned).rpc, poseidon, ticket, { history: { store } })
      const kept = structuredClone(store.pages)
      pruned.fill(ALL.slice(1_400), 3)
      const whole = [...pruned.transactions]
      pruned.prune(1_500)
      const find = () => locateNote(nodeOf(pruned).rpc, poseidon, ticket, { history: { store } })
      await expect(find()).rejects.toMatchObject({ code: 'HISTORY_MISSING' })
      expect(store.pages).toEqual(kept)
      pruned.restore(whole)
      expect((await find()).position.leafIndex).toBe(300n)
    })
  })

  it('is dropped if it turns out to be false', async () => {
    const store = fragileStore()
    await expectFound({ history: { store } })
    const [page] = store.pages
    const appending = page!.appending.map((one, index) =>
      index === 0 ? { ...one, leaves: [5n, ...one.leaves] } : one,
    )
    store.pages.splice(0, 1, { ...page!, appending })
    await expectFound({ history: { store } })
  })

  it('is read only up to the maximum number of pages', async () => {
    const limited = locateNote(nodeOf(chain).rpc, poseidon, ticket, { history: { pagesMax: 1 } })
    await expect(limited).rejects.toMatchObject({ code: 'HISTORY_MISSING' })
  })
})

describe('a note of the ring', () => {
  it("is found with the Tree's account alone", async () => {
    const small = await new FakeChain().open()
    let alone = 0
    for (let size = 1; size <= 70; size += 1) {
      small.append(BigInt(size))
      if (size === 40) await small.deposit(ticket.note, ticket.orderId)
      if (size < 40) continue
      const { rpc, asked } = nodeOf(small)
      const found = await locateNote(rpc, poseidon, ticket)
      expect(rootOfPath(poseidon, LEAF, found.position.leafIndex, found.position.path)).toBe(
        found.chain.account.recent(small.size - 1).root,
      )
      if (!asked.includes('getSignaturesForAddress')) alone += 1
    }
    expect(alone).toBe(31)
    const late = await new FakeChain().open()
    for (const leaf of leavesOf(1_700)) late.append(leaf, false)
    for (const leaf of leavesOf(1_024)) late.append(leaf + 5_000n, false)
    await late.deposit(ticket.note, ticket.orderId)
    for (let more = 0n; more < 20n; more += 1n) {
      late.append(more + 9_000n)
      const found = await locateNote(nodeOf(late).rpc, poseidon, ticket)
      expect(found.position.leafIndex).toBe(2_724n)
    }
  })
})

describe('leaves that are published', () => {
  const hex = (leaf: bigint) => Buffer.from(fieldToBytes(leaf)).toString('hex')
  const page = (from: number) => ({
    success: true,
    from,
    leaves: ALL.slice(from, from + 1_024).map(hex),
  })
  const served = (answers: Record<string, object | string>) => {
    const fetcher = (url: URL | string | Request) => {
      const found = answers[String(url)]
      const body = typeof found === 'string' ? found : JSON.stringify(found)
      return Promise.resolve(
        found === undefined ? new Response('', { status: 404 }) : new Response(body),
      )
    }
    return fetcher
  }

  it('are read from a service', async () => {
    const url = 'https://pay.example/transfer/v1/leaves'
    const answers = { [`${url}?from=0`]: page(0) }
    await expectFound({ sources: [publishedLeaves(url, served(answers))] })
  })

  it('are read from a folder of files', async () => {
    const answers = {
      'https://files.example/leaves-of/0.json': page(0),
      'https://files.example/leaves-of/1024.json': page(1_024),
    }
    const source = publishedLeaves('https://files.example/leaves-of', served(answers))
    const { tree } = await readNoteTree(nodeOf(chain).rpc, PROGRAM, poseidon, { sources: [source] })
    expect(tree.size).toBe(chain.size)
  })

  it.each([
    ['not JSON', '<html>'],
    ['not a page of leaves', { leaves: 'none' }],
    ['an invalid leaf', { leaves: ['ff'.repeat(32)] }],
    ['more than a page', { leaves: Array<string>(1_025).fill('00'.repeat(32)) }],
  ])('are skipped if the answer is %s', async (_, answer) => {
    const url = 'https://pay.example/transfer/v1/leaves'
    const source = publishedLeaves(url, served({ [`${url}?from=0`]: answer }))
    await expectFound({ sources: [source, heldLeaves(ALL)] })
  })
})
