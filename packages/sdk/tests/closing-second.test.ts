import { closeOrderInstruction, encodeTicket, NATIVE_MINT, orderAddress } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { draftOrder, sendDeposit } from '../../../program/tests/fixtures/deposits.ts'
import { expectLanded, startPool } from '../../../program/tests/fixtures/pool.ts'
import { liteNode } from '../../recovery/tests/lite-node.ts'
import { memoryTickets, transfer, type TransferState } from '../wallet.ts'

const DAY = 86_400n
const isoOf = (seconds: bigint) => new Date(Number(seconds) * 1_000).toISOString()

/**
 * Resumes a paid transfer whose Order account is closed in the first second in which the program allows it. Returns the
 * step that was saved last.
 */
async function resumeClosed(stateOf: (deadline: bigint) => object): Promise<string | undefined> {
  const fixture = await startPool()
  const { chain } = fixture
  const { program } = chain
  const order = await draftOrder(fixture, {
    ...{ sourceMint: NATIVE_MINT, amountOut: 1_000_000_000n, fee: 1_000_000n, life: DAY },
  })
  expectLanded(await sendDeposit(fixture, order))
  const { orderId, deadline } = order.terms
  const account = await orderAddress(program, orderId)
  const payer = await chain.wallet()
  const closing = closeOrderInstruction(program, [{ account, rentPayer: order.sender.address }])
  chain.setTime(deadline + DAY)
  expectLanded(await chain.send([payer], [closing]))
  const trackingId = `tr_${Buffer.from(orderId).toString('base64url')}`
  const state = {
    ...{ request: { senderAddress: order.sender.address }, transferId: 'x', quote: {} },
    order: {
      ...{ trackingId, recovery: encodeTicket({ program, orderId, note: order.note }) },
      ...{ transaction: '', lastValidBlockHeight: '0' },
      ...{ expiration: isoOf(deadline), deliverBy: isoOf(order.note.expiry) },
    },
    ...stateOf(deadline),
  }
  const silent = () => Promise.reject(new Error('no answer'))
  const service = {
    ...{ quote: silent, createOrder: silent, refresh: silent, hintDeposit: silent, status: silent },
  }
  let saved: string | undefined
  const run = transfer({
    ...{ state: state as unknown as TransferState, service, programId: program, pollMs: 5 },
    ...{ rpc: liteNode(chain).rpc, signer: order.sender, approve: () => true },
    ...{ tickets: memoryTickets(), acceptedPrograms: [] },
    save: async ({ step }) => void (saved = step),
  })
  await expect(run).rejects.toThrow('no answer')
  return saved
}

it('a deposit whose Order is closed in the first allowed second is not reported as expired', async () => {
  const step = await resumeClosed(() => ({ step: 'deposited', signature: null, leafIndex: '0' }))
  expect(step).toBe('deposited')
})

it('a transfer whose Order is closed in the first allowed second is not reported as unpaid', async () => {
  const step = await resumeClosed((deadline) => ({
    ...{ step: 'unwinding', code: 'ORDER_EXPIRED', deadAfter: `${deadline}` },
  }))
  expect(step).toBe('deposited')
})
