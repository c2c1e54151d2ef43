import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Address, KeyPairSigner } from '@solana/kit'
import type { Chain } from '../../demo/src/chain.ts'
import type { Step } from '../quickstart/read-page.ts'
import { setBufferAuthority, upgradeMessage, writeBuffer } from './loader.ts'
import type { Squads } from './squads.ts'
import type { Walk } from './walk.ts'

const ADMIN_FILE = '--admin ~/sotto/admin.json'
const TABLE_ONLY = /^sotto-server asset (add|set) /

interface Parties {
  readonly chain: Chain
  readonly squads: Squads
  readonly deployer: KeyPairSigner
  readonly program: Address
  /** The path of the operator's folder `~/sotto`. */
  readonly folder: string
}

/**
 * Follows docs/deployment/cluster.md as the operator of a multisig. Each transaction that the admin or the upgrade
 * authority would sign becomes a proposal of the multisig.
 */
export class MultisigWalk {
  readonly #walk: Walk
  readonly #parties: Parties

  constructor(walk: Walk, parties: Parties) {
    this.#walk = walk
    this.#parties = parties
  }

  /** Executes one step. @throws Error if the page, the service or the multisig is wrong. */
  async follow(step: Step): Promise<void> {
    if (step.kind !== 'type' || !/--unsigned|admin\.json/.test(step.text)) {
      return this.#walk.follow(step)
    }
    // A proposal needs no durable nonce, because the transaction that executes it later has its own blockhash.
    if (step.text.includes('--nonce')) return
    for (const line of step.text.trim().split('\n')) await this.type(line)
  }

  /** Executes one line. If the line prints a transaction, the multisig imports it, approves it and executes it. */
  async type(line: string): Promise<void> {
    const { squads, folder } = this.#parties
    const upgrade = /^solana program deploy (\S+) /.exec(line)
    if (upgrade !== null) return this.#upgrade(upgrade[1] ?? '')
    if (line.includes('transaction sign')) return
    if (line.includes('transaction submit')) {
      const text = await readFile(path.join(folder, 'unsigned.json'), 'utf8')
      const { transactionBase58 } = JSON.parse(text) as { transactionBase58: string }
      return squads.execute(transactionBase58)
    }
    if (line.includes('unsigned.json')) return void (await this.#walk.terminal.type(line))
    const unsigned = line.replace(ADMIN_FILE, '--unsigned --admin "$MULTISIG"')
    const command = unsigned.replace(/^sotto-server /, 'sotto-server --json ')
    const printed = JSON.parse(await this.#walk.terminal.type(command)) as {
      readonly transactionBase58?: string
    }
    if (printed.transactionBase58 === undefined) return
    await squads.execute(printed.transactionBase58)
    // As the page says, running the same command again updates the service's own table.
    if (TABLE_ONLY.test(line)) await this.#walk.terminal.type(command)
  }

  /**
   * Writes the code into a buffer, and gives the buffer to the multisig. The multisig then upgrades the program with
   * it.
   */
  async #upgrade(shown: string): Promise<void> {
    const { chain, squads, deployer, program } = this.#parties
    const file = (await this.#walk.terminal.type(`echo ${shown}`)).trim()
    const parties = { chain, payer: deployer, authority: deployer }
    const buffer = await writeBuffer(parties, await readFile(file))
    await setBufferAuthority(parties, buffer, squads.vault)
    await squads.executeMessage(
      await upgradeMessage(program, buffer, deployer.address, squads.vault),
    )
  }
}
