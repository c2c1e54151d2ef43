import { amount, NATIVE_MINT, unixSeconds } from '@sotto/protocol'
import { byAnswer, type Attack } from './attack.ts'
import { forgeTicket } from './forge.ts'
import { THIEF, THIEF_ACCOUNT } from './thief.ts'

/** The transaction is honest, but the ticket would not get the money back. */
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
      recovery: forgeTicket(honest, { amountOut: amount(honest.terms.amountOut - 1n) }),
    },
  })),
  byAnswer('the ticket has another fee to give back', 'ticket', (honest) => ({
    order: { recovery: forgeTicket(honest, { feeBack: amount(honest.terms.fee + 1n) }) },
  })),
  byAnswer('the ticket has another expiry', 'ticket', (honest) => ({
    order: {
      recovery: forgeTicket(honest, { expiry: unixSeconds(honest.terms.expiry + 600n) }),
    },
  })),
  byAnswer('the ticket is for another order', 'ticket', (honest) => ({
    order: { recovery: forgeTicket(honest, {}, { orderId: new Uint8Array(16) }) },
  })),
  byAnswer('the ticket is for another program', 'ticket', (honest) => ({
    order: { recovery: forgeTicket(honest, {}, { program: NATIVE_MINT }) },
  })),
  byAnswer('the ticket can not be read', 'ticket', ({ order }) => ({
    order: { recovery: order.recovery.slice(0, -1) },
  })),
]
