import { address } from '@solana/kit'
import { expect, it } from 'vitest'
import { amount, decodeTicket, encodeTicket, unixSeconds, type Ticket } from '../index.ts'

const ticket: Ticket = {
  program: address('So11111111111111111111111111111111111111112'),
  orderId: new Uint8Array(16).fill(7),
  note: {
    nk: 123456789n,
    recipient: address('Ed25519SigVerify111111111111111111111111111'),
    sender: address('Sysvar1nstructions1111111111111111111111111'),
    mint: address('So11111111111111111111111111111111111111112'),
    amountOut: amount(18_446_744_073_709_551_615n),
    feeBack: amount(0n),
    expiry: unixSeconds(1_800_000_000n),
  },
}

it('a ticket survives being written and read', () => {
  expect(decodeTicket(encodeTicket(ticket))).toEqual(ticket)
})

it('a ticket with any one character changed is refused rather than misread', () => {
  const text = encodeTicket(ticket)
  for (let index = 'sotto1_'.length; index < text.length; index += 1) {
    const other = text[index] === 'A' ? 'B' : 'A'
    const changed = text.slice(0, index) + other + text.slice(index + 1)
    expect(() => decodeTicket(changed), `character ${index}`).toThrow(/ticket/)
  }
})
