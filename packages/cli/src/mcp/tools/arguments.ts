import type { Amount } from '@sotto/protocol'
import { readAmount } from '../payments/read-amount.ts'
import { assertWallet, readRecipient } from '../payments/check-recipient.ts'
import type { OpenDesk } from '../open-desk.ts'
import type { PaidAsset } from '../paid-asset.ts'
import { ToolError } from '../tool-error.ts'

export interface PaymentArguments {
  readonly to: string
  readonly amount: string
  readonly asset: string
}

/** Reads an agent's arguments exactly, without correcting them. @throws ToolError. */
export async function readPayment({ asset, desk, rpc }: OpenDesk, given: PaymentArguments) {
  assertAsset(asset, given.asset)
  const amount = unitsOf(given.amount, asset)
  const to = readRecipient(given.to, desk.limits.recipients)
  await assertWallet(rpc, to)
  return { to, amount }
}

function assertAsset({ name, mint }: PaidAsset, given: string): void {
  if (given === name || given === mint) return
  const message = `this balance is in ${name}, and can pay nothing else`
  throw new ToolError('ASSET_UNKNOWN', message, `give the asset as ${name}`)
}

function unitsOf(text: string, { name, decimals }: PaidAsset): Amount {
  const read = readAmount(text, decimals)
  const fail = (message: string, next: string) => new ToolError('AMOUNT_INVALID', message, next)
  switch (read.kind) {
    case 'amount':
      if (read.amount > 0n) return read.amount
      throw fail('the amount is 0', 'give an amount above 0')
    case 'too_precise':
      throw fail(`${name} has ${decimals} decimals, and the amount has more`, 'give fewer decimals')
    case 'too_large':
      throw fail('the amount is more than any account can hold', 'give a smaller amount')
    case 'malformed':
      throw fail(
        'the amount is not a plain decimal number',
        `give whole coins of ${name} as digits with at most one point, such as "1.5"`,
      )
  }
}
