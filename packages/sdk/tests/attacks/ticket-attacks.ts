import { amount, NATIVE_MINT, unixSeconds, type Claim } from '@sotto/protocol'
import { byAnswer, type Attack } from './attack.ts'
import { forgeTicket, noteOf } from './forge.ts'
import { THIEF, THIEF_ACCOUNT } from './thief.ts'

/** The claim of a balance. The owner's public key is the generator of the curve's subgroup. */
const BALANCE: Claim = {
  kind: 'balance',
  owner: {
    x: 5299619240641551281634865583518297030282874472190772894086521144482721001553n,
    y: 16950150798460657717958625567821834550301663161624707787222815936182638968203n,
  },
}

/** Attacks with an honest transaction and a ticket that can't get the money back. */
export const ticketAttacks: readonly Attack[] = [
  byAnswer('the ticket has another key', 'commitment', (honest) => ({
    order: { recovery: forgeTicket(honest, { nk: 5n }) },
  })),
  byAnswer('the ticket has another recipient', 'ticket', (honest) => ({
    order: { recovery: forgeTicket(honest, { recipient: THIEF }) },
  })),
  byAnswer('the ticket has another sender', 'ticket', (honest) => ({
    order: { recovery: forgeTicket(honest, { sender: THIEF }) },
  })),
  byAnswer('the ticket has another asset', 'ticket', (honest) => ({
    order: { recovery: forgeTicket(honest, { mint: THIEF_ACCOUNT }) },
  })),
  byAnswer('the ticket has another amount', 'ticket', (honest) => ({
    order: {
      recovery: forgeTicket(honest, { amountOut: amount(honest.expected.amountOut - 1n) }),
    },
  })),
  byAnswer(
    'the ticket has another value',
    'ticket',
    (honest) => ({
      order: { recovery: forgeTicket(honest, { value: amount(honest.terms.value - 1n) }) },
    }),
    'send',
  ),
  byAnswer(
    'the ticket of a swap has another value',
    'value',
    (honest) => ({
      order: { recovery: forgeTicket(honest, { value: amount(honest.terms.value - 1n) }) },
    }),
    'swap',
  ),
  byAnswer('the ticket has another deadline', 'ticket', (honest) => ({
    order: {
      recovery: forgeTicket(honest, { deadline: unixSeconds(honest.terms.deadline + 600n) }),
    },
  })),
  byAnswer('the ticket has another expiry', 'ticket', (honest) => ({
    order: {
      recovery: forgeTicket(honest, { expiry: unixSeconds(noteOf(honest).expiry + 600n) }),
    },
  })),
  byAnswer('the ticket is for another order', 'ticket', (honest) => ({
    order: { recovery: forgeTicket(honest, {}, { orderId: new Uint8Array(16) }) },
  })),
  byAnswer('the ticket is for another program', 'ticket', (honest) => ({
    order: { recovery: forgeTicket(honest, {}, { program: NATIVE_MINT }) },
  })),
  byAnswer('the ticket cannot be read', 'ticket', ({ order }) => ({
    order: { recovery: order.recovery.slice(0, -1) },
  })),
  byAnswer("the ticket is a balance's", 'ticket', (honest) => {
    const note = { ...noteOf(honest), claim: BALANCE }
    return { order: { recovery: forgeTicket(honest, {}, { note, secret: 7n }) } }
  }),
]
