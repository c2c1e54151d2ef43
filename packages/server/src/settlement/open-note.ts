import {
  amount,
  leafOfNote,
  nullifierOf,
  unixSeconds,
  type Note,
  type Poseidon,
} from '@sotto/protocol'
import {
  decodePlan,
  decodeTerms,
  type DeliveryPlan,
  type SealedTerms,
} from '../domain/order-secrets.ts'
import type { EpochSecrets, Secrets } from '../ports/secrets.ts'
import type { SettlementLog } from '../ports/settlement-log.ts'
import type { OpenOrder } from '../ports/settle-store.ts'
import { orderKey } from './order-key.ts'

/** Notes kept derived; of more open orders than this, the oldest are derived anew. */
const NOTES_MAX = 20_000

/** An order with its secrets opened, in memory only. */
export interface OpenedOrder {
  readonly order: OpenOrder
  readonly secrets: EpochSecrets
  readonly terms: SealedTerms
  readonly plan: DeliveryPlan
  readonly note: Note
  readonly nullifier: bigint
  /** What the note's leaf must be; a tree that holds another can't prove it. */
  readonly leaf: bigint
}

type Derived = Pick<OpenedOrder, 'note' | 'nullifier' | 'leaf'>

interface OpenerDependencies {
  readonly secrets: Secrets
  readonly poseidon: Poseidon
  readonly log: SettlementLog
}

/**
 * Opens orders' sealed columns and derives their notes. Hashing takes milliseconds, so notes are kept
 * by order; plans change and are opened every time.
 */
export class NoteOpener {
  readonly #d: OpenerDependencies
  readonly #notes = new Map<string, Derived>()

  constructor(d: OpenerDependencies) {
    this.#d = d
  }

  /** The orders that can be opened. One that can't is reported and keeps no other from its turn. */
  async openAll(orders: readonly OpenOrder[]): Promise<OpenedOrder[]> {
    const opened: OpenedOrder[] = []
    for (const order of orders) {
      try {
        opened.push(await this.#open(order))
      } catch (error) {
        this.#d.log.failed('open_order', error)
        this.#d.log.alert('secrets_missing')
      }
    }
    return opened
  }

  async #open(order: OpenOrder): Promise<OpenedOrder> {
    const secrets = await this.#d.secrets.read(order.epoch)
    if (secrets === undefined) throw new Error('the key of an open order is gone')
    const terms = decodeTerms(secrets.open(order.orderId, 'terms', order.sealedTerms))
    const plan = decodePlan(secrets.open(order.orderId, 'plan', order.sealedPlan))
    return { order, secrets, terms, plan, ...this.#derived(order, secrets, terms) }
  }

  #derived(order: OpenOrder, secrets: EpochSecrets, terms: SealedTerms): Derived {
    // A rescan may move a leaf, and the nullifier with it.
    const key = `${orderKey(order.orderId)}/${order.leafIndex}`
    const known = this.#notes.get(key)
    if (known !== undefined) return known
    const derived = derive(this.#d.poseidon, order, secrets, terms)
    const oldest = this.#notes.keys().next()
    if (this.#notes.size >= NOTES_MAX && !oldest.done) this.#notes.delete(oldest.value)
    this.#notes.set(key, derived)
    return derived
  }
}

function derive(
  poseidon: Poseidon,
  order: OpenOrder,
  secrets: EpochSecrets,
  terms: SealedTerms,
): Derived {
  const isSwap = order.sourceMint !== order.destinationMint
  const note: Note = {
    nk: secrets.noteKey(order.orderId),
    recipient: terms.recipient,
    sender: order.sender,
    mint: order.destinationMint,
    amountOut: amount(order.amountOut),
    feeBack: amount(isSwap ? 0n : order.fee),
    expiry: unixSeconds(order.expiry),
  }
  const nullifier = nullifierOf(poseidon, note.nk, BigInt(order.leafIndex))
  return { note, nullifier, leaf: leafOfNote(poseidon, note) }
}
