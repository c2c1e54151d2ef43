import type { Faults } from '../faults/faults.ts'
import type { Endpoint } from './endpoint.ts'
import type { Block, Commitment, FakeChain } from './fake-chain.ts'

/** The maximum lag of a node: three minutes of blocks. */
const LAG_MAX = 90

/**
 * The node that serves one request. If the process uses a load balancer, its next request may reach a different node.
 */
export class Node {
  readonly chain: FakeChain
  readonly faults: Faults
  readonly endpoint: Endpoint
  readonly #lag: number

  /** @throws Error if the endpoint doesn't answer. */
  constructor(endpoint: Endpoint) {
    const { chain, faults } = endpoint
    this.chain = chain
    this.faults = faults
    this.endpoint = endpoint
    const drawn = faults.fires('lagging_node', 'node') ? faults.random.between(1, LAG_MAX) : 0
    this.#lag = Math.max(drawn, endpoint.lag)
    if (endpoint.isDead) throw new Error('the node does not answer')
  }

  /** True if this node doesn't show the newest block yet. */
  get isBehind(): boolean {
    return this.#lag > 0
  }

  at(commitment: Commitment): Block {
    return this.chain.blockAt(commitment, this.#lag)
  }

  /**
   * The finalized block.
   *
   * @throws Error if this node hasn't reached the slot.
   */
  reached(slot: bigint): Block {
    const block = this.at('finalized')
    if (BigInt(block.slot) < slot) throw new Error('the node has not reached the slot')
    return block
  }
}
