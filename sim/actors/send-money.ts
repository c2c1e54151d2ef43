import { breakRecipient, freezeBoth } from './break-recipient.ts'
import type { Customer } from './customer.ts'
import { closeAfterDeposit, turnRecipient } from './farm-rent.ts'
import { isPaid, payDeposit } from './pay-deposit.ts'
import { placeOrder } from './place-order.ts'
import { pollStatus } from './poll-status.ts'
import { settleWithTicket } from './settle-with-ticket.ts'

/** Lets a customer send their money, at a random time within the first minutes of the run. */
export function startCustomer(customer: Customer): void {
  const { stage, random } = customer
  stage.timeline.after(random.below(customer.startsWithinMs), () => {
    sendMoney(customer).catch((error: unknown) => stage.watch.fail('customer', String(error)))
  })
}

async function sendMoney(customer: Customer): Promise<void> {
  const order = await placeOrder(customer)
  customer.order = order
  if (order !== undefined) {
    breakRecipient(customer)
    const polled = pollStatus(customer, order)
    const paid = payDeposit(customer, order).then(() => {
      freezeBoth(customer, order.key)
      if (!isPaid(customer, order)) return
      closeAfterDeposit(customer)
      turnRecipient(customer)
    })
    if (customer.manner === 'holds_ticket') await settleWithTicket(customer, order)
    await Promise.all([polled, paid])
  }
  customer.hasEnded = true
}
