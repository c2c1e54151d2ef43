import { decodeTicket, encodeTicket, ownerOf, type Ticket } from '@sotto/protocol'
import { beforeAll, expect, it } from 'vitest'
import { memoryBalance, restoreBalance } from '../balance.ts'
import { PayingStage } from './balance/live-balance.ts'

const VALUE = 1_000_000_000n

let stage: PayingStage
beforeAll(async () => {
  stage = await PayingStage.start()
})

it("a balance reports the chain's clock while it has money, when it is empty and after its end", async () => {
  const { chain } = stage.fixture
  const balance = await (await stage.open(VALUE)).reopen()
  chain.setTime(chain.time + 60n)
  expect(await balance.state()).toMatchObject({ status: 'open', clock: chain.time })
  const other = await (await stage.open(VALUE)).reopen()
  await balance.close({ kept: 0n })
  chain.setTime(chain.time + 60n)
  expect(await balance.state()).toMatchObject({ status: 'empty', clock: chain.time })
  chain.setTime((await other.state()).endsAt + 60n)
  expect(await other.state()).toMatchObject({ status: 'ended', clock: chain.time })
})

it('restoring a balance on a local chain believes a clock that differs from this machine’s', async () => {
  const { ticket } = await stage.open(VALUE)
  const { chain } = stage.fixture
  const { note, ...rest } = decodeTicket(ticket, ownerOf)
  const restore = (changed: Ticket, isLocalChain?: boolean) =>
    restoreBalance({
      ...{ ticket: encodeTicket(changed), store: memoryBalance(), isLocalChain },
      ...{ rpc: stage.node.rpc, programId: chain.program, approve: () => false },
      service: {} as never,
    })
  const unpaid = { ...rest, orderId: new Uint8Array(16), note: { ...note, nk: 5n } }
  chain.setTime(note.deadline + 1n)
  await expect(restore(unpaid)).rejects.toMatchObject({ code: 'CLOCK_DIFFERS' })
  await expect(restore(unpaid, true)).rejects.toMatchObject({ code: 'NEVER_DEPOSITED' })
  // The money of such an old note has returned, and the node doesn't show any more how.
  chain.setTime(note.expiry + 31n * 86_400n)
  await expect(restore({ ...rest, note })).rejects.toMatchObject({ code: 'CLOCK_DIFFERS' })
  await expect(restore({ ...rest, note }, true)).rejects.toMatchObject({ code: 'HISTORY_MISSING' })
})
