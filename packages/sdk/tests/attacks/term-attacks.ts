import type { Quote } from '@sotto/contract'
import { addressBytes, amount, NATIVE_MINT, unixSeconds, type UnixSeconds } from '@sotto/protocol'
import { byAnswer, byTransaction, type Attack } from './attack.ts'
import { forgeInner, forgeTicket, noteOf, type NoteChange } from './forge.ts'
import type { HonestOrder } from './honest-order.ts'
import { THIEF, THIEF_ACCOUNT } from './thief.ts'

const iso = (seconds: bigint) => new Date(Number(seconds) * 1_000).toISOString()
const stolen: NoteChange = { nk: 123_456_789n, recipient: THIEF }
/**
 * Replaces the deposit's note by a note that pays someone else, or that differs in another part that the deposit hides.
 */
const withNote = (changeOf: (honest: HonestOrder) => NoteChange) => (honest: HonestOrder) => ({
  terms: { inner: forgeInner(honest, changeOf(honest)) },
})
/** Changes the time at which the note expires. All of the service's statements agree with that time. */
const expiring = (name: string, expiryOf: (honest: HonestOrder) => bigint): Attack => {
  const changeOf = (honest: HonestOrder): { expiry: UnixSeconds } => ({
    expiry: unixSeconds(expiryOf(honest)),
  })
  return byTransaction(
    `${name}, and order and ticket agree`,
    'expiry',
    withNote(changeOf),
    (honest) => {
      const change = changeOf(honest)
      const recovery = forgeTicket(honest, change)
      return { order: { deliverBy: iso(change.expiry), recovery } }
    },
  )
}

const more = (text: string) => `${BigInt(text) + 1n}`
/** A quote whose network fee is one base unit higher. Its sums are correct. */
const dearer = ({ feeBreakdown, fee, networkFee }: Quote): Partial<Quote> => ({
  fee: more(fee),
  networkFee: more(networkFee),
  feeBreakdown: { ...feeBreakdown, networkFee: more(networkFee) },
})

