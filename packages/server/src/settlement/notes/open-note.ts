import { changeOf, leafOfNote, nullifierOf, type Poseidon, NOTHING } from '@sotto/protocol'
import { noteOf } from '../../domain/note-of.ts'
import { decodePlan, decodeTerms } from '../../domain/order-secrets.ts'
import type { EpochSecrets, Secrets } from '../../ports/secrets.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import type { OpenOrder, OpenPayment } from '../../ports/settlement-store.ts'
import { hexOf } from '../../domain/hex.ts'
import { openPayment } from './open-payment.ts'
import { isBalance, type OpenedOrder } from './opened-order.ts'

/** True if no delivery time has been drawn for the order yet. */
export function isUnplanned({ sealedPlan }: OpenOrder): boolean {
  return sealedPlan.length === 0
}

const isSamePlan = (one: Sealed, other: Sealed): boolean =>
  Buffer.compare(one.sealedPlan, other.sealedPlan) === 0

type Sealed = Pick<OpenOrder, 'sealedPlan'>

interface OpenerDependencies {
  readonly secrets: Secrets
  readonly poseidon: Poseidon
  readonly pool: { readonly domain: Uint8Array }
  readonly log: SettlementLog
}

/**
 * Decrypts the sealed columns of orders and derives their notes. This takes milliseconds for each order. So the result
 * is cached while the order is open and its plan and leaf index stay the same.
 */
export class NoteOpener {
  readonly #d: OpenerDependencies
  readonly #kept = new Map<string, OpenedOrder>()

  constructor(d: OpenerDependencies) {
    this.#d = d
  }

  /** Drops the cached secrets of all orders and payments except those in `open`. */
  forgetOthers(open: readonly Pick<OpenOrder, 'orderId'>[]): void {
    const keys = new Set(open.map(({ orderId }) => hexOf(orderId)))
    for (const key of this.#kept.keys()) if (!keys.has(key)) this.#kept.delete(key)
  }

  /**
   * Searches the cache for the balance whose newest note has this nullifier, and returns its order id. Returns
   * undefined if the cache has no such balance.
   */
  findBalance(nullifier: bigint): Uint8Array | undefined {
    for (const one of this.#kept.values()) {
      if (one.nullifier === nullifier && isBalance(one)) return one.order.orderId
    }
    return undefined
  }

  /** Opens orders. If an order can't be opened, logs the failure, raises an alert and leaves the order out. */
  async openAll(orders: readonly OpenOrder[]): Promise<OpenedOrder[]> {
    return this.#openEach(orders, (order, secrets) => {
      // The order's key was unavailable when its deposit was recorded. `drawPlans` will draw the delivery time.
      return isUnplanned(order) ? [] : [this.#open(order, secrets)]
    })
  }

  /**
   * Opens signed payments. If a payment can't be opened, logs the failure, raises an alert and leaves the payment out.
   */
  async openPayments(payments: readonly OpenPayment[]): Promise<OpenedOrder[]> {
    return this.#openEach(payments, (payment, secrets) => [this.#openPayment(payment, secrets)])
  }

  async #openEach<One extends Pick<OpenOrder, 'epoch'>>(
    orders: readonly One[],
    open: (order: One, secrets: EpochSecrets) => OpenedOrder[],
  ): Promise<OpenedOrder[]> {
    const epochs = new Map<number, EpochSecrets | undefined>()
    for (const { epoch } of orders) {
      if (!epochs.has(epoch)) epochs.set(epoch, await this.#read(epoch))
    }
    return orders.flatMap((order) => {
      try {
        const secrets = epochs.get(order.epoch)
        if (secrets === undefined) throw new Error('the key of an open order does not exist')
        return open(order, secrets)
      } catch (error) {
        this.#d.log.failed('open_order', error)
        this.#d.log.alert('secrets_missing')
        return []
      }
    })
  }

  /**
   * Returns an epoch's secrets; undefined if the key is missing or damaged. Errors are only logged, so orders of other
   * epochs are still opened.
   */
  async #read(epoch: number): Promise<EpochSecrets | undefined> {
    try {
      return await this.#d.secrets.read(epoch)
    } catch (error) {
      this.#d.log.failed('read_key', error)
      return undefined
    }
  }

  #open(order: OpenOrder, secrets: EpochSecrets): OpenedOrder {
    const key = hexOf(order.orderId)
    const kept = this.#kept.get(key)
    // After an outage of the keystore, the cached secrets are zeroed. Then the newly read secrets must replace them.
    const isSame =
      kept !== undefined &&
      kept.secrets === secrets &&
      kept.order.leafIndex === order.leafIndex &&
      isSamePlan(kept.order, order)
    const opened = isSame ? { ...kept, order } : open(this.#d, order, secrets)
    this.#kept.set(key, opened)
    return opened
  }

  /**
   * Opens a payment. Only its status and plan can change. So after the first call, its signed data comes from the
   * cache, and the plan is decrypted again only if it has changed.
   */
  #openPayment(payment: OpenPayment, secrets: EpochSecrets): OpenedOrder {
    const key = hexOf(payment.orderId)
    const kept = this.#kept.get(key)
    const opened =
      kept?.secrets === secrets
        ? {
            ...kept,
            order: { ...kept.order, ...payment },
            plan: isSamePlan(kept.order, payment)
              ? kept.plan
              : decodePlan(secrets.open(payment.orderId, 'plan', payment.sealedPlan)),
          }
        : openPayment(this.#d, payment, secrets)
    this.#kept.set(key, opened)
    return opened
  }
}

function open(
  { poseidon, pool: { domain } }: OpenerDependencies,
  order: OpenOrder,
  secrets: EpochSecrets,
): OpenedOrder {
  const terms = decodeTerms(secrets.open(order.orderId, 'terms', order.sealedTerms))
  const plan = decodePlan(secrets.open(order.orderId, 'plan', order.sealedPlan))
  const newest = plan.note
  const nk = newest?.nk ?? terms.noteKey ?? secrets.noteKey(order.orderId)
  const leafIndex = newest?.leafIndex ?? order.leafIndex
  const value = newest?.value ?? order.value
  const { deadline, expiry } = newest ?? order
  const secret = { nk, recipient: terms.recipient, owner: terms.owner }
  const note = noteOf({ ...order, value, deadline, expiry }, secret)
  const nullifier = nullifierOf(poseidon, nk, BigInt(leafIndex))
  const rest = { nullifier, secret: nk, change: NOTHING, validUntil: undefined }
  const left = changeOf(poseidon, note, rest)
  return {
    ...{ order, secrets, terms, plan, note, leafIndex, nullifier },
    leaf: leafOfNote(poseidon, domain, note),
    changeLeaf: leafOfNote(poseidon, domain, left),
  }
}
