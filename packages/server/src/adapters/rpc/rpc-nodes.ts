import { wholeNumber } from '../../domain/whole-number.ts'
import { RequestPace } from '@sotto/protocol'
import type { Clock } from '../../ports/clock.ts'
import type { PaceOf } from './paces.ts'
import type { Patience } from './patience.ts'
import { probe, rpcNode, type RpcNode } from './rpc-node.ts'
import type { NodeStanding, RpcObserver } from './rpc-observer.ts'

/** The cluster of several lists of nodes. */
export interface Cluster {
  /** The genesis hash; undefined until it is known. Until then, each list determines its cluster by itself. */
  genesis: string | undefined
}

export interface RpcNodesOptions {
  /** The nodes' URLs, the preferred one first. */
  readonly urls: readonly string[]
  /**
   * A node with a greater lag isn't used for reads. The lag is measured from the highest slot of all nodes. With three
   * nodes or more, it is measured from the second highest slot.
   */
  readonly lagSlots: number
  readonly clock: Clock
  /** The paces that these nodes share with other clients of the process. By default, each node has its own pace. */
  readonly paceOf?: PaceOf
  /** By default, the list has no cluster in common with other lists. */
  readonly cluster?: Cluster
  /** Called with a node's index in the list when the node starts to fail, and when it answers again. */
  readonly changed?: (place: number, isUp: boolean) => void
  /** Called with a node's index in the list when the node turns out to belong to another cluster. */
  readonly foreign?: (place: number) => void
  readonly observer?: RpcObserver
  /** If set, requests wait for nodes that demand a long pause. By default, such requests fail. */
  readonly patience?: Patience
  /** True for endpoints that only accept transactions. They are never asked for their slots. */
  readonly isSendOnly?: boolean
}

/** The nodes to read from, and methods that record the nodes' answers. */
export type NodeList = Pick<RpcNodes, 'readable' | 'answered' | 'lacked' | 'failed'>

/** Interval of the probes. Slots last 400 ms, so an up-to-date node can't fall far behind within this time. */
const PROBE_EVERY_MS = 2_000
const REST_MS = 1_000
const REST_MAX_MS = 30_000

/**
 * Several nodes of one cluster. Decides which of them may currently be used for reads. A node that failed is asked last
 * for a while. A node that lags is excluded. A node of another cluster is excluded too, and counts as down. If the
 * cluster isn't known, it is the cluster of the first node in the list that answers. With three nodes or more, one node
 * with a false slot can't make the other nodes appear to lag.
 */
export class RpcNodes {
  readonly #nodes: readonly RpcNode[]
  readonly #lagSlots: bigint
  readonly #d: RpcNodesOptions
  /** The cluster of the first node that answered. */
  #firstGenesis: string | undefined
  #probedAtMs = -Infinity
  #probing: Promise<void> | undefined

