import {
  CLOSE_DELAY_SECONDS,
  closeOrderInstruction,
  decodeTicket,
  encodeTicket,
  NATIVE_MINT,
  orderAddress,
  ownerOf,
} from '@sotto/protocol'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { draftOrder, sendDeposit } from '../../../program/tests/fixtures/deposits.ts'
import { expectLanded } from '../../../program/tests/fixtures/pool.ts'
import { shifted } from '../../recovery/tests/shifted-clock.ts'
import { runShow } from '../src/commands/recover.ts'
import { PayingMachine, type Parts } from './paying-machine.ts'

let machine: PayingMachine
beforeAll(async () => {
  machine = await PayingMachine.start()
  machine.fixture.chain.setTime(BigInt(Math.floor(Date.now() / 1_000)))
})
afterAll(() => machine?.stop())

/** The JSON that `recover show` prints for a ticket. By default, the chain counts as a local one. */
async function shown(ticket: string, parts: Partial<Parts> = {}, isLocalChain = true) {
  const file = join(machine.home, 'ticket')
  await writeFile(file, ticket)
  const { context, results } = machine.contextOf(parts)
  await runShow({ ...context, settings: { ...context.settings, isLocalChain } }, file)
  return results[0]
}

it('shows the deposit of a balance, and the action that the clock allows', async () => {
  const ticket = await machine.open('a', 1_000_000_000n)
  expect(await shown(ticket)).toMatchObject({ deposit: 'paid', settled: null, possible: 'pay' })
  const never = { ...decodeTicket(ticket, ownerOf), orderId: new Uint8Array(16).fill(7) }
  expect(await shown(encodeTicket(never))).toMatchObject({ deposit: 'unknown', settled: null })
})

it("reports a deposit as unknown if another wallet used the order's id", async () => {
  const ticket = decodeTicket(await machine.open('b', 1_000_000_000n), ownerOf)
  const sender = machine.fixture.chain.program
  const others = { ...ticket, note: { ...ticket.note, sender } }
  expect(await shown(encodeTicket(others))).toMatchObject({ deposit: 'unknown', possible: 'pay' })
})

it('shows the possible action of a transfer if another wallet deposits under its id after its Order was closed', async () => {
  const { fixture } = machine
  const { chain } = fixture
  const life = 2n * CLOSE_DELAY_SECONDS
  const order = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: 1_000_000n, life })
  expectLanded(await sendDeposit(fixture, order))
  const { orderId, deadline, sender } = order.terms
  const ticket = encodeTicket({ program: chain.program, orderId, note: order.note })
  chain.setTime(deadline + CLOSE_DELAY_SECONDS)
  expect(await shown(ticket)).toMatchObject({ deposit: 'paid', possible: 'deliver' })
  const account = await orderAddress(chain.program, orderId)
  const closing = closeOrderInstruction(chain.program, [{ account, rentPayer: sender }])
  expectLanded(await chain.send([await chain.wallet()], [closing]))
  // Only a stolen authoriser key can sign a second deposit with the same id.
  const theft = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: 1n })
  const second = { ...theft, terms: { ...theft.terms, orderId } }
  expectLanded(await sendDeposit(fixture, second))
  expect(await shown(ticket)).toMatchObject({ deposit: 'unknown', possible: 'deliver' })
  // Before its own Order can be closed, the second deposit proves that no other one was made with this id.
  const { note } = theft
  const others = { ...note, sender: order.note.sender }
  const stranger = encodeTicket({ program: chain.program, orderId, note: others })
  expect(await shown(stranger)).toMatchObject({ deposit: 'taken', possible: 'nothing' })
})

it('does not show because of an impossible clock that nothing is possible any more', async () => {
  const { fixture, node } = machine
  const order = await draftOrder(fixture, { sourceMint: NATIVE_MINT, amountOut: 1_000_000n })
  expectLanded(await sendDeposit(fixture, order))
  const { program } = fixture.chain
  const transfer = encodeTicket({ program, orderId: order.terms.orderId, note: order.note })
  const rpc = shifted(node.rpc, 80n * 86_400n)
  for (const ticket of [transfer, await machine.open('c', 1_000_000_000n)]) {
    await expect(shown(ticket, { rpc }, false)).rejects.toMatchObject({ code: 'CLOCK_DIFFERS' })
    expect(await shown(ticket, { rpc })).toMatchObject({ possible: 'nothing' })
  }
})
