import { generateKeyPairSigner, type Address } from '@solana/kit'
import { encodeTicket, NATIVE_MINT, ownerOf } from '@sotto/protocol'
import { restoreBalance } from '@sotto/sdk/balance'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { draftOrder, sendDeposit } from '../../../program/tests/fixtures/deposits.ts'
import { expectLanded, startPool, type PoolFixture } from '../../../program/tests/fixtures/pool.ts'
import { liteNode, type LiteNode } from '../../recovery/tests/lite-node.ts'
import { FEE, PayingService } from '../../sdk/tests/balance/paying-service.ts'
import { balanceStore } from '../src/balances/balance-files.ts'
import type { CliContext } from '../src/context.ts'
import { openOutput } from '../src/output/output.ts'
import { sharedProver, type SharedProver } from '../../../testing/prover/shared-prover.ts'

const SECRET = 4_711n
/** The folders of the command's files. */
const FOLDERS = ['balances', 'payroll']
const SOL = {
  ...{ assetId: NATIVE_MINT, symbol: 'SOL', decimals: 9, min: '1', serviceFeeBps: 0 },
  networkFee: { accountExists: `${FEE}`, accountCreated: `${FEE}` },
}

/** The error of a list whose second line may have been paid. */
export const UNCERTAIN = {
  code: 'LINE_UNCERTAIN',
  message: expect.stringContaining('line 2') as string,
}

/** The value of an opened balance, and the value of one line of a list, in lamports. */
export const VALUE = 1_000_000_000n
export const SENT = 100_000_000n
/** Options with which a list is paid without questions. */
export const PAYROLL_OPTIONS = { yes: true, maxFee: '0.006', interval: 0.005 }

export const newWallet = async (): Promise<Address> => (await generateKeyPairSigner()).address

/** The values of `--again` that the error of a refused command names. */
export async function againValuesIn(refused: Promise<unknown>): Promise<string[]> {
  const error = await refused.catch((reason: unknown) => reason)
  const { next } = error as { readonly next: string }
  return [...next.matchAll(/--again (\S+)/g)].map(([, value]) => value!)
}

/** The service and the node that a command uses. */
export interface Parts {
  readonly service: unknown
  readonly rpc: unknown
}

/** A machine with balances, and a chain and a service for payments out of them, all in this process. */
export class PayingMachine {
  readonly home: string
  readonly fixture: PoolFixture
  readonly node: LiteNode
  readonly paying: PayingService

  private constructor(home: string, fixture: PoolFixture, prover: SharedProver) {
    this.home = home
    this.fixture = fixture
    this.node = liteNode(fixture.chain)
    this.paying = new PayingService(this.node, fixture.chain, prover)
  }

  static async start(): Promise<PayingMachine> {
    const home = await mkdtemp(join(tmpdir(), 'sotto-paying-'))
    const prover = await sharedProver()
    return new PayingMachine(home, await startPool(), prover)
  }

  async stop(): Promise<void> {
    await rm(this.home, { recursive: true })
  }

  service() {
    return {
      ...this.paying.service,
      tokens: async () => ({ success: true, tokens: [SOL], asOf: '' }),
    }
  }

  /** A command's context on the chain in this process. It records the results that the command prints. */
  contextOf(parts: Partial<Parts> = {}, signal = new AbortController().signal) {
    const { service = this.service(), rpc = this.node.rpc } = parts
    const results: Record<string, unknown>[] = []
    const stream = { write: () => true, isTTY: false }
    const output = {
      ...openOutput({ json: true }, { stdout: stream, stderr: stream, stdin: {} }),
      result: (value: object) => void results.push(value as Record<string, unknown>),
    }
    const settings = { home: this.home, programId: this.fixture.chain.program }
    const given = { settings, output, signal, client: async () => service, rpc: async () => rpc }
    return { results, context: given as unknown as CliContext }
  }

  /** Opens a balance with this many lamports on this machine. Returns a ticket with its secret. */
  async open(name: string, value: bigint): Promise<string> {
    const owner = { point: ownerOf(SECRET), secret: SECRET, sign: () => expect.fail('unused') }
    const order = await draftOrder(this.fixture, {
      ...{ sourceMint: NATIVE_MINT, amountOut: value, fee: 0n, owner },
    })
    expectLanded(await sendDeposit(this.fixture, order))
    const { program } = this.fixture.chain
    const { orderId } = order.terms
    const ticket = encodeTicket({ program, orderId, note: order.note, secret: SECRET })
    await this.restore(name, ticket)
    return ticket
  }

  async restore(name: string, ticket: string): Promise<void> {
    await restoreBalance({
      ...{ store: balanceStore(this.home, name), ticket, programId: this.fixture.chain.program },
      ...{ service: this.paying.service, rpc: this.node.rpc, approve: () => true, pollMs: 5 },
    })
  }

  /** Copies every file of the command, as a backup of the whole machine does. */
  async backUp(): Promise<void> {
    for (const folder of FOLDERS) {
      const from = join(this.home, folder)
      await rm(`${from}.backup`, { recursive: true, force: true })
      await mkdir(from, { recursive: true })
      await cp(from, `${from}.backup`, { recursive: true })
    }
  }

  async restoreAll(): Promise<void> {
    for (const folder of FOLDERS) {
      const to = join(this.home, folder)
      await rm(to, { recursive: true })
      await cp(`${to}.backup`, to, { recursive: true })
    }
  }

  holds(address: Address): bigint {
    return this.fixture.chain.balance(address)
  }
}
