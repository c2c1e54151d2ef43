import type { ErrorCode } from './error-registry.ts'

/** How each error comes about, for its page; a code without a cause doesn't compile. */
export const ERROR_CAUSES: Readonly<Record<ErrorCode, string>> = {
  INVALID_REQUEST:
    'The body is not JSON, names a member twice, lacks one, has one that the request does not know, or a member breaks its rule; or a header or query parameter does, or the operation has no such parameter. `issues` lists each of them; a name that could be an address or a key is not repeated.',
  INVALID_ADDRESS:
    'The member that `param` names is a string, but not the base58 form of 32 bytes.',
  UNSUPPORTED_ASSET:
    'The asset id is not in GET /transfer/v1/tokens, or the two assets differ and one of them can not be swapped.',
  MODE_NOT_SUPPORTED:
    'The two assets differ and `mode` is exact_out: what a swap delivers follows from the rate.',
  FEE_RECIPIENT_REQUIRED: '`feeBps` is above 0 and no `feeRecipientAddress` says who receives it.',
  UNAUTHORIZED:
    'There is no Authorization header, or two; the key is mistyped, unknown, expired, revoked, of a disabled account or of the other network; or a key, or the beginning of one, stands in the URL, where it is no secret.',
  FORBIDDEN: 'The key is valid, but was made without the scope of this operation.',
  SCREENING_REFUSED:
    'The sender or the recipient is on a list that the operator screens by. Quote, order and refresh each ask anew.',
  NOT_FOUND:
    'No operation has this path, or the account of the key has no endpoint or no message of the ids in it. Those of other accounts are answered alike.',
  ORDER_NOT_FOUND:
    'The account of the key has no order with this tracking id. Orders of other accounts and ids that are none are answered alike.',
  METHOD_NOT_ALLOWED: 'The path exists, with another method.',
  IDEMPOTENCY_CONFLICT:
    'The account has used this X-Idempotency-Key for an order, and this request differs from the one that made it.',
  ORDER_IN_PROGRESS: 'Another request with the same key or quote was quicker by a moment.',
  QUOTE_ALREADY_USED:
    'The quote has made an order already, and this request carries another X-Idempotency-Key. One quote makes one order.',
  ORDER_ALREADY_DEPOSITED:
    'The deposit of the order is on chain, so that there is nothing left to sign.',
  ORDER_EXPIRED:
    'The time to which the order may be paid, `payableUntil`, has passed on chain without a deposit; no deposit can land any more. A send may be paid up to its deadline, `expiration`, a swap for three minutes.',
  PRICE_MOVED:
    'A quote of the same swap, made now, would deliver less than the order does, so its transaction is not renewed; or, at the order, the rate has left its quote by more than the spread. A rate that moved the other way is no reason.',
  PAYLOAD_TOO_LARGE: 'The body exceeds 64 KiB, or URL and headers together exceed 16 KiB.',
  UNSUPPORTED_MEDIA_TYPE:
    'The request has a body whose Content-Type is not application/json, whose charset is not UTF-8, or whose Content-Encoding is not identity.',
  QUOTE_MISMATCH:
    'A member of `quote` was changed, added or left out, its quoteId is not one of this service, or account, sender, recipient, feeBps or fee recipient are not those that the quote was made for.',
  QUOTE_EXPIRED:
    'The quote is past its `expiresAt`; or it made an order so long ago that what a retry is compared with has been destroyed.',
  AMOUNT_OUT_OF_RANGE:
    '`amount` lies below `min` or above `max`, which this answer carries and which move with fees, inventory and limits.',
  RECIPIENT_NOT_PAYABLE:
    'The recipient is a token account, a program, an account of this service, or an account that its mint has frozen.',
  FEE_BPS_EXCEEDS_CAP: "`feeBps` is above the greatest share that the account's contract allows.",
  FEE_RECIPIENT_NOT_REGISTERED:
    '`feeRecipientAddress` is not among the addresses that the operator registered for the account.',
  FEE_RECIPIENT_NOT_PAYABLE:
    'The registered fee recipient has no account for the source asset; deposits pay it at once and open none.',
  WEBHOOK_LIMIT_REACHED: 'The account has registered five endpoints, disabled ones included.',
  WEBHOOK_URL_REFUSED:
    '`url` is not https, has a user, a password or a fragment, has a name without an address, or one of its addresses is private, of this machine, or otherwise not of the public internet.',
  RATE_LIMITED:
    'The key has sent more requests than its rate, the address has failed to authenticate too often, or the account has as many unpaid swaps open as it may, or the key as many streams of events.',
  UNPAID_ORDERS_LIMIT:
    'The account has as many unpaid orders as it may: as many as the operator allows, or as its part of what the service can pay deliveries with. On the send page, the network of the visitor has.',
  INTERNAL:
    'A fault of the service. Nothing of the request took effect, or a retry returns what did.',
  LIQUIDITY_UNAVAILABLE:
    'The inventory of the destination asset, less what other unpaid swaps hold back, does not cover this swap, or the unpaid swaps of the account hold as much of it as they may.',
  PRICE_UNAVAILABLE: 'The service has no fresh rate for this pair of assets.',
  UPSTREAM_UNAVAILABLE:
    'The chain did not answer the service in time, or the service has not followed it for minutes and would not see a deposit; it will not quote or order from old facts.',
  SERVICE_PAUSED: 'The operator, or a check of the books, has halted new transfers of this asset.',
}
