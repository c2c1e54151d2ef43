import { wasmPoseidon as poseidon } from '@sotto/poseidon'
import { beforeAll, expect, it } from 'vitest'
import { landNote, locateNote } from '../index.ts'
import { LandingStage } from './landing-stage.ts'
import { shifted } from './shifted-clock.ts'

const DAY = 86_400n

let stage: LandingStage
beforeAll(async () => {
  stage = await LandingStage.start()
  stage.fixture.chain.setTime(BigInt(Math.floor(Date.now() / 1_000)))
})

it.each([
  ['deliver', 70n * DAY, 'TOO_LATE'],
  ['refund', 70n * DAY, 'WINDOW_OVER'],
  ['refund', -DAY, 'TOO_EARLY'],
] as const)(
  'does not refuse a settlement because of an impossible clock: %s, %i s',
  async (kind, seconds, code) => {
    const ticket = await stage.deposit('transfer')
    const { use, landing } = await stage.through(ticket, 'land')
    const rpc = shifted(use.rpc, seconds)
    const settle = (isLocalChain: boolean) => landNote({ ...use, rpc, kind, isLocalChain }, landing)
    await expect(settle(false)).rejects.toMatchObject({ code: 'CLOCK_DIFFERS' })
    await expect(settle(true)).rejects.toMatchObject({ code })
  },
)

it('does not say because of an impossible clock that a signed deposit can’t land any more', async () => {
  const ticket = await stage.deposit('transfer')
  const unpaid = {
    ...ticket,
    orderId: new Uint8Array(16).fill(1),
    note: { ...ticket.note, nk: 5n },
  }
  const locate = (isLocalChain: boolean) =>
    locateNote(shifted(stage.node.rpc, DAY), poseidon, unpaid, { isLocalChain })
  await expect(locate(false)).rejects.toMatchObject({ code: 'CLOCK_DIFFERS' })
  await expect(locate(true)).rejects.toMatchObject({ code: 'NEVER_DEPOSITED' })
})

it('does not give up a balance’s note because of an impossible clock', async () => {
  const ticket = await stage.deposit('balance')
  const { use, landing } = await stage.through(ticket, 'land')
  const rpc = shifted(use.rpc, 70n * DAY)
  const refund = (isLocalChain: boolean) =>
    landNote({ ...use, rpc, kind: 'refund', isLocalChain }, landing)
  await expect(refund(false)).rejects.toMatchObject({ code: 'CLOCK_DIFFERS' })
  await expect(refund(true)).rejects.toMatchObject({ code: 'HISTORY_MISSING' })
})
