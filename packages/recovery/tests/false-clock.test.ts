import { wasmPoseidon as poseidon } from '@sotto/poseidon'
import { beforeAll, expect, it } from 'vitest'
import { landNote, locateNote, type RecoveryRpc } from '../index.ts'
import { CLOCK_SYSVAR } from '../src/read-accounts.ts'
import { LandingStage } from './landing-stage.ts'
import { showingChanged } from './showing-pool-once.ts'

const DAY = 86_400n

let stage: LandingStage
beforeAll(async () => {
  stage = await LandingStage.start()
  stage.fixture.chain.setTime(BigInt(Math.floor(Date.now() / 1_000)))
})

interface Shown {
  readonly data: readonly [string, string]
}

/** A node whose clock differs from the chain's by so many seconds. */
function shifted(rpc: RecoveryRpc, seconds: bigint): RecoveryRpc {
  const change = (data: Buffer) => void data.writeBigInt64LE(data.readBigInt64LE(32) + seconds, 32)
  const falsified = (shown: Shown) => {
    const data = Buffer.from(shown.data[0], 'base64')
    change(data)
    return { ...shown, data: [data.toString('base64'), 'base64'] }
  }
  const getMultipleAccounts = (accounts: readonly string[], ...more: never[]) => ({
    send: async () => {
      const { context, value } = await rpc.getMultipleAccounts(accounts as never, ...more).send()
      const shown = value as unknown as (Shown | null)[]
      const own = shown.map((one, index) =>
        one !== null && accounts[index] === CLOCK_SYSVAR ? falsified(one) : one,
      )
      return { context, value: own }
    },
  })
  return new Proxy(showingChanged(rpc, CLOCK_SYSVAR, change, Infinity), {
    get: (whole, key) =>
      key === 'getMultipleAccounts' ? getMultipleAccounts : (Reflect.get(whole, key) as unknown),
  })
}

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
