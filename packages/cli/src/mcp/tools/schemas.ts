import { z } from 'zod'

const AMOUNT =
  'in whole coins of the asset, as a decimal string such as "1.5": never base units, lamports or cents'

export const Key = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/)
  .describe(
    'Your own name for this payment, such as an invoice number: 1 to 64 letters, digits or . _ : -, beginning with a letter or digit. At most one payment is made for each key. Repeat a call with the same key; use a new key only for a new payment.',
  )

export const To = z.string().max(64).describe("The recipient's wallet: a Solana address in base58.")

export const Asset = z
  .string()
  .max(64)
  .describe(
    'The asset of the balance, as the tool "balance" names it. The server checks that you mean this asset.',
  )

export const Amount = z
  .string()
  .max(64)
  .describe(`What the recipient gets, ${AMOUNT}. Digits and at most one point. Fees come on top.`)

const decimal = (does: string) => z.string().describe(`${does}, ${AMOUNT}`)

export const BalanceResult = z.strictObject({
  balance: z.string().describe('Name of the balance that this server pays from.'),
  asset: z.string().describe('The asset of the balance: a symbol, or the mint address.'),
  mint: z.string(),
  decimals: z.int(),
  status: z.enum(['open', 'closed', 'empty', 'ended']),
  left: decimal('The remaining value'),
  endsAt: z.iso
    .datetime()
    .describe(
      'The end of the balance. After it, the rest can only return to the wallet that paid in.',
    ),
  limits: z.strictObject({
    maxPayment: decimal('The most that one payment may take from the balance, fees included'),
    maxDay: decimal('The most that all payments may take in any 24 hours, fees included'),
    leftToday: decimal('The most that may still be taken now, fees included'),
    confirmAbove: decimal(
      'A person must confirm every payment that takes more than this, fees included',
    ),
    recipients: z
      .array(z.string())
      .nullable()
      .describe('The only allowed recipients; null if any wallet may be paid.'),
  }),
})

export const QuoteResult = z.strictObject({
  asset: z.string(),
  amount: decimal('What the recipient would get'),
  fee: decimal('All fees'),
  total: decimal('What would leave the balance: amount and fees'),
  isWithinLimits: z.boolean().describe('False if "send" would refuse the payment now.'),
  needsConfirmation: z.boolean().describe('True if a person has to confirm the payment.'),
  suggestions: z
    .array(
      z.strictObject({
        amount: decimal('What the recipient would get'),
        crowd: z
          .int()
          .describe(
            'Number of wallets that could have made such a payment, as the service counts them, including the payer’s; 1 if the service counts no other wallet.',
          ),
      }),
    )
    .describe(
      'Round amounts near the requested one. Round amounts stand out a little less than odd ones; it is not known whether others pay these amounts now. They are only a hint: never change an amount that a person has named.',
    ),
  recipientPaidBefore: z
    .boolean()
    .describe(
      'True if this recipient was paid through the service before. If this wallet made one of those payments, each further payment to this recipient makes it easier to find the wallet.',
    ),
  linkableUntil: z.iso
    .datetime()
    .nullable()
    .describe(
      'Until this time, anyone can guess from the time of a payment which wallet paid into the balance. Null if that time has passed.',
    ),
  payAt: z.iso
    .datetime()
    .nullable()
    .describe(
      'If the payment can wait, make it at this moment. The moment is drawn at random within some hours after linkableUntil, because anyone can compute linkableUntil itself. Null if linkableUntil is null.',
    ),
})

export const PaymentResult = z.strictObject({
  key: z.string(),
  state: z
    .enum(['asked', 'declined', 'sending', 'paid', 'not_paid', 'unknown', 'uncertain'])
    .describe(
      'asked: the payment waits for a person. declined: a person has declined it. sending: it is under way; call "status" again. paid: it is proven on the chain, and final. not_paid: it was not made, and no attempt so far can still make it. unknown: nothing shows whether it was paid; a person must check it, so never pay it under another key. uncertain: the chain shows an equal payment that the balance has no record of, so this server never makes the payment with this key; a person must check it, so never pay it under another key.',
    ),
  to: z.string(),
  asset: z.string(),
  amount: decimal('What the recipient gets'),
  fee: decimal('All fees that were paid').nullable(),
  trackingId: z.string().nullable(),
  signature: z.string().nullable().describe('Signature of the transaction that paid.'),
  changedAt: z.iso.datetime(),
})

export const StatusResult = z.strictObject({
  payments: z.array(PaymentResult).describe('Newest first.'),
})
