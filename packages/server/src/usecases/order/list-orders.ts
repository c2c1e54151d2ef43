import { parseWhole } from '@sotto/protocol'
import type { ListOrdersResponse } from '@sotto/contract'
import type { OrderStore, StoredOrder, StoredPayment } from '../../ports/order-store.ts'
import type { EpochSecrets, Secrets } from '../../ports/secrets.ts'
import { decodePayment } from '../../domain/payment-terms.ts'
import { renderPaymentSummary } from '../status/render-payment.ts'
import { livesLikeBalance } from '../../domain/balance.ts'
import { renderSummary } from '../status/render-status.ts'
import { invalid } from '../service-error.ts'

const LIMIT = 50
const CURSOR_BYTES = 24
/** The last millisecond of the year 9999. Later dates have another format. */
const CURSOR_MS_MAX = 253_402_300_799_999n

/** Encodes a position in the list as base64url: 8 bytes of milliseconds, followed by the order's id. */
function encodeCursor({ createdAtMs, id }: StoredOrder | StoredPayment): string {
  const bytes = Buffer.alloc(CURSOR_BYTES)
  bytes.writeBigUInt64BE(BigInt(createdAtMs), 0)
  bytes.set(id, 8)
  return bytes.toString('base64url')
}

function decodeCursor(text: string) {
  const bytes = Buffer.from(text, 'base64url')
  const isWhole = bytes.length === CURSOR_BYTES && bytes.toString('base64url') === text
  if (!isWhole || bytes.readBigUInt64BE(0) > CURSOR_MS_MAX) {
    throw invalid('cursor', 'must be a nextCursor of an earlier page')
  }
  // CURSOR_MS_MAX fits into 48 bits, so a number represents it exactly.
  return { createdAtMs: bytes.readUIntBE(2, 6), id: new Uint8Array(bytes.subarray(8)) }
}

type Listed = StoredOrder | StoredPayment

interface PageQuery {
  readonly cursor?: string | undefined
  readonly limit?: string | undefined
}

/** Returns a page of the account's own orders, newest first. */
export async function listOrders(
  d: { readonly orders: OrderStore; readonly secrets: Pick<Secrets, 'read'> },
  accountId: string,
  query: PageQuery,
): Promise<ListOrdersResponse> {
  const { page, nextCursor } = await pageOfOrders(d.orders, accountId, query)
  const keys = new Map<number, EpochSecrets | undefined>()
  // If an epoch's key can't be read, the epoch's payments are left out. The epoch's balances are listed with their
  // first ends, because the ends that payments postponed are sealed. Other orders are listed as usual.
  const sealed = page.filter((one) => !('leaf' in one) || livesLikeBalance(one))
  for (const { epoch } of sealed) {
    if (!keys.has(epoch)) keys.set(epoch, await d.secrets.read(epoch).catch(() => undefined))
  }
  const orders = page.flatMap((one) => {
    if ('leaf' in one) return renderSummary(one, keys.get(one.epoch))
    const key = keys.get(one.epoch)
    // A payment is left out once its epoch's key is destroyed, because all its data is sealed with that key.
    if (key === undefined || one.sealedTerms.length === 0) return []
    return renderPaymentSummary(one, decodePayment(key.open(one.id, 'payment', one.sealedTerms)))
  })
  return { success: true, orders, nextCursor }
}

/**
 * Returns the orders of a page and the cursor of the next page. `firstOf` may end the page early, but never before the
 * page's first order.
 *
 * @throws ServiceError INVALID_REQUEST.
 */
export async function pageOfOrders(
  orders: OrderStore,
  accountId: string,
  query: PageQuery,
  firstOf: (orders: Listed[]) => Listed[] = (all) => all,
): Promise<{
  readonly page: readonly Listed[]
  readonly nextCursor: string | null
}> {
  const limit = query.limit === undefined ? LIMIT : parseWhole(query.limit)
  const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor)
  // The query asks for one order more than a page holds. If the extra order is found, there is a next page.
  const found = await orders.listOrders(accountId, limit + 1, after)
  const page = firstOf(found.slice(0, limit))
  const last = page.at(-1)
  return {
    page,
    nextCursor: found.length > page.length && last !== undefined ? encodeCursor(last) : null,
  }
}
