import { generateKeyPairSigner } from '@solana/kit'
import { wasmPoseidon as poseidon } from '@sotto/poseidon'
import {
  amount,
  CLOSE_DELAY_SECONDS,
  closeOrderInstruction,
  NATIVE_MINT,
  orderAddress,
  ORDER_BYTES,
  type Ticket,
} from '@sotto/protocol'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectLanded } from '../../../program/tests/fixtures/pool.ts'
import { locateNote, newestOfBalance, payFromBalance } from '../index.ts'
import { FakeChain, note, PROGRAM, TREE } from './fake-chain.ts'
import { nodeOf } from './fake-node.ts'
import { LandingStage } from './landing-stage.ts'
import { alwaysShowingChanged } from './shifted-clock.ts'
import { showingChanged } from './showing-pool-once.ts'

const MISSING = { code: 'HISTORY_MISSING' }

describe('a deposit that the node shows after its tree', () => {
  const ticket: Ticket = { program: PROGRAM, orderId: new Uint8Array(16).fill(3), note: note() }
  let chain: FakeChain
  let earlier: unknown
  beforeEach(async () => {
    chain = await new FakeChain().open()
    chain.fill([1n, 2n, 3n])
    earlier = chain.answer('getAccountInfo', [TREE])
  })

  /** Lands the deposit with its Order. */
  async function deposit() {
    await chain.deposit(ticket.note, ticket.orderId)
    const data = new Uint8Array(ORDER_BYTES)
    data[0] = 4
    chain.accounts.set(await orderAddress(PROGRAM, ticket.orderId), { owner: PROGRAM, data })
  }

  /**
   * Locates the note with a node that shows the first three leaves in its first `times` answers about the tree. Then
   * `land` runs.
   */
  async function find(times: number, land = () => Promise.resolve()) {
    let left = times
    const answer = async (method: string, params: readonly unknown[]) => {
      if (method !== 'getAccountInfo' || params[0] !== TREE || left === 0) {
        return chain.answer(method, params)
      }
      left -= 1
      if (left === 0) await land()
      return earlier
    }
    return locateNote(nodeOf({ answer }).rpc, poseidon, ticket, { isLocalChain: true })
  }

  it('is found if it lands while the tree is searched', async () => {
    const found = await find(2, deposit)
    expect(found.position.leafIndex).toBe(3n)
  })

  it.each(['open', 'closed'])(
    'is not reported as never made or as another deposit if the tree lags: its Order is %s',
    async (order) => {
      await deposit()
      chain.clock = Number(ticket.note.deadline) + 1
      if (order === 'closed') chain.accounts.delete(await orderAddress(PROGRAM, ticket.orderId))
      await expect(find(Infinity)).rejects.toMatchObject(MISSING)
    },
  )
})

describe('a payment that the node shows after its tree', () => {
  let stage: LandingStage
  beforeAll(async () => {
    stage = await LandingStage.start()
  })

  it.each(['open', 'closed'])(
    'is not reported as a ticket that leads to no money: the Order of the balance is %s',
    async (order) => {
      const { chain, tree } = stage.fixture
      const ticket = await stage.deposit('balance', NATIVE_MINT, 3n * CLOSE_DELAY_SECONDS)
      if (order === 'closed') {
        chain.setTime(ticket.note.deadline + CLOSE_DELAY_SECONDS)
        const account = await orderAddress(chain.program, ticket.orderId)
        const closing = closeOrderInstruction(chain.program, [
          { account, rentPayer: ticket.note.sender },
        ])
        expectLanded(await chain.send([await chain.wallet()], [closing]))
      }
      const { use } = await stage.through(ticket)
      const { rpc } = stage.node
      const payee = (await generateKeyPairSigner()).address
      const stale = Buffer.from(chain.data(tree)!)
      const paid = await payFromBalance({ ...use, rpc, payee, payout: amount(1_000_000n) })
      expect((await newestOfBalance({ ...use, rpc })).ticket.note).toEqual(paid.ticket.note)
      const lagging = showingChanged(rpc, tree, (data) => void stale.copy(data), Infinity)
      await expect(newestOfBalance({ ...use, rpc: lagging })).rejects.toMatchObject(MISSING)
      // The ticket of the rest alone doesn't show that it is one. So the error must leave that open.
      const all = alwaysShowingChanged(rpc, tree, (data) => void stale.copy(data))
      const rest = newestOfBalance({ ...use, rpc: all, ticket: paid.ticket })
      await expect(rest).rejects.toMatchObject({
        code: order === 'closed' ? 'NEVER_DEPOSITED' : 'TICKET_DIFFERS',
        message: expect.stringContaining('an earlier ticket of the balance') as string,
      })
      await expect(rest).rejects.not.toThrow('recovers nothing')
    },
  )
})
