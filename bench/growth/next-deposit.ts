import type { RecentLeaf } from '@sotto/protocol'
import type {
  ChainFollow,
  FinalizedHead,
} from '../../packages/server/src/ports/settlement-chain.ts'
import type { VerifiedTree } from '../../packages/server/src/settlement/follow/verified-tree.ts'

const unasked = (): never => {
  throw new Error('a follower without a backlog requests only the newest entries')
}

/** The tree of the follower that is measured. */
type Followed = Pick<VerifiedTree, 'leaf' | 'root' | 'size'>

/** A node that answers immediately, so that only the service's own work is measured. */
export class NextDeposit implements ChainFollow {
  readonly #tree: Followed
  #head: FinalizedHead
  #entries: RecentLeaf[] = []

  constructor(tree: Followed, head: FinalizedHead) {
    this.#tree = tree
    this.#head = head
    // In the first round, the follower compares its root with this entry: the root after the last seeded leaf.
    this.#show(tree.leaf(tree.size - 1) ?? 0n)
  }

  /** The follower uses the answer only for orders of balances. This measurement has no such orders. */
  readonly readDepositIndexes = async () => []

  /** Lets an order's deposit land in the next slot. */
  land(leaf: bigint): void {
    this.pass()
    this.#head = { ...this.#head, nextLeaf: this.#head.nextLeaf + 1n }
    this.#show(leaf)
  }

  #show(leaf: bigint): void {
    const tree = this.#tree
    // The root comes from the follower's own tree, because a second tree would double the memory. The follower asks for
    // the root only after it has appended the leaf to its tree.
    const entry = {
      leaf,
      get root() {
        return tree.root
      },
    }
    this.#entries = [entry]
  }

  /** Adds an empty slot. Then the follower compares the newest entry again. */
  pass(): void {
    const { slot, blockHeight } = this.#head
    this.#head = { ...this.#head, slot: slot + 1n, blockHeight: blockHeight + 1n }
  }

  readonly readHead = async () => this.#head
  readonly readEntries = async () => this.#entries
  readonly readTree = unasked
  readonly readConfirmedLeaves = async () => []
  readonly readHistory = unasked
  readonly forgetHistory = () => undefined
  readonly findDeposit = async () => undefined
}
