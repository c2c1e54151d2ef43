import {
  generateKeyPairSigner,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE as PREFLIGHT,
  SolanaError,
} from '@solana/kit'
import { amount } from '@sotto/protocol'
import { beforeAll, expect, it } from 'vitest'
import { landPayment, type RecoveryRpc } from '../index.ts'
import { landCopy } from './copied-proof.ts'
import { LandingStage } from './landing-stage.ts'

const PAYOUT = amount(300_000_000n)

let stage: LandingStage
beforeAll(async () => {
  stage = await LandingStage.start()
})

const wallet = async () => (await generateKeyPairSigner()).address

/** A node that answers some methods differently. */
const answering = (rpc: RecoveryRpc, own: Record<string, (...all: never[]) => unknown>) =>
  new Proxy(rpc, {
    get: (whole, key) => own[String(key)] ?? (Reflect.get(whole, key) as unknown),
  })

it('says that a payment may land if the node hides the tree before the second try', async () => {
  const ticket = await stage.deposit('balance')
  const { use, landing, congested, steps } = await stage.through(ticket)
  const { tree, chain } = stage.fixture
  const wires: string[] = []
  const { rpc: inner } = congested
  const rpc = answering(inner, {
    sendTransaction: (wire: never, ...more: never[]) => {
      wires.push(wire)
      return inner.sendTransaction(wire, ...more)
    },
    getAccountInfo: (account: never, ...more: never[]) =>
      account === tree && steps.some(({ kind }) => kind === 'dead')
        ? { send: async () => ({ context: { slot: 1n }, value: null }) }
        : inner.getAccountInfo(account, ...more),
  })
  const payee = await wallet()
  const paid = landPayment({ ...use, rpc, payee, payout: PAYOUT }, landing)
  await expect(paid).rejects.toMatchObject({
    code: 'SETTLEMENT_UNKNOWN',
    message: expect.stringContaining("the pool's tree is not on this cluster") as string,
    cause: { code: 'WRONG_CLUSTER' },
  })
  await landCopy(stage, wires[0]!)
  expect(chain.balance(payee)).toBe(PAYOUT)
})

it('says that the first payment may land if the call is aborted during the second proof', async () => {
  const ticket = await stage.deposit('balance')
  const { use, landing, steps } = await stage.through(ticket)
  const stopping = new AbortController()
  const prove = (inputs: Parameters<typeof use.prove>[0]) => {
    if (steps.length > 0) stopping.abort(new Error('stopped'))
    return use.prove(inputs)
  }
  const asked = { ...use, prove, payee: await wallet(), payout: PAYOUT }
  const paid = landPayment(asked, { ...landing, signal: stopping.signal })
  await expect(paid).rejects.toMatchObject({
    code: 'SETTLEMENT_UNKNOWN',
    message: expect.not.stringContaining('stopped') as string,
  })
})

it('says that a payment may land although the node says that it refused it', async () => {
  const ticket = await stage.deposit('balance')
  const { use, landing } = await stage.through(ticket)
  const { rpc: honest } = stage.node
  const context = { accounts: null, innerInstructions: null, logs: [], returnData: null }
  const rpc = answering(use.rpc, {
    sendTransaction: (wire: never, ...more: never[]) => ({
      send: async () => {
        await honest.sendTransaction(wire, ...more).send()
        throw new SolanaError(PREFLIGHT, { ...context, unitsConsumed: 0n } as never)
      },
    }),
  })
  const payee = await wallet()
  const paid = landPayment({ ...use, rpc, payee, payout: PAYOUT }, landing)
  await expect(paid).rejects.toMatchObject({ code: 'SETTLEMENT_UNKNOWN' })
  expect(stage.fixture.chain.balance(payee)).toBe(PAYOUT)
})

it('throws the error of the caller if that error comes before the payment is sent', async () => {
  const ticket = await stage.deposit('balance')
  const { use, landing, congested } = await stage.through(ticket, 'land')
  const onStep = () => {
    throw new Error('the disk is full')
  }
  const asked = { ...use, payee: await wallet(), payout: PAYOUT }
  await expect(landPayment(asked, { ...landing, onStep })).rejects.toThrow(/^the disk is full$/)
  expect(congested.arrivals.size).toBe(0)
})

it('says that a payment may land although the node says that it failed on chain', async () => {
  const ticket = await stage.deposit('balance')
  const { use, landing } = await stage.through(ticket, 'land')
  const failed = { err: 'AccountInUse', confirmationStatus: 'finalized' }
  const rpc = answering(use.rpc, {
    getSignatureStatuses: () => ({ send: async () => ({ value: [failed] }) }),
  })
  const payee = await wallet()
  const paid = landPayment({ ...use, rpc, payee, payout: PAYOUT }, landing)
  await expect(paid).rejects.toMatchObject({
    code: 'SETTLEMENT_FAILED',
    message: expect.stringMatching(
      /may also land later, until .* if the account .* exists/,
    ) as string,
  })
  expect(stage.fixture.chain.balance(payee)).toBe(PAYOUT)
})
