import { NATIVE_MINT } from '@sotto/protocol'
import { tokenKey } from '../chain/ledger.ts'
import type { Transaction } from '../chain/transaction.ts'
import type { Customer } from './customer.ts'
import { DOLLAR_MINT } from './setting.ts'

/** A sender who closes an account reopens it after this time. */
const PATIENCE_MS = 5_400_000

/**
 * A recipient closes their empty account after the service has read it and before the delivery lands. The recipient
 * can time this, because anyone can see the broadcast transaction.
 */
export function closeOnDelivery(customer: Customer, { message }: Transaction): void {
  const { recipient, stage, isExpected, name } = customer
  if (message.kind !== 'settle' || message.mint !== DOLLAR_MINT || customer.isStuck) return
  if (message.settlement.payee !== recipient || !isExpected) return
  if (stage.faults.fires('recipient_farms_rent', name)) close(customer, recipient)
}

/**
 * A sender closes the token account to which a refund would go, and also makes the delivery impossible. Then the
 * service can only refund the order, and the refund fails until the account is open again. The sender reopens the
 * account long after the refund was due.
 */
export function closeAfterDeposit(customer: Customer): void {
  const { stage, sender, recipient, request, name } = customer
  if (request.destinationAssetId !== DOLLAR_MINT || customer.isStuck) return
  if (!stage.faults.fires('sender_farms_rent', name)) return
  const key = tokenKey(DOLLAR_MINT, sender)
  const kept = stage.chain.ledger.tokens.read(key, Infinity)
  // The sender first moves the account's remaining balance to another account.
  stage.chain.intervene((ledger, position) => {
    ledger.tokens.write(`${key} elsewhere`, position, kept ?? null)
    ledger.tokens.write(key, position, null)
    const paid = tokenKey(DOLLAR_MINT, recipient)
    const { balance } = ledger.tokens.read(paid, position) ?? { balance: 0n }
    ledger.tokens.write(paid, position, { balance, isBlocked: true })
  })
  stage.timeline.after(PATIENCE_MS, () => {
    stage.chain.intervene((ledger, position) => {
      const now = ledger.tokens.read(key, position)
      const balance = (kept?.balance ?? 0n) + (now?.balance ?? 0n)
      ledger.tokens.write(`${key} elsewhere`, position, null)
      ledger.tokens.write(key, position, { balance, isBlocked: false })
    })
  })
}

/** After the deposit, a recipient of lamports turns their wallet's address into a token account. */
export function turnRecipient({ stage, request, recipient, name }: Customer): void {
  if (request.destinationAssetId !== NATIVE_MINT) return
  if (!stage.faults.fires('recipient_turns', name)) return
  stage.chain.intervene((ledger, position) => ledger.turned.write(recipient, position, true))
}

function close({ stage }: Customer, wallet: string): void {
  stage.chain.intervene((ledger, position) => {
    const key = tokenKey(DOLLAR_MINT, wallet)
    if (ledger.tokens.read(key, position)?.balance === 0n) ledger.tokens.write(key, position, null)
  })
}
