import { isShown } from '../quickstart/compare-output.ts'
import type { Step } from '../quickstart/read-page.ts'
import type { Terminal } from '../quickstart/terminal.ts'

/** Follows the steps of docs/deployment/cluster.md in a terminal. */
export class Walk {
  readonly terminal: Terminal
  readonly #balance: () => Promise<bigint>
  readonly #deploymentMax: bigint
  #printed = ''

  /**
   * @param balance reads the lamports of the deploying wallet.
   * @param deploymentMax the maximum number of lamports that a deployment may cost, as stated on the page.
   */
  constructor(terminal: Terminal, balance: () => Promise<bigint>, deploymentMax: bigint) {
    this.terminal = terminal
    this.#balance = balance
    this.#deploymentMax = deploymentMax
  }

  /** Executes one step of the page. @throws Error if the page is wrong. */
  async follow(step: Step): Promise<void> {
    if (step.kind === 'see') {
      if (!isShown(step.text, this.#printed)) throw new Error(`printed instead:\n${this.#printed}`)
      return
    }
    if (step.kind !== 'type') throw new Error(`the guide has a block of an unsupported kind`)
    const before = await this.#balance()
    this.#printed = await this.terminal.type(step.text)
    const spent = before - (await this.#balance())
    if (!/^solana program deploy /m.test(step.text)) return
    console.log(`    deploying took ${spent} lamports`)
    const most = this.#deploymentMax
    if (spent > most) throw new Error(`the deployment cost more than ${most} lamports`)
  }
}
