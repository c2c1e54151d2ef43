import { wasmPoseidon as poseidon } from '@sotto/poseidon'
import { leafOfNote, type Ticket } from '@sotto/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { indexAmongNewest, locateNote } from '../index.ts'
import { DOMAIN, FakeChain, note, PROGRAM } from './fake-chain.ts'
import { nodeOf } from './fake-node.ts'

const ticket: Ticket = { program: PROGRAM, orderId: new Uint8Array(16).fill(3), note: note() }

let chain: FakeChain
beforeAll(async () => {
  chain = await new FakeChain().open()
  await chain.deposit(ticket.note, ticket.orderId)
})

describe('a note without a deposit', () => {
  const other = { ...ticket, note: note({ nk: 78n }) }
  const deadline = Number(other.note.deadline)
  const missing = () => locateNote(nodeOf(chain).rpc, poseidon, other, { isLocalChain: true })

  it('is reported as never deposited if its deadline is over', async () => {
    chain.clock = deadline + 1
    await expect(missing()).rejects.toMatchObject({
      code: 'NEVER_DEPOSITED',
      // A deposit with other terms may have been made, so the error must not say that nothing was paid.
      message: expect.not.stringContaining('paid') as string,
    })
  })

  it('is reported as not deposited yet if its deposit can still land', async () => {
    chain.clock = deadline - 5
    await expect(missing()).rejects.toMatchObject({
      code: 'NOT_DEPOSITED_YET',
      message: expect.stringContaining('can still land for 6 s') as string,
    })
    chain.clock = deadline
    await expect(missing()).rejects.toMatchObject({ code: 'NOT_DEPOSITED_YET' })
  })
})

it.each([4n ** 13n, 2n * 4n ** 13n, -(4n ** 13n)])(
  'refuses a path if its leaf index is off by %s',
  async (offset) => {
    const { position } = await locateNote(nodeOf(chain).rpc, poseidon, ticket)
    const shifted = { ...position, leafIndex: position.leafIndex + offset }
    const refused = locateNote(nodeOf(chain).rpc, poseidon, ticket, { position: shifted })
    await expect(refused).rejects.toMatchObject({
      code: 'PATH_OUTDATED',
      message: expect.stringContaining('outside the tree') as string,
    })
  },
)

it('is found at its first leaf in every way, if two leaves are equal', async () => {
  const twice = await new FakeChain().open()
  await twice.deposit(ticket.note, ticket.orderId)
  // Only the sender can make another deposit with the same leaf, for example a sender who was given one note twice.
  await twice.deposit(ticket.note, new Uint8Array(16).fill(4))
  const { rpc } = nodeOf(twice)
  const leaf = leafOfNote(poseidon, DOMAIN, ticket.note)
  expect(await indexAmongNewest(rpc, PROGRAM, leaf)).toBe(0n)
  for (const against of ['newest', 'checkpoint'] as const) {
    const { position } = await locateNote(rpc, poseidon, ticket, { against })
    expect(position.leafIndex).toBe(0n)
  }
})
