import type { ErrorCode } from './error-registry.ts'

/** The cause of each error, for the error's page. This file doesn't compile if a code has no cause. */
export const ERROR_CAUSES: Readonly<Record<ErrorCode, string>> = {
  INVALID_REQUEST:
    'The body is not JSON, or has a duplicate, missing, unknown or invalid member; or a header or query parameter is invalid or unknown. Or the quote of a payment out of a balance was sent to POST /transfer/v1/order, or any other quote was sent to POST /transfer/v1/payment. `issues` lists every fault. If the name of a member could be an address or a key, the response does not repeat it.',
  INVALID_ADDRESS:
    'The member that `param` names is a string, but not the base58 form of 32 bytes.',
  UNSUPPORTED_ASSET:
    'The asset id is not in GET /transfer/v1/tokens, or the two assets differ and one of them cannot be swapped.',
  MODE_NOT_SUPPORTED:
    'The two assets differ and `mode` is exact_out, but the output of a swap follows from the rate.',
  FEE_RECIPIENT_REQUIRED: '`feeBps` is above 0, but `feeRecipientAddress` is missing.',
  UNAUTHORIZED:
    'The Authorization header is missing or was sent twice. Or the key is mistyped, unknown, expired or revoked. Or the account of the key is disabled, or the key belongs to the other network. Or the URL contains a key or the beginning of one: a key in a URL does not stay secret.',
  FORBIDDEN:
    'The key is valid, but was made without the scope of this operation. Or a request of the send page comes from a page of another origin.',
  SCREENING_REFUSED:
    'The sender or the recipient is on a list that the operator screens against. The service checks this for each quote, order and refresh.',
  NOT_FOUND:
    'No operation has this path, or the account has no endpoint or message with the ids in the path. Ids of other accounts get the same answer.',
  ORDER_NOT_FOUND:
    'The account of the key has no order with this tracking id. Or a signature was sent for an order that is not a payment. Or the id belongs to a payment whose data was destroyed a day after its end. Orders of other accounts and invalid ids get the same answer.',
  METHOD_NOT_ALLOWED: 'The path exists, but not with this method.',
  IDEMPOTENCY_CONFLICT:
    'The account has used this X-Idempotency-Key for an order, and this request differs from the request that created that order.',
  ORDER_IN_PROGRESS:
    'Another request with the same idempotency key or the same quote arrived a moment earlier.',
  QUOTE_ALREADY_USED:
    'The quote already has an order, and this request has another X-Idempotency-Key. One quote makes only one order.',
  ORDER_ALREADY_DEPOSITED:
    'The deposit of the order is on chain, so there is nothing left to sign.',
  ORDER_EXPIRED:
    'The time until which the order may be paid, `payableUntil`, has passed on chain without a deposit; no deposit can land any more. A send may be paid until its deadline, `expiration`, and a swap for at most three minutes.',
  PRICE_MOVED:
    'A new quote for the same swap would deliver less than the order, so the service does not renew the transaction of the order. Or, between the quote and the order, the rate fell by more than the spread. Or the rate fell by less, but too many orders of the account were better than new quotes. A rate that rises never causes this error.',
  PAYLOAD_TOO_LARGE: 'The body exceeds 64 KiB, or URL and headers together exceed 16 KiB.',
  UNSUPPORTED_MEDIA_TYPE:
    'The request has a body whose Content-Type is not application/json, whose charset is not UTF-8, or whose Content-Encoding is not identity. Or its Transfer-Encoding is not chunked.',
  QUOTE_MISMATCH:
    'A member of `quote` was changed, added or omitted. Or its quoteId is not from this service. Or account, sender, recipient, feeBps or fee recipient differ from those of the quote request.',
  QUOTE_EXPIRED:
    'The quote is past its `expiresAt`. Or the quote already has an order, but the data for comparing a retry with that order has been destroyed.',
  AMOUNT_OUT_OF_RANGE:
    '`amount` is below `min` or above `max`, which this response contains. Both bounds change with fees, inventory and limits.',
  RECIPIENT_NOT_PAYABLE:
    'The recipient is a token account, a program, or an account of this service. Or its token account for the asset cannot receive a payment, for example because it is frozen.',
  FEE_BPS_EXCEEDS_CAP: "`feeBps` is above the greatest share that the account's contract allows.",
  FEE_RECIPIENT_NOT_REGISTERED:
    '`feeRecipientAddress` is not among the addresses that the operator registered for the account.',
  FEE_RECIPIENT_NOT_PAYABLE:
    'The registered fee recipient has no account for the source asset. Deposits pay the fee recipient directly and open no account.',
  WEBHOOK_LIMIT_REACHED: 'The account has registered five endpoints, including disabled ones.',
  WEBHOOK_URL_REFUSED:
    '`url` is not https, or has a user, a password or a fragment. Or its host name does not resolve, or resolves to an address that is not public.',
  RATE_LIMITED:
    'The key has exceeded its request rate, or its limit of event streams. Or requests from the IP address of the client have failed to authenticate too often. Or the network of the client has requested leaves too often. Or the account has reached its limit of unpaid swaps (`issues` then says so), or of orders whose `crowdMissed` is `refund`.',
  UNPAID_ORDERS_LIMIT:
    'The account has reached its limit of unpaid orders. This is the limit that the operator set, or the account’s share of the funds that pay for deliveries. On the send page, the limit applies to the visitor’s network.',
  INTERNAL:
    'The service failed internally. Either the request had no effect, or a retry returns its result. There is one exception: a webhook may have been created, or its secret rotated, and a retry does not return its secret. A created webhook is in the list of webhooks. After a rotation, the earlier secrets sign for another day.',
  LIQUIDITY_UNAVAILABLE:
    'The inventory of the destination asset, minus the amounts that unpaid swaps reserve, is smaller than this swap. Or the unpaid swaps of the account already reserve the maximum. Or no amount can be transferred now, for example because none covers the cost of a delivery. Or the wallets that pay for deliveries are low on funds.',
  PRICE_UNAVAILABLE: 'The service has no fresh rate for this pair of assets.',
  UPSTREAM_UNAVAILABLE:
    'The chain or the screening service did not answer in time. Or the service has not followed the chain for minutes, so it would miss a deposit. Or the newest block that its nodes show is minutes old. `issues` names the cause in the last two cases. The service makes no quotes and no orders from old data.',
  SERVICE_PAUSED:
    'The operator or a failed balance check has halted new transfers, of all assets or of this one.',
  BALANCE_NOT_FOUND:
    'The service has not found the note of the ticket in `balance`. Either the deposit or payment that makes the note is not final yet, or the note belongs to another pool.',
  BALANCE_TOO_SMALL:
    '`amount` is above `max`, the most that the note can pay in addition to the fee. Or the note is smaller than the minimum payment with its fee.',
  BALANCE_ENDED:
    'The balance expires before a payment that is made now would end. A payment ends ten to twenty minutes after it is made.',
  NOTE_IN_USE:
    'An unfinished order pays out of the same note, or a payment that landed has spent the note. A note pays once, and its rest is a new note. Or another unfinished payment that is already signed has the same change leaf. Two balances of one owner cause this if both payments are signed with the same `changeNk`.',
  SIGNATURE_INVALID:
    'The numbers are not a signature of this payment by the key of the balance: payee, payout, fee, change, `changeNk`, leaf index or `validUntil` differ, or another key has signed.',
  PAYMENT_EXPIRED:
    'The chain has passed the `validUntil` of the payment, or the payment ended. No signature of this payment can pay any more.',
}
