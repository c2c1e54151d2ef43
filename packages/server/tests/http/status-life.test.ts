import type { ListOrdersResponse, OrderStatusRecord } from '@sotto/contract'
import { amount, fieldFromBytes, unixSeconds } from '@sotto/protocol'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSettlementStore } from '../../src/adapters/store/settlement/settlement-store.ts'
import { encodeOutcome, encodePlan } from '../../src/domain/order-secrets.ts'
import { canBecome, ORDER_STATUSES, type OrderStatus } from '../../src/domain/order-state.ts'
import { decodeTrackingId } from '../../src/domain/tracking-id.ts'
import type { EpochSecrets } from '../../src/ports/secrets.ts'
import type { Lease, SettlementStore } from '../../src/ports/settlement-store.ts'
import { PROGRAM } from '../settlement/stack/localnet-process.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { codeOf, order, placed, send, solSend } from './partner-client.ts'

let stack: HttpStack
let store: SettlementStore
let slot = 0n
let leaves = 0
beforeAll(async () => {
  stack = await startHttpStack()
  store = createSettlementStore(stack.database, stack.secrets)
  await store.openCursor(PROGRAM, new Uint8Array(32), Date.now())
})
afterAll(() => stack.close())

/** An order made over HTTP. Its methods are the steps that workers may try on the order, in any sequence. */
class Life {
  readonly id: Uint8Array
  readonly trackingId: string
  readonly secrets: EpochSecrets
  #lease: Lease | undefined
  #attempts = 0
  #nowMs = Date.now()

  constructor(trackingId: string, secrets: EpochSecrets) {
    this.trackingId = trackingId
    this.id = decodeTrackingId(trackingId)!
    this.secrets = secrets
  }

