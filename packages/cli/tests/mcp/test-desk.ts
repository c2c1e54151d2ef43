import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { amount, sumOf, type Amount } from '@sotto/protocol'
import type { Question } from '../../src/mcp/ledger/entry.ts'
import { Ledger } from '../../src/mcp/ledger/ledger.ts'
import type { Limits } from '../../src/mcp/limits.ts'
import { ToolError } from '../../src/mcp/tool-error.ts'
import type { Confirmation } from '../../src/mcp/payments/confirmation.ts'
import { PaymentDesk, type Sent } from '../../src/mcp/payments/payment-desk.ts'
import type { Attempt, PaymentOrder, Purse } from '../../src/mcp/payments/purse.ts'

const FEE = amount(4n)
export const LIMITS: Limits = {
  ...{ maxPayment: amount(100n), maxDay: amount(250n), confirmAbove: amount(100n) },
  ...{ confirm: 'client', recipients: undefined },
}

/** A payment in the store of a test purse. */
interface Stored {
  /** The mark of its newest attempt. */
  mark?: string
  step?: 'signed' | 'paid'
  /** True if a node showed that a signature of the payment can't land, and the SDK dropped it. */
  hasLapsed?: boolean
}

/** The points of a payment at which a test can end the process. */
export const POINTS = ['marking', 'marked', 'begun', 'signed', 'paid'] as const
export type Point = (typeof POINTS)[number]

/**
 * A purse that pays immediately. A test can make a payment hang, fail before its signature, or fail after its
 * signature. It can also replace the store, as happens when a person restores a balance from a ticket or a backup.
 */
export class TestPurse implements Purse {
  mayBePaid: Purse['mayBePaid'] = async () => false
  readonly paid: { key: string; amount: Amount; most: Amount }[] = []
  store = new Map<string, Stored>()
  fee = FEE
  before: (key: string) => Promise<void> = async () => undefined
  after: (key: string) => Promise<void> = async () => undefined
  reached: (point: Point) => Promise<void> = async () => undefined

  async quote(_to: string, payout: Amount) {
    return { total: sumOf([payout, this.fee]), fee: this.fee, suggestions: [], isPaidBefore: false }
  }

  async pay({ key, amount }: PaymentOrder, most: Amount, attempt: Attempt) {
    const { store } = this
    const done = () => ({
      ...{ trackingId: `order-${key}`, payout: `${amount}`, fee: `${this.fee}` },
      signature: null,
    })
    await this.reached('marking')
    const stored = store.get(key) ?? {}
    store.set(key, { ...stored, mark: attempt.id })
    await this.reached('marked')
    await attempt.begin()
    await this.reached('begun')
    if (stored.step === 'paid') return done()
    await this.before(key)
    if (amount + this.fee > most) throw balanceError('QUOTE_DECLINED')
    store.set(key, { mark: attempt.id, step: 'signed' })
    await this.reached('signed')
    await this.after(key)
    store.set(key, { mark: attempt.id, step: 'paid' })
    this.paid.push({ key, amount, most })
    await this.reached('paid')
    return done()
  }

  async outcome(key: string, attemptId: string) {
    const { mark, step, hasLapsed = false } = this.store.get(key) ?? {}
    return step ?? (mark === attemptId && !hasLapsed ? 'unsigned' : 'unknown')
  }
}

export const balanceError = (code: string) =>
  Object.assign(new Error(code), { name: 'BalanceError', code })
export const lost = () =>
  Promise.reject(Object.assign(new Error(), { name: 'SottoTransportError' }))

/** The folder of a ledger, and the clock of the server that uses it. */
export class LedgerFolder {
  readonly #folder: string
  readonly #open: Ledger[] = []
  clockMs = 1_800_000_000_000

  private constructor(folder: string) {
    this.#folder = folder
  }

  static async make(): Promise<LedgerFolder> {
    return new LedgerFolder(await mkdtemp(join(tmpdir(), 'payment-desk-')))
  }

  get path(): string {
    return join(this.#folder, 'one.ledger.json')
  }

  readonly nowMs = (): number => this.clockMs

  /** The content of the ledger's file. */
  async read(): Promise<unknown> {
    return JSON.parse(await readFile(this.path, 'utf8'))
  }

  async openLedger(): Promise<Ledger> {
    const ledger = await Ledger.open(this.path, this.nowMs)
    this.#open.push(ledger)
    return ledger
  }

  /** Stops the process that has the ledger open, and starts another process. */
  async restart(): Promise<Ledger> {
    for (const ledger of this.#open.splice(0)) await ledger.close()
    return this.openLedger()
  }

  async deskOf(purse: Purse, limits: Partial<Limits> = {}): Promise<PaymentDesk> {
    return new PaymentDesk(await this.openLedger(), { ...LIMITS, ...limits }, purse)
  }

  /** Makes every write of the ledger fail, as a full disk does. */
  async breakDisk(): Promise<void> {
    // No file can replace a folder.
    await rm(this.path, { force: true })
    await mkdir(this.path)
  }

  async remove(): Promise<void> {
    for (const ledger of this.#open.splice(0)) await ledger.close()
    await rm(this.#folder, { recursive: true })
  }
}

export const NO_PERSON: Confirmation = {
  canAsk: false,
  answer: async () => undefined,
  publish: async () => undefined,
  forget: async () => undefined,
}
export const answering = (answers: Record<string, 'yes' | 'no'>, canAsk = true): Confirmation => ({
  ...NO_PERSON,
  canAsk,
  answer: async ({ id }) => answers[id],
})

export const TO = 'a wallet'
let keys = 0
const newKey = () => `key-${(keys += 1)}`

/** The outcome of a payment: its state, or the code of the refusal. */
export async function send(
  desk: PaymentDesk,
  units: bigint,
  { key = newKey(), to = TO, confirmation = NO_PERSON } = {},
): Promise<string> {
  try {
    return await endOf(await desk.send({ key, to, amount: amount(units) }, confirmation))
  } catch (error) {
    if (error instanceof ToolError) return error.code
    throw error
  }
}

async function endOf(sent: Sent): Promise<string> {
  if (sent.kind === 'question') return `question by ${sent.question.by}`
  const end = sent.kind === 'ended' ? sent.entry : await sent.done
  return end instanceof ToolError ? end.code : end.state
}

export async function questionOf(
  desk: PaymentDesk,
  units: bigint,
  key: string,
  confirmation = answering({}),
): Promise<Question> {
  const sent = await desk.send({ key, to: TO, amount: amount(units) }, confirmation)
  if (sent.kind !== 'question') throw new Error('no question was asked')
  return sent.question
}
