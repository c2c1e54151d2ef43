import { decodeTicket, encodeTicket, ownerOf } from '@sotto/protocol'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runShow } from '../src/commands/recover.ts'
import { PayingMachine } from './paying-machine.ts'

let machine: PayingMachine
beforeAll(async () => {
  machine = await PayingMachine.start()
})
afterAll(() => machine?.stop())

/** The JSON that `recover show` prints for a ticket. */
async function shown(ticket: string): Promise<unknown> {
  const file = join(machine.home, 'ticket')
  await writeFile(file, ticket)
  const { context, results } = machine.contextOf()
  await runShow(context, file)
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
