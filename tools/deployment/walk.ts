import { isShown } from '../quickstart/compare-output.ts'
import type { Step } from '../quickstart/read-page.ts'
import type { Terminal } from '../quickstart/terminal.ts'

/** The maximum of lamports that a deployment may cost, as stated on the page. */
const DEPLOYMENT_LAMPORTS = 730_000_000n

/** Follows the page's steps in a terminal. */
export class Walk {
  readonly terminal: Terminal
  readonly #balance: () => Promise<bigint>
  #printed = ''

  /** @param balance reads the lamports of the wallet that deploys */
  constructor(terminal: Terminal, balance: () => Promise<bigint>) {
    this.terminal = terminal
    this.#balance = balance
  }

  /** Executes one step of the page. @throws Error if the page is wrong. */
  async follow(step: Step): Promise<void> {
    if (step.kind === 'see') {
      if (!isShown(step.text, this.#printed)) throw new Error(`printed instead:\n${this.#printed}`)
      return
    }
    if (step.kind !== 'type') throw new Error(`no step of the guide may be a block of this kind`)
    const before = await this.#balance()
    this.#printed = await this.terminal.type(step.text)
    const spent = before - (await this.#balance())
    if (!/^solana program deploy /m.test(step.text)) return
    console.log(`    deploying took ${spent} lamports`)
    if (spent > DEPLOYMENT_LAMPORTS) throw new Error(`more than ${DEPLOYMENT_LAMPORTS} lamports`)
  }
}
