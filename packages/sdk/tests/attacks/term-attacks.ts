import { addressBytes, amount, innerCommitment, NATIVE_MINT, unixSeconds } from '@sotto/protocol'
import { poseidonOfThree } from '../../src/verify/poseidon.ts'
import { byAnswer, byTransaction, type Attack } from './attack.ts'
import { forgeTicket } from './forge.ts'
import { THIEF, THIEF_ACCOUNT } from './thief.ts'

const iso = (seconds: bigint) => new Date(Number(seconds) * 1_000).toISOString()
const nkOf = 123_456_789n
const stolen = innerCommitment(poseidonOfThree, nkOf, THIEF)

/** Every term of the bargain, changed alone, and again with every statement of the service agreeing. */
export const termAttacks: readonly Attack[] = [
  byTransaction('the recipient is the thief', 'commitment', { terms: { inner: stolen } }),
  byTransaction(
    'the recipient is the thief, and the ticket says so',
    'ticket',
    { terms: { inner: stolen } },
    (honest) => ({
      order: { recovery: forgeTicket(honest, { nk: nkOf, recipient: THIEF }) },
    }),
  ),
  byTransaction(
    'the recipient is the thief, and the ticket opens it in the name of the recipient',
    'commitment',
    { terms: { inner: stolen } },
    (honest) => ({ order: { recovery: forgeTicket(honest, { nk: nkOf }) } }),
  ),
  byTransaction('amountIn is one more', 'amount_in', ({ terms }) => ({
    terms: { amountIn: amount(terms.amountIn + 1n) },
  })),
  byTransaction(
    'amountIn and fee are one more, and order and quote say so',
    'amount_in',
    ({ terms }) => ({
      terms: { amountIn: amount(terms.amountIn + 1n), fee: amount(terms.fee + 1n) },
    }),
    ({ quote }) => {
      const more = (text: string) => `${BigInt(text) + 1n}`
      const amountIn = more(quote.amountIn)
      const { feeBreakdown, fee, networkFee } = quote
      const parts = { ...feeBreakdown, networkFee: more(feeBreakdown.networkFee) }
      const fees = { fee: more(fee), networkFee: more(networkFee), feeBreakdown: parts }
      return { order: { amountIn }, quote: { amountIn, ...fees } }
    },
  ),
  byTransaction('amountOut is one less', 'amount_out', ({ terms }) => ({
    terms: { amountOut: amount(terms.amountOut - 1n) },
  })),
  byAnswer('amountOut of the answer is one less', 'amount_out', ({ order }) => ({
    order: { amountOut: `${BigInt(order.amountOut) - 1n}` },
  })),
  byTransaction('the fee is one more', 'fee', ({ terms }) => ({
    terms: { fee: amount(terms.fee + 1n) },
  })),
  byAnswer("the quote's fees do not add up", 'quote', ({ quote }) => ({
    quote: { protocolFee: `${BigInt(quote.protocolFee) + 1n}` },
  })),
  byAnswer('the quote holds no amount', 'quote', () => ({ quote: { networkFee: '1e3' } })),
  byTransaction(
    "the partner's share is one more",
    'partner',
    ({ terms }) => ({ terms: { partnerFee: amount(terms.partnerFee + 1n) } }),
    undefined,
    'partner',
  ),
  byAnswer(
    "the partner's share is more than its rate, and the quote says so",
    'partner',
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
  byTransaction('the deposit is for another order', 'order_id', {
    terms: { orderId: new Uint8Array(16).fill(7) },
  }),
  byAnswer("the answer has another order's id", 'order_id', () => ({
    order: { trackingId: 'tr_AAECAwQFBgcICQoLDA0ODw' },
  })),
  byAnswer('the answer has an id that is none', 'order', () => ({ order: { trackingId: 'tr_' } })),
  byTransaction('the deadline is later', 'deadline', ({ terms }) => ({
    terms: { deadline: unixSeconds(terms.deadline + 1n) },
  })),
  byTransaction(
    'the deadline is beyond an hour, and the order says so',
    'deadline',
    ({ terms }) => ({ terms: { deadline: unixSeconds(terms.deadline + 3_600n) } }),
    ({ terms }) => ({ order: { expiration: iso(terms.deadline + 3_600n) } }),
  ),
  byTransaction('the authorisation outlives the deadline', 'valid_until', ({ terms }) => ({
    terms: { validUntil: unixSeconds(terms.deadline + 1n) },
  })),
  byTransaction('the note expires later', 'expiry', ({ terms }) => ({
    terms: { expiry: unixSeconds(terms.expiry + 600n) },
  })),
  byTransaction(
    'the note expires beyond a day, and order and ticket say so',
    'expiry',
    ({ terms }) => ({ terms: { expiry: unixSeconds(terms.expiry + 86_400n) } }),
    (honest) => {
      const expiry = unixSeconds(honest.terms.expiry + 86_400n)
      return { order: { deliverBy: iso(expiry), recovery: forgeTicket(honest, { expiry }) } }
    },
  ),
  byTransaction(
    'the note expires at a second of its own, and order and ticket say so',
    'expiry',
    ({ terms }) => ({ terms: { expiry: unixSeconds(terms.expiry - 1n) } }),
    (honest) => {
      const expiry = unixSeconds(honest.terms.expiry - 1n)
      return { order: { deliverBy: iso(expiry), recovery: forgeTicket(honest, { expiry }) } }
    },
  ),
  byTransaction('the commitment is arbitrary', 'commitment', { terms: { inner: 42n } }),
  byTransaction('the payload shows the recipient', 'payload', ({ terms, expected }) => {
    const payload = new Uint8Array(terms.payload)
    payload.set(addressBytes(expected.recipient), 4)
    return { terms: { payload } }
  }),
]
