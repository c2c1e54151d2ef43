import { wasmPoseidon as poseidon } from '@sotto/poseidon'
import {
  decodeTicket,
  encodeTicket,
  NATIVE_MINT,
  ownerOf,
  type Address,
  type Ticket,
} from '@sotto/protocol'
import { draftOrder, sendDeposit } from '../../../program/tests/fixtures/deposits.ts'
import { expectLanded, startPool, type PoolFixture } from '../../../program/tests/fixtures/pool.ts'
import type { LandingStep } from '../index.ts'
import { congestedRpc, type Verdict } from './congested-rpc.ts'
import { liteNode, type LiteNode } from './lite-node.ts'
import { sharedProver, type SharedProver } from '../../../testing/prover/shared-prover.ts'

export const VALUE = 1_000_000_000n
const SECRET = 4_711n

/** A pool on a chain in this process, a prover, and nodes that drop transactions. */
export class LandingStage {
  readonly prover: SharedProver
  readonly fixture: PoolFixture
  readonly node: LiteNode

  private constructor(prover: SharedProver, fixture: PoolFixture) {
    this.prover = prover
    this.fixture = fixture
    this.node = liteNode(fixture.chain)
  }

  static async start(): Promise<LandingStage> {
    const prover = await sharedProver()
    return new LandingStage(prover, await startPool())
  }

  async deposit(
    kind: 'balance' | 'transfer',
    mint: Address = NATIVE_MINT,
    life?: bigint,
  ): Promise<Ticket> {
    const sign = () => {
      throw new Error('a deposit needs no signature of the owner')
    }
    const owner = { point: ownerOf(SECRET), secret: SECRET, sign }
    const lives = life === undefined ? {} : { life }
    const wish = { sourceMint: mint, amountOut: VALUE, fee: 5_000_000n, ...lives }
    const order = await draftOrder(this.fixture, kind === 'balance' ? { ...wish, owner } : wish)
    expectLanded(await sendDeposit(this.fixture, order))
    const secret = kind === 'balance' ? { secret: SECRET } : {}
    const { orderId } = order.terms
    const ticket = { program: this.fixture.chain.program, orderId, note: order.note, ...secret }
    return decodeTicket(encodeTicket(ticket), ownerOf)
  }

  /**
   * A congested node, and the options for a settlement through it. `verdicts` are the verdicts on the transactions, in
   * order. Every further transaction is dropped.
   */
  async through(ticket: Ticket, ...verdicts: Verdict[]) {
    const steps: LandingStep[] = []
    const congested = congestedRpc(this.node.rpc, (number) => verdicts[number - 1] ?? 'drop')
    const prove = async (inputs: Parameters<SharedProver['prove']>[0]) =>
      (await this.prover.prove(inputs)).bytes
    const payer = await this.fixture.chain.wallet()
    const onStep = (step: LandingStep) => void steps.push(step)
    return {
      ...{ congested, steps, landing: { sleep: congested.sleep, nowMs: congested.nowMs, onStep } },
      use: { rpc: congested.rpc, poseidon, prove, ticket, payer, isLocalChain: true },
    }
  }
}
