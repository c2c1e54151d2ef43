import { decodeTicket, ownerOf } from '@sotto/protocol'
import { memoryBalance, openBalance, type Balance } from '@sotto/sdk/balance'
import { hexOf, type TrueLink } from '../load/ledger.ts'
import type { PlannedPayment, PlannedTopUp } from '../load/plan.ts'
import type { LocalRun } from './local-run.ts'
import { whenAvailable } from './when-available.ts'

interface HeldBalance {
  readonly balance: Balance
  /** The order id of the balance's deposit. */
  readonly orderId: string
}

/** The balances of a load. Their owners use the SDK. */
export class BalanceHolder {
  readonly #run: LocalRun
  readonly #held = new Map<number, Promise<HeldBalance>>()
  #payments = 0

  constructor(run: LocalRun) {
    this.#run = run
  }

  /** Opens a balance. Resolves when its deposit has landed. */
  async topUp(step: PlannedTopUp): Promise<void> {
    const opened = this.#open(step)
    this.#held.set(step.balance, opened)
    await opened
  }

  /** Makes a payment as soon as its balance is open. Payments of one balance are made one after the other. */
  async pay({
    balance: number,
    payee,
    payout,
    way,
    amountKind,
  }: PlannedPayment): Promise<TrueLink> {
    const opened = this.#held.get(number)
    if (opened === undefined) throw new Error("the payment's balance was never opened")
    const { balance, orderId } = await opened
    const to = await this.#run.people.payee(payee)
    this.#payments += 1
    const payment = { key: `${this.#payments}`, to, amount: `${payout}` }
    const { signature } = await whenAvailable(() => balance.send(payment))
    if (signature === null) throw new Error('the node has lost the payment')
    return { settlement: signature, orderId, way, amountKind }
  }

  async #open({ wallet, token, amount, lifeSeconds }: PlannedTopUp): Promise<HeldBalance> {
    const { client, rpc, program, people, mintOf, sdk } = this.#run
    const signer = await people.wallet(wallet)
    const options = {
      ...sdk,
      ...{ service: client, rpc, programId: program, approve: () => true },
      ...{ signer, store: memoryBalance() },
      topUp: {
        ...{ senderAddress: signer.address, assetId: mintOf(token), amount: `${amount}` },
        balanceSeconds: lifeSeconds,
      },
    }
    const balance = await whenAvailable(() => openBalance(options))
    return { balance, orderId: hexOf(decodeTicket(balance.ticket, ownerOf).orderId) }
  }
}
