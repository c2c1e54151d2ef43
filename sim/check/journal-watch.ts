import type { Settlement } from '@sotto/protocol'
import { decodePlan } from '../../packages/server/src/domain/order-secrets.ts'
import type { AttemptKind, Lease } from '../../packages/server/src/ports/settle-store.ts'
import { signatureIn } from '../chain/fake-signatures.ts'
import type { Transaction } from '../chain/transaction.ts'
import type { Life } from '../run/life.ts'
import { unsealed } from '../run/keystore.ts'
import type { Evidence } from './evidence.ts'
import type { Fail } from './verdict.ts'

const keyOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** I7: sign, journal, then broadcast; one live attempt; only the newest lease writes. */
export class JournalWatch {
  readonly #evidence: Evidence
  /** The newest fence of each order. */
  readonly #fences = new Map<string, bigint>()
  /** Attempts of each order, as they were journalled. */
  readonly #attempts = new Map<string, Transaction[]>()
  readonly #journalled = new Set<string>()
  readonly #plans = new Map<string, number>()

  constructor(evidence: Evidence) {
    this.#evidence = evidence
  }

  claimed(lease: Lease | undefined, fail: Fail): void {
    if (lease === undefined) return
    const key = keyOf(lease.orderId)
    const newest = this.#fences.get(key) ?? 0n
    if (lease.fence <= newest) fail('every lease has a fence of its own', key)
    this.#fences.set(key, lease.fence)
  }

  written(lease: Lease, fail: Fail): void {
    const key = keyOf(lease.orderId)
    if (this.#fences.get(key) !== lease.fence) fail('only the newest lease writes', key)
  }

  /** Keeps the plan that the attempt is made under: the write may change it. */
  beforeJournal(orderId: Uint8Array, life: Life): void {
    const order = this.#evidence.memory.database.order(orderId)
    const sealed = order?.settlement?.sealedPlan ?? order?.sealedPlan
    if (sealed === undefined || sealed.length === 0) return
    this.#plans.set(keyOf(orderId), decodePlan(unsealed(sealed)).deliverAtMs - life.nowMs())
  }

  journalled(
    lease: Lease,
    attempt: { readonly kind: AttemptKind; readonly sealed: Uint8Array },
    life: Life,
    fail: Fail,
  ): void {
    this.written(lease, fail)
    const key = keyOf(lease.orderId)
    if (this.#areClocksTrue && (this.#plans.get(key) ?? 0) > 0)
      fail('nothing is paid before its drawn time', life.name)
    const record = JSON.parse(new TextDecoder().decode(unsealed(attempt.sealed))) as {
      readonly signature: string
    }
    const before = this.#attempts.get(key) ?? []
    if (before.some((one) => this.#canLand(one))) fail('I7: one live attempt', key)
    const transaction = this.#evidence.signatures.read(record.signature)
    this.#attempts.set(key, [...before, transaction])
    this.#journalled.add(record.signature)
  }

  /** Where clocks disagree by hours, an order's turn may come before its drawn time, but in time. */
  get #areClocksTrue(): boolean {
    const { fired } = this.#evidence.faults
    const jumps = ['wall_clock_jump', 'chain_clock_lag', 'chain_clock_leap'] as const
    return jumps.every((kind) => fired[kind] === undefined)
  }

  broadcast(wire: Uint8Array, fail: Fail): void {
    const signature = signatureIn(wire)
    if (!this.#journalled.has(signature)) fail('I7: journal before broadcast', signature)
  }

  /** I9: nothing is proved against a root that the finalized chain never had. */
  proved(settlement: Settlement, fail: Fail): void {
    const { ledger } = this.#evidence.chain
    const { position } = this.#evidence.chain.blockAt('finalized')
    const count = ledger.leavesAt(position)
    if (settlement.root.index >= count) fail('I9: proofs name finalized roots', 'index')
  }

  /** Whether an attempt may still change the chain, as far as any node has told. */
  #canLand({ lastValidHeight, signature, message }: Transaction): boolean {
    const { chain } = this.#evidence
    const height = Math.max(chain.blockAt('finalized').height, chain.toldHeight)
    if (height > lastValidHeight || chain.ledger.hasLanded(signature)) return false
    return message.kind === 'settle'
  }
}
