import { generateKeyPairSigner } from '@solana/kit'
import { amount, decodeTicket, encodeTicket, ownerOf } from '@sotto/protocol'
import { newestOfBalance, payFromBalance, settleNote } from '@sotto/recovery'
import { beforeAll, expect, it } from 'vitest'
import { LandingStage } from '../../recovery/tests/landing-stage.ts'
import { explainFailure } from '../src/explain-failure.ts'

let stage: LandingStage
beforeAll(async () => {
  stage = await LandingStage.start()
})

const failureOf = async (failing: Promise<unknown>) =>
  explainFailure(await failing.catch((error: unknown) => error), false)

it('a balance that has made a payment is not reported as empty', async () => {
  const ticket = await stage.deposit('balance')
  const { use } = await stage.through(ticket)
  const { rpc } = stage.node
  const payee = (await generateKeyPairSigner()).address
  const paid = await payFromBalance({ ...use, rpc, payee, payout: amount(1_000_000n) })
  // The service returns such a ticket: it lacks the owner's secret.
  const served = decodeTicket(encodeTicket({ ...ticket, secret: undefined }), ownerOf)
  const refund = settleNote({ ...use, rpc, ticket: served, kind: 'refund' })
  const { message, next, exitCode } = await failureOf(refund)
  expect(message).toContain('use a newer ticket')
  expect(message).toContain(paid.signature)
  expect(message).not.toContain('nothing is left')
  expect(next).toContain('use a newer ticket')
  expect(exitCode).toBe(9)
})

it('a balance that has paid everything is reported as spent, with the last payment', async () => {
  const ticket = await stage.deposit('balance')
  const { use } = await stage.through(ticket)
  const { rpc } = stage.node
  const payee = (await generateKeyPairSigner()).address
  const paid = await payFromBalance({ ...use, rpc, payee, payout: ticket.note.value })
  const { message } = await failureOf(newestOfBalance({ ...use, rpc }))
  expect(message).toContain('this balance is spent: nothing is left to pay')
  expect(message).toContain(`paid to ${payee}`)
  expect(message).toContain(paid.signature)
})
