import { generateKeyPairSigner, type Address } from '@solana/kit'
import { encodeTicket, NATIVE_MINT, ownerOf } from '@sotto/protocol'
import { expect } from 'vitest'
import { draftOrder, sendDeposit } from '../../../../program/tests/fixtures/deposits.ts'
import {
  expectLanded,
  startPool,
  type PoolFixture,
} from '../../../../program/tests/fixtures/pool.ts'
import { liteNode, type LiteNode } from '../../../recovery/tests/lite-node.ts'
import { memoryBalance, openBalance, restoreBalance, type BalanceOptions } from '../../balance.ts'
import { PayingService } from './paying-service.ts'
import { sharedProver, type SharedProver } from '../../../../testing/prover/shared-prover.ts'

const SECRET = 4_711n

export const newWallet = async (): Promise<Address> => (await generateKeyPairSigner()).address

/** A chain in this process, and a service that pays on it. */
export class PayingStage {
  readonly fixture: PoolFixture
  readonly node: LiteNode
  readonly #prover: SharedProver

  private constructor(fixture: PoolFixture, prover: SharedProver) {
    this.fixture = fixture
    this.node = liteNode(fixture.chain)
    this.#prover = prover
  }

  static async start(): Promise<PayingStage> {
    const prover = await sharedProver()
    return new PayingStage(await startPool(), prover)
  }

  holds(address: Address): bigint {
    return this.fixture.chain.balance(address)
  }

  /** Moves the chain's clock past the last valid second of every signature. */
  passSignatures(): void {
    const { chain } = this.fixture
    chain.setTime(chain.time + 1_800n)
  }

  /** A new balance of this value, with a service and a store of its own. */
  async open(value: bigint) {
    const { chain } = this.fixture
    const paying = new PayingService(this.node, chain, this.#prover)
    const owner = { point: ownerOf(SECRET), secret: SECRET, sign: () => expect.fail('unused') }
    const wish = { sourceMint: NATIVE_MINT, amountOut: value, fee: 0n, owner }
    const order = await draftOrder(this.fixture, wish)
    expectLanded(await sendDeposit(this.fixture, order))
    const { program } = chain
    const store = memoryBalance()
    const options = {
      ...{ service: paying.service, rpc: this.node.rpc, programId: program },
      ...{ approve: () => true, pollMs: 5 },
    }
    const { orderId } = order.terms
    const ticket = encodeTicket({ program, orderId, note: order.note, secret: SECRET })
    await restoreBalance({ ...options, store, ticket })
    return {
      ...{ paying, store, ticket, sender: order.note.sender },
      /** Opens the balance with the same store, as another process of the owner would. */
      reopen: (more: Partial<BalanceOptions> = {}) =>
        openBalance({ ...options, store, acceptedPrograms: [], ...more }),
      /** Opens the balance with a new store, as another holder of the secret would. */
      elsewhere: (more: Partial<BalanceOptions> = {}) =>
        restoreBalance({ ...options, store: memoryBalance(), ticket, ...more }),
    }
  }
}
