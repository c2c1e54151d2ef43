import { generateKeyPairSigner } from '@solana/kit'
import { amount } from '@sotto/protocol'
import { beforeAll, expect, it } from 'vitest'
import { landNote, landPayment, LandingError, type RecoveryRpc } from '../index.ts'
import { landCopy } from './copied-proof.ts'
import { LandingStage } from './landing-stage.ts'

const PAYOUT = amount(300_000_000n)

let stage: LandingStage
beforeAll(async () => {
  stage = await LandingStage.start()
})

const wallet = async () => (await generateKeyPairSigner()).address

/** A node that passes the bytes of each transaction to `saw` before it accepts them. */
const watchedBy = (rpc: RecoveryRpc, saw: (wire: string) => Promise<void>): RecoveryRpc =>
  new Proxy(rpc, {
    get: (whole, key) => {
      if (key !== 'sendTransaction') return Reflect.get(whole, key) as unknown
      return (...asked: Parameters<RecoveryRpc['sendTransaction']>) => ({
        send: async (options: object) => {
          await saw(asked[0])
          return whole.sendTransaction(...asked).send(options)
        },
      })
    },
  })

it('says until when the proof of a dropped payment may land in another transaction', async () => {
  const ticket = await stage.deposit('balance')
  const { use, landing, congested } = await stage.through(ticket)
  const wires: string[] = []
  const rpc = watchedBy(congested.rpc, async (wire) => void wires.push(wire))
  const payee = await wallet()
  const limits = { priorityFeeMaxLamports: amount(256n) }
  const request = { ...use, ...limits, rpc, payee, payout: PAYOUT, again: true }
  const error = await landPayment(request, landing).catch((one: unknown) => one)
  if (!(error instanceof LandingError)) throw error
  expect(error.code).toBe('SETTLEMENT_UNKNOWN')
  expect(error.message).toContain(new Date(Number(error.until) * 1_000).toISOString())
  expect(error.message).toContain(error.nullifier)
  const { chain } = stage.fixture
  expect([error.until > chain.time, chain.data(error.nullifier)]).toEqual([true, undefined])
  await landCopy(stage, wires[0]!)
  expect(chain.balance(payee)).toBe(PAYOUT)
  expect(chain.data(error.nullifier)).toBeDefined()
})

it.each(['land', 'spent'] as const)(
  'reports a payment as made if a stranger landed its proof first, and the node says: %s',
  async (verdict) => {
    const ticket = await stage.deposit('balance')
    const { use, landing, congested } = await stage.through(ticket, verdict)
    let isCopied = false
    const rpc = watchedBy(congested.rpc, async (wire) => {
      if (!isCopied) await landCopy(stage, wire)
      isCopied = true
    })
    const payee = await wallet()
    const request = { ...use, rpc, payee, payout: PAYOUT, again: true }
    await expect(landPayment(request, landing)).rejects.toMatchObject({
      code: 'PAID_BEFORE',
      paid: { payee },
    })
    expect(stage.fixture.chain.balance(payee)).toBe(PAYOUT)
  },
)

it('does not call a settlement landed while its Nullifier does not exist', async () => {
  const ticket = await stage.deposit('transfer')
  const { use, landing, congested } = await stage.through(ticket)
  const landed = { err: null, confirmationStatus: 'confirmed' }
  const rpc = new Proxy(congested.rpc, {
    get: (whole, key) =>
      key === 'getSignatureStatuses'
        ? () => ({ send: async () => ({ context: { slot: 1n }, value: [landed] }) })
        : (Reflect.get(whole, key) as unknown),
  })
  const delivered = landNote({ ...use, rpc, kind: 'deliver' }, landing)
  await expect(delivered).rejects.toMatchObject({ code: 'SETTLEMENT_UNKNOWN' })
})

it("pays only if the node's clock is within an hour of the machine's", async () => {
  const { chain } = stage.fixture
  const now = () => BigInt(Math.floor(Date.now() / 1_000))
  chain.setTime(now())
  const ticket = await stage.deposit('balance')
  const { use, landing, congested } = await stage.through(ticket, 'land')
  const payee = await wallet()
  const pay = () => landPayment({ ...use, isLocalChain: false, payee, payout: PAYOUT }, landing)
  for (const seconds of [3_700n, -3_700n]) {
    chain.setTime(now() + seconds)
    await expect(pay()).rejects.toMatchObject({ code: 'CLOCK_DIFFERS' })
  }
  expect(congested.arrivals.size).toBe(0)
  chain.setTime(now())
  await pay()
  expect(chain.balance(payee)).toBe(PAYOUT)
})
