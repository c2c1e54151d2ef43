import { leafOfNote, poolAddress, type Ticket } from '@sotto/protocol'
import { beforeAll, expect, it } from 'vitest'
import { heldLeaves, locateNote, readFixedPool, readTree } from '../index.ts'
import { rememberingPoseidon } from '../../../testing/tree/remembering-poseidon.ts'
import { DOMAIN, FakeChain, note, PROGRAM } from './fake-chain.ts'
import { nodeOf } from './fake-node.ts'
import { showingPoolOnce } from './showing-pool-once.ts'

const poseidon = rememberingPoseidon()
const OLDER = [1n, 2n, 3n]
const ticket: Ticket = { program: PROGRAM, orderId: new Uint8Array(16).fill(3), note: note() }
const LEAF = leafOfNote(poseidon, DOMAIN, ticket.note)
const NEWER = Array.from({ length: 1_100 }, (_, index) => BigInt(index + 10_000))
const ALL = [...OLDER, LEAF, ...NEWER]

let chain: FakeChain
beforeAll(async () => {
  chain = await new FakeChain().open()
  chain.fill(OLDER, 5)
  await chain.deposit(ticket.note, ticket.orderId)
  chain.fill(NEWER, 7)
})

it("asks each endpoint only once for the pool's domain, but for the tree at every use", async () => {
  const [one, other] = [nodeOf(chain), nodeOf(chain)]
  for (const { rpc } of [one, one, other]) {
    expect((await readFixedPool(rpc, PROGRAM)).domain).toEqual(DOMAIN)
  }
  expect([one.asked.length, other.asked.length]).toEqual([1, 1])
  await readTree(one.rpc, PROGRAM)
  await readTree(one.rpc, PROGRAM)
  expect(one.asked.length).toBe(3)
})

it('finds an older note although the endpoint once showed a false domain of the pool', async () => {
  const sources = [heldLeaves(ALL)]
  const { rpc } = nodeOf(chain)
  const once = showingPoolOnce(rpc, await poolAddress(PROGRAM), DOMAIN)
  const found = await locateNote(once, poseidon, ticket, { sources })
  expect(found.position.leafIndex).toBe(3n)
  // If an endpoint always returns the same false domain, the second reading doesn't differ, and no note is found.
  chain.clock = Number(ticket.note.deadline) + 1
  const always = showingPoolOnce(rpc, await poolAddress(PROGRAM), DOMAIN, Infinity)
  const options = { sources, isLocalChain: true }
  await expect(locateNote(always, poseidon, ticket, options)).rejects.toMatchObject({
    code: 'NEVER_DEPOSITED',
  })
})