/** Changes most terms twice: first alone, and then with all of the service's statements changed to match. */
export const termAttacks: readonly Attack[] = [
  byTransaction(
    'the recipient is the thief',
    'commitment',
    withNote(() => stolen),
  ),
  byTransaction(
    'the recipient is the thief, and the ticket agrees',
    'ticket',
    withNote(() => stolen),
    (honest) => ({ order: { recovery: forgeTicket(honest, stolen) } }),
  ),
  byTransaction(
    'the recipient is the thief, but the ticket names the real recipient',
    'commitment',
    withNote(() => stolen),
    (honest) => ({ order: { recovery: forgeTicket(honest, { nk: 123_456_789n }) } }),
  ),
  byTransaction('amountIn is one greater', 'amount_in', ({ terms }) => ({
    terms: { amountIn: amount(terms.amountIn + 1n) },
  })),
  byTransaction(
    'amountIn and fee are one greater, and order and quote agree',
    'amount_in',
    ({ terms }) => ({
      terms: { amountIn: amount(terms.amountIn + 1n), value: amount(terms.value + 1n) },
    }),
    ({ quote }) => {
      const amountIn = more(quote.amountIn)
      return { order: { amountIn }, quote: { amountIn, ...dearer(quote) } }
    },
  ),
  byTransaction(
    'the note pays one less',
    'commitment',
    withNote(({ expected }) => ({ amountOut: amount(expected.amountOut - 1n) })),
  ),
  byTransaction(
    'the note pays one less, and the ticket agrees',
    'ticket',
    withNote(({ expected }) => ({ amountOut: amount(expected.amountOut - 1n) })),
    (honest) => {
      const amountOut = amount(honest.expected.amountOut - 1n)
      return { order: { recovery: forgeTicket(honest, { amountOut }) } }
    },
  ),
  byAnswer('amountOut of the answer is one less', 'amount_out', ({ order }) => ({
    order: { amountOut: `${BigInt(order.amountOut) - 1n}` },
  })),
  byTransaction(
    'amountOut is one less and the fee one greater, and order, quote and ticket agree',
    'amount_out',
    withNote(({ expected }) => ({ amountOut: amount(expected.amountOut - 1n) })),
    (honest) => {
      const amountOut = amount(honest.expected.amountOut - 1n)
      const recovery = forgeTicket(honest, { amountOut })
      const said = { amountOut: `${amountOut}` }
      return { order: { ...said, recovery }, quote: { ...said, ...dearer(honest.quote) } }
    },
    'send',
  ),
  byAnswer("the order's amountIn is one greater", 'amount_in', ({ order }) => ({
    order: { amountIn: more(order.amountIn) },
  })),
  byTransaction("the note's value is one less", 'value', ({ terms }) => ({
    terms: { value: amount(terms.value - 1n) },
  })),
  byTransaction(
    "the note's value is less than amountOut, and the ticket agrees",
    'value',
    ({ expected }) => ({ terms: { value: amount(expected.amountOut - 1n) } }),
    (honest) => {
      const value = amount(honest.expected.amountOut - 1n)
      return { order: { recovery: forgeTicket(honest, { value }) } }
    },
    'swap',
  ),
  byAnswer("the quote's fees do not add up", 'quote', ({ quote }) => ({
    quote: { protocolFee: `${BigInt(quote.protocolFee) + 1n}` },
  })),
  byAnswer("the quote's fee is not the sum of its parts", 'quote', ({ quote }) => ({
    quote: { fee: more(quote.fee) },
  })),
  byAnswer(
    "the quote's fees are more than amountIn minus amountOut",
    'quote',
    ({ quote }) => ({ quote: dearer(quote) }),
    'send',
  ),
  byAnswer('the quote holds a text that is not an amount', 'quote', () => ({
    quote: { networkFee: '1e3' },
  })),
  byTransaction(
    "the partner's share is one greater",
    'partner',
    ({ terms }) => ({ terms: { partnerFee: amount(terms.partnerFee + 1n) } }),
    undefined,
    'partner',
  ),
  byTransaction(
    "the partner's share is greater than the agreed share, and the quote agrees",
    'partner',
    ({ terms, quote }) => {
      const kept = BigInt(quote.feeBreakdown.serviceFee)
      const isSend = terms.sourceMint === terms.destinationMint
      return {
        terms: {
          value: isSend ? amount(terms.value - kept) : terms.value,
          partnerFee: amount(terms.partnerFee + kept),
        },
      }
    },
    ({ quote }) => {
      const { serviceFee, partnerFee, networkFee } = quote.feeBreakdown
      const share = { serviceFee: '0', partnerFee: `${BigInt(serviceFee) + BigInt(partnerFee)}` }
      return { quote: { feeBreakdown: { ...share, networkFee } } }
    },
    'partner',
  ),
  byTransaction(
    "the partner's share goes to the thief",
    'accounts',
    { terms: { partnerAccount: THIEF_ACCOUNT } },
    undefined,
    'partner',
  ),
  byTransaction('the sender is another wallet', 'sender', { terms: { sender: THIEF } }),
  byTransaction('another wallet is debited, and the sender pays the fee', 'sender', (honest) => ({
    terms: { sender: THIEF },
    feePayer: honest.expected.sender,
  })),
  byTransaction('the fee is paid by another wallet', 'sender', { feePayer: THIEF }),
  byTransaction(
    'another asset is debited',
    'accounts',
    ({ terms }) => ({
      terms:
        terms.sourceMint === NATIVE_MINT
          ? { sourceMint: THIEF_ACCOUNT, destinationMint: THIEF_ACCOUNT }
          : { sourceMint: NATIVE_MINT, destinationMint: NATIVE_MINT },
      senderToken: THIEF_ACCOUNT,
    }),
    undefined,
    'send',
  ),
  byTransaction(
    'another asset is paid out',
    'asset',
    { terms: { destinationMint: THIEF_ACCOUNT } },
    undefined,
    'send',
  ),
  byTransaction(
    'another asset is paid out by a swap',
    'accounts',
    { terms: { destinationMint: THIEF_ACCOUNT } },
    undefined,
    'swap',
  ),
  byAnswer('the quote is for another asset', 'asset', () => ({
    quote: { destinationAssetId: THIEF_ACCOUNT, sourceAssetId: NATIVE_MINT },
  })),
  byAnswer(
    'the quote debits another asset',
    'asset',
    () => ({
      quote: { sourceAssetId: THIEF_ACCOUNT },
    }),
    'swap',
  ),
  byTransaction('the deposit is for another order', 'order_id', {
    terms: { orderId: new Uint8Array(16).fill(7) },
  }),
  byAnswer("the answer has another order's id", 'order_id', () => ({
    order: { trackingId: 'tr_AAECAwQFBgcICQoLDA0ODw' },
  })),
  byAnswer('the answer has an invalid id', 'order', () => ({ order: { trackingId: 'tr_' } })),
  byTransaction('the deadline is later', 'deadline', ({ terms }) => ({
    terms: { deadline: unixSeconds(terms.deadline + 600n) },
  })),
  byTransaction(
    'the deadline is not on a ten-minute boundary, and order and ticket agree',
    'deadline',
    ({ terms }) => ({ terms: { deadline: unixSeconds(terms.deadline - 1n) } }),
    (honest) => {
      const deadline = unixSeconds(honest.terms.deadline - 1n)
      const recovery = forgeTicket(honest, { deadline })
      return { order: { expiration: iso(deadline), recovery } }
    },
  ),
  byTransaction(
    'the deadline is more than an hour ahead, and the order agrees',
    'deadline',
    ({ terms }) => ({ terms: { deadline: unixSeconds(terms.deadline + 3_600n) } }),
    ({ terms }) => ({ order: { expiration: iso(terms.deadline + 3_600n) } }),
  ),
  byTransaction(
    'the deadline has passed, and the order agrees',
    'deadline',
    ({ terms }) => ({ terms: { deadline: unixSeconds(terms.deadline - 3_600n) } }),
    ({ terms }) => ({ order: { expiration: iso(terms.deadline - 3_600n) } }),
  ),
  byAnswer("the order's deadline is not a time", 'order', () => ({
    order: { expiration: 'soon' },
  })),
  byAnswer("the order's deadline is half a second later", 'order', ({ order }) => ({
    order: { expiration: order.expiration.replace('.000Z', '.500Z') },
  })),
  byAnswer("the order's deadline is before 1970", 'order', () => ({
    order: { expiration: '1969-12-31T23:59:59.000Z' },
  })),
  byTransaction(
    'the authorisation ends before the deadline',
    'valid_until',
    ({ terms }) => ({ terms: { validUntil: unixSeconds(terms.deadline - 1n) } }),
    undefined,
    'send',
  ),
  byTransaction('the authorisation outlives the deadline', 'valid_until', ({ terms }) => ({
    terms: { validUntil: unixSeconds(terms.deadline + 1n) },
  })),
  byTransaction(
    'the note expires later',
    'commitment',
    withNote((honest) => ({ expiry: unixSeconds(noteOf(honest).expiry + 600n) })),
  ),
  byAnswer("the order's deliverBy is later", 'commitment', (honest) => ({
    order: { deliverBy: iso(noteOf(honest).expiry + 600n) },
  })),
  expiring(
    'the note expires more than a day after the deadline',
    ({ terms }) => terms.deadline + 86_401n,
  ),
  expiring('the note expires before the deadline', ({ terms }) => terms.deadline - 1n),
  byTransaction('the commitment is arbitrary', 'commitment', { terms: { inner: 42n } }),
  byTransaction('the payload shows the recipient', 'payload', ({ terms, expected }) => {
    const payload = new Uint8Array(terms.payload)
    payload.set(addressBytes(expected.recipient), 4)
    return { terms: { payload } }
  }),
]
