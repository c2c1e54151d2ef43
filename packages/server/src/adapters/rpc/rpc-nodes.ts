import { wholeNumber } from '../../domain/whole-number.ts'
import type { Clock } from '../../ports/clock.ts'
import { probe, rpcNode, type RpcNode } from './rpc-node.ts'
import type { NodeStanding, RpcObserver } from './rpc-observer.ts'

export interface RpcNodesOptions {
  /** In the order of preference. */
  readonly urls: readonly string[]
  /** A node so many slots behind the others is not read from. */
  readonly lagSlots: number
  readonly clock: Clock
  /** Told when a node, by its place in the list, fails for the first time, or is back. */
  readonly changed?: (place: number, isUp: boolean) => void
  readonly observer?: RpcObserver
}

/** Slots last 400 ms: a node that looks up to date can't have fallen far behind in this time. */
const PROBE_EVERY_MS = 2_000
const REST_MS = 1_000
const REST_MAX_MS = 30_000

/**
 * Several nodes of one cluster: which of them may be read from now. A node that failed rests, asked last; one
 * that is behind is left out, and for ever one that belongs to another cluster than the first that
 * answered. With three nodes or more one alone can't make the others look behind.
 */
export class RpcNodes {
  readonly #nodes: readonly RpcNode[]
  readonly #lagSlots: bigint
  readonly #d: RpcNodesOptions
  #genesis: string | undefined
  #probedAtMs = -Infinity
  #probing: Promise<void> | undefined

  constructor(options: RpcNodesOptions) {
    this.#d = options
    this.#nodes = options.urls.map(rpcNode)
    this.#lagSlots = BigInt(options.lagSlots)
    options.observer?.watch(() => this.#standings())
  }

  /** Those that may be read from, the preferred first; none where all are down or behind. */
  async readable(): Promise<RpcNode[]> {
    // Alone it is asked in any case, and asking where it stands would only double the requests.
    if (this.#nodes.length === 1) return [...this.#nodes]
    const isOld = this.#d.clock.nowMs() - this.#probedAtMs >= PROBE_EVERY_MS
    const probing = isOld ? this.#probeAll() : undefined
    // Whoever comes later uses what is known, and doesn't wait for a node that hangs.
    if (this.#pick().length === 0) await (probing ?? this.#probing)
    return this.#pick()
  }

  /** Those that a transaction is handed to: also a node that is behind passes it on. */
  async sendable(): Promise<RpcNode[]> {
    const readable = await this.readable()
    const others = this.#nodes.filter((one) => this.#isOurs(one) && !this.#isResting(one))
    return [...readable, ...others.filter((one) => !readable.includes(one))]
  }

  answered(node: RpcNode): void {
    this.#d.observer?.tried(node.place, 'answered')
    if (node.failures > 0) this.#d.changed?.(node.place, true)
    node.failures = 0
    node.restsUntilMs = 0
  }

  /** It is unhealthy, or behind the slot that was asked for; another is asked, and this one again. */
  lacked(node: RpcNode): void {
    this.#d.observer?.tried(node.place, 'lacking')
  }

  failed(node: RpcNode): void {
    this.#d.observer?.tried(node.place, 'failed')
    if (node.failures === 0) this.#d.changed?.(node.place, false)
    const restMs = Math.min(REST_MS * 2 ** node.failures, REST_MAX_MS)
    node.failures += 1
    node.restsUntilMs = this.#d.clock.nowMs() + restMs
  }

  #standings(): NodeStanding[] {
    const slots = this.#nodes.flatMap(({ slot }) => slot ?? [])
    const head = slots.reduce((most, slot) => (slot > most ? slot : most), 0n)
    return this.#nodes.map(({ place, failures, slot }) => ({
      ...{ place, isUp: failures === 0 },
      lagSlots: slot === undefined ? undefined : wholeNumber(head - slot),
    }))
  }

  #isOurs(node: RpcNode): boolean {
    return node.genesis !== undefined && node.genesis === this.#genesis
  }

  #isResting({ restsUntilMs }: RpcNode): boolean {
    return this.#d.clock.nowMs() < restsUntilMs
  }

  #pick(): RpcNode[] {
    const ours = this.#nodes.filter((one) => this.#isOurs(one))
    const slots = ours.flatMap(({ slot }) => slot ?? []).sort((a, b) => (a < b ? 1 : -1))
    // Also of nodes that are down now: what was seen once must not be unseen by reading elsewhere.
    const head = slots[this.#nodes.length > 2 && slots.length > 1 ? 1 : 0] ?? 0n
    const fresh = ours.filter(({ slot }) => slot !== undefined && slot + this.#lagSlots >= head)
    // One that failed is asked again where no other answers.
    const isResting = (one: RpcNode) => this.#isResting(one)
    return [...fresh.filter((one) => !isResting(one)), ...fresh.filter(isResting)]
  }

  #probeAll(): Promise<void> {
    this.#probing ??= this.#askAll().finally(() => {
      this.#probedAtMs = this.#d.clock.nowMs()
      this.#probing = undefined
    })
    return this.#probing
  }

  async #askAll(): Promise<void> {
    await Promise.all(
      this.#nodes.map((node) =>
        probe(node).then(
          () => this.answered(node),
          () => this.failed(node),
        ),
      ),
    )
    this.#genesis ??= this.#nodes.find(({ genesis }) => genesis !== undefined)?.genesis
  }
}