  constructor(options: RpcNodesOptions) {
    this.#d = options
    const paceOf = options.paceOf ?? (() => new RequestPace(options.clock))
    this.#nodes = options.urls.map((url, place) => rpcNode(url, place, paceOf(url)))
    this.#lagSlots = BigInt(options.lagSlots)
    options.observer?.watch(() => this.#standings())
  }

  /**
   * Returns the nodes that may be read from, the preferred one first. A single node is always returned. With several
   * nodes, the list is empty until a node has reported its slot.
   */
  async readable(): Promise<RpcNode[]> {
    // A single node is always used. A probe would only double the requests.
    if (this.#nodes.length === 1) return [...this.#nodes]
    // If the clock was set back, the last probe seems to be in the future. It counts as old then.
    const isOld = Math.abs(this.#d.clock.nowMs() - this.#probedAtMs) >= PROBE_EVERY_MS
    const probing = isOld ? this.#probeAll() : undefined
    // A caller waits for the probe only if there is no usable node. If there is one, the caller uses the known states,
    // so a node that hangs doesn't delay the caller.
    if (this.#pick().length === 0) await (probing ?? this.#probing)
    return this.#pick()
  }

  /**
   * Returns the nodes to which a transaction is sent. A node that lags forwards transactions too, so it is included.
   */
  async sendable(): Promise<RpcNode[]> {
    // It isn't known which endpoint works now. So every endpoint gets the transaction, even one that has failed.
    if (this.#d.isSendOnly === true) return [...this.#nodes]
    const readable = await this.readable()
    const others = this.#nodes.filter((one) => this.#isOurs(one) && !this.#isResting(one))
    return [...readable, ...others.filter((one) => !readable.includes(one))]
  }

  /**
   * Returns a separate list for each node. The list is empty if the node has failed recently or belongs to another
   * cluster.
   */
  apart(): NodeList[] {
    return this.#nodes.map((node) => ({
      readable: async () => {
        await this.readable()
        return this.#isOurs(node) && !this.#isResting(node) ? [node] : []
      },
      answered: (one) => this.answered(one),
      lacked: (one) => this.lacked(one),
      failed: (one) => this.failed(one),
    }))
  }

  /** Milliseconds until a node that limits requests accepts the next one; 0 if no node limits requests. */
  limitedMs(method: string): number {
    const waits = this.#nodes.map(({ pace }) => pace.waitMs(method)).filter((ms) => ms > 0)
    return waits.length === 0 ? 0 : Math.min(...waits)
  }

  answered(node: RpcNode): void {
    this.#d.observer?.tried(node.place, 'answered')
    if (node.failures > 0 && !node.isForeign) this.#d.changed?.(node.place, true)
    node.failures = 0
    node.restsUntilMs = 0
  }

  /**
   * Records that a node is unhealthy or hasn't reached the requested slot. The caller asks another node. This node
   * isn't marked as failed, so the next request asks it again.
   */
  lacked(node: RpcNode): void {
    this.#d.observer?.tried(node.place, 'lacking')
  }

  failed(node: RpcNode): void {
    this.#d.observer?.tried(node.place, 'failed')
    if (node.failures === 0 && !node.isForeign) this.#d.changed?.(node.place, false)
    const restMs = Math.min(REST_MS * 2 ** node.failures, REST_MAX_MS)
    node.failures += 1
    node.restsUntilMs = this.#d.clock.nowMs() + restMs
  }

  #standings(): NodeStanding[] {
    // The slots of another cluster can't be compared with the slots of this cluster.
    const slotOf = ({ isForeign, slot }: RpcNode) => (isForeign ? undefined : slot)
    const slots = this.#nodes.flatMap((node) => slotOf(node) ?? [])
    const head = slots.reduce((most, slot) => (slot > most ? slot : most), 0n)
    return this.#nodes.map((node) => {
      const slot = slotOf(node)
      const isUp = node.failures === 0 && !node.isForeign
      return {
        ...{ place: node.place, isUp },
        lagSlots: slot === undefined ? undefined : wholeNumber(head - slot),
      }
    })
  }

  get #genesis(): string | undefined {
    return this.#d.cluster?.genesis ?? this.#firstGenesis
  }

  #isOurs(node: RpcNode): boolean {
    return node.genesis !== undefined && node.genesis === this.#genesis
  }

  #isResting({ restsUntilMs }: RpcNode): boolean {
    const leftMs = restsUntilMs - this.#d.clock.nowMs()
    // A rest lasts at most `REST_MAX_MS`. If more time seems to be left, the clock was set back, and the rest counts as
    // over.
    return leftMs > 0 && leftMs <= REST_MAX_MS
  }

  #pick(): RpcNode[] {
    const ours = this.#nodes.filter((one) => this.#isOurs(one))
    const slots = ours.flatMap(({ slot }) => slot ?? []).sort((a, b) => (a < b ? 1 : -1))
    // The last slots of nodes that are down count too. If they didn't, a read from another node could return an older
    // state than an earlier read.
    const head = slots[this.#nodes.length > 2 && slots.length > 1 ? 1 : 0] ?? 0n
    const fresh = ours.filter(({ slot }) => slot !== undefined && slot + this.#lagSlots >= head)
    // Nodes that failed come last. They are asked only if no other node answers.
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
          () => {
            this.#compare(node)
            this.answered(node)
          },
          () => this.failed(node),
        ),
      ),
    )
    if (this.#genesis !== undefined) return
    this.#firstGenesis = this.#nodes.find(({ genesis }) => genesis !== undefined)?.genesis
    for (const node of this.#nodes) this.#compare(node)
  }

  /** Reports a node that belongs to another cluster than the other nodes, or that belongs to their cluster again. */
  #compare(node: RpcNode): void {
    if (node.genesis === undefined || this.#genesis === undefined) return
    const isForeign = node.genesis !== this.#genesis
    if (isForeign === node.isForeign) return
    node.isForeign = isForeign
    if (isForeign) this.#d.foreign?.(node.place)
    // If the node had failed, `answered` runs next and reports that the node is up again.
    else if (node.failures === 0) this.#d.changed?.(node.place, true)
  }
}
