import { tokenKey } from '../chain/ledger.ts'
import type { Customer } from './customer.ts'
import { DOLLAR_MINT } from './setting.ts'

const BREAKING_MS = 60_000

/**
 * Freezes both token accounts after the deposit: the sender's and the recipient's. While both are frozen, the service
 * can't deliver or refund the order.
 */
export function freezeBoth(customer: Customer, key: string): void {
  const { stage, request, sender, recipient, name } = customer
  if (request.destinationAssetId !== DOLLAR_MINT) return
  if (stage.chain.ledger.orders.read(key, Infinity) === undefined) return
  if (!stage.faults.fires('both_accounts_freeze', name)) return
  customer.isStuck = true
  stage.chain.intervene((ledger, position) => {
    for (const wallet of [sender, recipient]) {
      const before = ledger.tokens.read(tokenKey(DOLLAR_MINT, wallet), position)
      const { balance } = before ?? { balance: 0n }
      ledger.tokens.write(tokenKey(DOLLAR_MINT, wallet), position, { balance, isBlocked: true })
    }
  })
}

/** Thaws a sender's account, which was frozen for days. Then the service can pay the refund. */
export function thawSender({ stage, sender }: Customer): void {
  const key = tokenKey(DOLLAR_MINT, sender)
  stage.chain.intervene((ledger, position) => {
    const before = ledger.tokens.read(key, position) ?? { balance: 0n, isBlocked: false }
    ledger.tokens.write(key, position, { ...before, isBlocked: false })
  })
}

/** Freezes or closes the recipient's token account. Repairs it later with a probability of one half. */
export function breakRecipient(customer: Customer): void {
  const { stage, random, request, recipient, name, isExpected } = customer
  if (request.destinationAssetId !== DOLLAR_MINT || !isExpected) return
  if (!stage.faults.fires('recipient_breaks', name)) return
  const key = tokenKey(DOLLAR_MINT, recipient)
  const change = (state: 'frozen' | 'closed' | 'mended') =>
    stage.chain.intervene((ledger, position) => {
      if (customer.isStuck) return
      const before = ledger.tokens.read(key, position) ?? { balance: 0n, isBlocked: false }
      // The token program closes no account that holds money.
      const isClosed = state === 'closed' && before.balance === 0n
      const after = { ...before, isBlocked: state === 'frozen' }
      ledger.tokens.write(key, position, isClosed ? null : after)
    })
  stage.timeline.after(random.below(BREAKING_MS), () => change(random.pick(['frozen', 'closed'])))
  if (random.chance(0.5)) {
    stage.timeline.after(random.between(BREAKING_MS, 20 * BREAKING_MS), () => change('mended'))
  }
}