  /**
   * Follows the chain by one more slot. The slot either contains this order's deposit, or has a time after all
   * deadlines.
   */
  async follow(what: 'deposit' | 'deadline'): Promise<void> {
    slot += 1n
    const isDeposit = what === 'deposit'
    const plan = encodePlan({ deliverAtMs: this.#nowMs })
    const sealedPlan = this.secrets.seal(this.id, 'plan', plan)
    const { leaf, leaf_index: known } = await this.#leaf()
    const isNew = isDeposit && known === null
    const from = BigInt(leaves)
    const head = {
      ...{ slot, blockHeight: slot, nextLeaf: isNew ? from + 1n : from },
      unixSeconds: unixSeconds(isDeposit ? 1n : 99_999_999_999n),
    }
    const step = { from, head, isRescan: false, keep: leaves }
    const deposits = [{ orderId: this.id, leafIndex: known ?? leaves, sealedPlan }]
    const batch = { ...step, leaves: isNew ? [leaf] : [], deposits: isDeposit ? deposits : [] }
    if ((await store.tryRecord(batch, this.#nowMs)) && isNew) leaves += 1
  }

  /** Reads the tree again without this order's leaf. This happens if a node has invented or hides the leaf. */
  async loseLeaf(): Promise<void> {
    const { leaf_index: keep } = await this.#leaf()
    if (keep === null) return
    slot += 1n
    const head = { slot, blockHeight: slot, nextLeaf: BigInt(keep), unixSeconds: unixSeconds(1n) }
    const step = { from: BigInt(leaves), head, isRescan: true, keep, leaves: [], deposits: [] }
    if (await store.tryRecord(step, this.#nowMs)) leaves = keep
  }

  async #leaf() {
    const [row] = await stack.database.query<{ leaf: Uint8Array; leaf_index: number | null }>(
      'SELECT leaf, leaf_index::integer AS leaf_index FROM orders WHERE id = $1',
      [this.id],
    )
    return { ...row!, leaf: fieldFromBytes(new Uint8Array(row!.leaf)) }
  }

  async claim(): Promise<void> {
    this.#nowMs += 3_600_000
    this.#lease =
      (await store.tryClaim(this.id, 'worker', this.#nowMs, this.#nowMs + 1)) ?? this.#lease
  }

  async journal(kind: 'deliver' | 'refund'): Promise<void> {
    if (this.#lease === undefined) return
    if (await store.tryJournal(this.#lease, { kind, sealed: new Uint8Array(8) }))
      this.#attempts += 1
  }

  async beginRefund(): Promise<void> {
    const plan = this.secrets.seal(this.id, 'plan', encodePlan({ deliverAtMs: 0 }))
    const [order] = await store.listOpen([this.id])
    if (this.#lease !== undefined && order !== undefined)
      await store.tryBeginRefund(this.#lease, plan, order.sealedPlan, this.#nowMs)
  }

  dead = () => store.tryMarkDead({ orderId: this.id, epoch: this.secrets.epoch }, this.#attempts)

  async complete(to: 'delivered' | 'refunded'): Promise<void> {
    const outcome = encodeOutcome({
      ...{ kind: to === 'delivered' ? 'delivery' : 'refund', signature: 's', slot },
      ...{
        unixSeconds: unixSeconds(1n),
        assetId: solSend(stack).sourceAssetId as never,
        amount: amount(1n),
      },
    })
    const sealedOutcome = this.secrets.seal(this.id, 'outcome', outcome)
    const attempt = { number: this.#attempts, hasLanded: true }
    const { epoch } = this.secrets
    await store.tryComplete({ orderId: this.id, epoch, to, sealedOutcome, attempt }, this.#nowMs)
  }

  async status(): Promise<OrderStatusRecord> {
    const answer = await send(stack, 'GET', `/transfer/v1/status/${this.trackingId}`)
    return answer.body['order'] as OrderStatusRecord
  }
}

async function begin() {
  const made = await placed(stack, solSend(stack))
  const [row] = await stack.database.query<{ epoch: number }>(
    'SELECT epoch::integer AS epoch FROM orders ORDER BY created_at DESC LIMIT 1',
    [],
  )
  const secrets = (await stack.secrets.read(row!.epoch))!
  return { ...made, life: new Life(made.order.trackingId, secrets), epoch: row!.epoch }
}

const STEPS: Record<string, (life: Life) => Promise<unknown>> = {
  deposit: (life) => life.follow('deposit'),
  deadline: (life) => life.follow('deadline'),
  'lose the leaf': (life) => life.loseLeaf(),
  claim: (life) => life.claim(),
  'journal a delivery': (life) => life.journal('deliver'),
  'journal a refund': (life) => life.journal('refund'),
  'attempt dead': (life) => life.dead(),
  'begin the refund': (life) => life.beginRefund(),
  delivered: (life) => life.complete('delivered'),
  refunded: (life) => life.complete('refunded'),
}

/** True if the state machine leads from one status to the other through any number of transitions. */
const leads = (from: OrderStatus, to: OrderStatus): boolean =>
  from === to || ORDER_STATUSES.some((next) => canBecome(from, next) && leads(next, to))

/** Sequences of steps that together reach every status, so that every run covers all statuses. */
const EXAMPLES = [
  ['deadline', 'deposit'],
  ['deposit', 'claim', 'journal a delivery', 'delivered', 'refunded', 'deadline', 'deposit'],
  ['deposit', 'lose the leaf', 'deadline', 'deposit', 'claim', 'journal a delivery', 'delivered'],
  ['deposit', 'claim', 'journal a delivery', 'delivered', 'lose the leaf', 'deadline', 'deposit'],
  ['deposit', 'claim', 'begin the refund', 'journal a refund', 'refunded', 'delivered', 'claim'],
]

it('the shown status of an order never goes back', async () => {
  const met = new Set<OrderStatus>()
  // Deposits and claims have a higher weight, because otherwise most orders would expire immediately.
  const steps = fc.constantFrom('deposit', 'deposit', 'claim', 'claim', ...Object.keys(STEPS))
  const lives = fc.array(steps, { minLength: 8, maxLength: 24 })
  await fc.assert(
    fc.asyncProperty(lives, async (tried) => {
      const { life } = await begin()
      let before = await life.status()
      for (const step of tried) {
        await STEPS[step]!(life)
        const after = await life.status()
        expect([before.status, step, after.status, leads(before.status, after.status)]).toEqual([
          ...[before.status, step, after.status],
          true,
        ])
        expect(after.final).toBe(['delivered', 'refunded', 'expired'].includes(after.status))
        // The end of an order is stored as the start of an hour, which may be earlier than the creation of the order.
        // HTTP must not show that earlier time.
        expect(after.updatedAt >= before.updatedAt).toBe(true)
        expect(after.updatedAt >= after.createdAt).toBe(true)
        met.add(after.status)
        before = after
      }
    }),
    { numRuns: 12, examples: EXAMPLES.map((tried) => [tried]) },
  )
  // Only payments out of balances have the status `awaiting_signature`. `payments.test.ts` tests the statuses of
  // payments.
  const statuses = ORDER_STATUSES.filter((status) => status !== 'awaiting_signature')
  expect([...met].sort()).toEqual(statuses.sort())
})

it('status and list show no delivery after the destruction of the key', async () => {
  const { life, body, epoch } = await begin()
  for (const step of ['deposit', 'claim', 'journal a delivery', 'delivered']) {
    await STEPS[step]!(life)
  }
  expect(await life.status()).toMatchObject({ status: 'delivered', delivery: { amount: '1' } })
  // The open orders of earlier runs get another epoch, because they would keep the key alive.
  const others = 'UPDATE orders SET epoch = 1, seal_epoch = NULL WHERE id <> $1'
  await stack.database.query(others, [life.id])
  // The API shows the hour of an order's end only if the order was made before that hour. So the test moves the
  // creation back by an hour.
  const older = `UPDATE orders SET created_at = created_at - interval '1 hour' WHERE id = $1`
  await stack.database.query(older, [life.id])
  await store.clearEpoch(epoch)
  await stack.secrets.destroy(epoch)
  const after = await life.status()
  const nothing = { delivery: null, refund: null, eta: 0, nextAction: 'none' }
  expect(after).toMatchObject({ status: 'delivered', final: true, ...nothing })
  expect(after.updatedAt).toMatch(/T[0-9]{2}:00:00\.000Z$/)
  const list = await send(stack, 'GET', '/transfer/v1/orders?limit=100')
  const { orders } = list.body as ListOrdersResponse
  const listed = orders.find(({ trackingId }) => trackingId === life.trackingId)
  expect(listed).toMatchObject({ status: 'delivered', updatedAt: after.updatedAt })
  for (const name of ['deposit', 'delivery', 'refund', 'eta'])
    expect(listed).not.toHaveProperty(name)
  expect(codeOf(await order(stack, body))).toBe('QUOTE_EXPIRED')
})
