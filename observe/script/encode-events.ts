import { getSetComputeUnitLimitInstruction } from '@solana-program/compute-budget'
import {
  addressFromBytes,
  amount,
  associatedTokenAddress,
  authorisationInstruction,
  bigintFromBytes,
  depositInstruction,
  fieldToBytes,
  NATIVE_MINT,
  RECENT,
  settlementLayout,
  unixSeconds,
  type Address,
} from '@sotto/protocol'
import type { Instruction } from '@solana/kit'
import type { SeededRandom } from '../../sim/time/seeded-random.ts'
import {
  hexOf,
  type KeptBalance,
  type KeptCrowd,
  type Ledger,
  type Stated,
  type TrueLink,
} from '../load/ledger.ts'
import type { Token } from '../load/plan.ts'
import type { Behaviour, SettledNote } from './behaviour.ts'
import { SETTLING } from './draw-events.ts'
import type { DepositEvent, OpeningEvent, ScriptEvent, SettlementEvent } from './script-events.ts'
import { stateTransfers } from './state-privacy.ts'
import { recordOf, type ScriptRecord } from './script-record.ts'

/** A scripted history, and its true links. */
export interface Script {
  readonly program: Address
  readonly tree: Address
  /** The transactions, with the oldest first. */
  readonly records: readonly ScriptRecord[]
  readonly ledger: Ledger
  readonly untilSeconds: number
  /** The time at which each payee's token account was opened, in seconds since 1970. */
  readonly openedSeconds: ReadonlyMap<Address, number>
}

const RELAYERS = 3
const UNIT_PRICE = 1_000n
const SIGNATURE_BYTES = 64
const EPOCH_BYTES = 4
/**
 * The greatest first byte that is drawn for a field element. With this byte, the element is below the modulus, whatever
 * the other bytes are.
 */
const TOP_BYTE = 0x2f

/** Writes the transactions of some events in the service's format, with random bytes instead of proofs. */
export async function encodeEvents(
  events: readonly ScriptEvent[],
  behaviour: Behaviour,
  random: SeededRandom,
): Promise<Script> {
  const encoder = new Encoder(behaviour, random, stateTransfers(events))
  for (const event of events) {
    if (event.is === 'deposit') await encoder.deposit(event)
    else if (event.is === 'settlement') await encoder.settle(event)
    else if (event.is === 'opening') await encoder.open(event)
  }
  return encoder.script(events.at(-1)?.seconds ?? 0)
}

class Encoder {
  readonly #stated: ReadonlyMap<SettlementEvent, Stated>
  readonly #behaviour: Behaviour
  readonly #random: SeededRandom
  readonly #program: Address
  readonly #tree: Address
  readonly #usdc: Address
  readonly #partner: Address
  readonly #relayers: readonly Address[]
  readonly #parties = new Map<string, Address>()
  readonly #leafSeconds: number[] = []
  readonly #deposited = new Map<DepositEvent, { leafIndex: number; orderId: string }>()
  /** For each deposit: the index of the leaf that its next settlement spends. */
  readonly #unspent = new Map<DepositEvent, number>()
  readonly #records: ScriptRecord[] = []
  readonly #links: TrueLink[] = []
  readonly #balances = new Map<string, KeptBalance>()
  readonly #crowds: KeptCrowd[] = []
  readonly #refunds: Pick<TrueLink, 'settlement' | 'orderId'>[] = []
  readonly #openedSeconds = new Map<Address, number>()

  constructor(
    behaviour: Behaviour,
    random: SeededRandom,
    stated: ReadonlyMap<SettlementEvent, Stated>,
  ) {
    this.#stated = stated
    this.#behaviour = behaviour
    this.#random = random
    this.#program = this.#address()
    this.#tree = this.#address()
    this.#usdc = this.#address()
    this.#partner = this.#address()
    this.#relayers = Array.from({ length: RELAYERS }, () => this.#address())
  }

  async deposit(event: DepositEvent): Promise<void> {
    const { wallet, source, asset, amountIn, partnerFee, value, madeSeconds, seconds } = event
    const orderId = this.#random.bytes(16)
    const sender = this.#party(`wallet ${wallet}`)
    const sourceMint = this.#mint(source)
    const deadline = this.#behaviour.deadline(madeSeconds)
    const isToken = source === 'USDC'
    const deposit = await depositInstruction(
      {
        ...{ program: this.#program, tree: this.#tree },
        senderToken: isToken ? await associatedTokenAddress(sender, sourceMint) : undefined,
      },
      {
        ...{ orderId, sender, sourceMint, destinationMint: this.#mint(asset) },
        ...{ amountIn: amount(amountIn), value: amount(value), partnerFee: amount(partnerFee) },
        ...(partnerFee > 0n ? { partnerAccount: this.#partner } : {}),
        deadline: unixSeconds(BigInt(deadline)),
        validUntil: unixSeconds(BigInt(deadline)),
        inner: this.#field(),
        payload: this.#behaviour.payload(event.kind, this.#payload()),
      },
    )
    const [key, digest] = [this.#random.bytes(32), this.#random.bytes(32)]
    const signed = authorisationInstruction(key, this.#random.bytes(SIGNATURE_BYTES), digest)
    const name = hexOf(orderId)
    this.#deposited.set(event, { leafIndex: this.#leafSeconds.length, orderId: name })
    this.#unspent.set(event, this.#leafSeconds.length)
    if (event.kind === 'balance') this.#balances.set(name, { orderId: name })
    this.#land(seconds, sender, [signed, deposit])
  }

  async settle(event: SettlementEvent): Promise<void> {
    const { deposit, kind, seconds, payout, fee, payee } = event
    const made = this.#deposited.get(deposit)
    if (made === undefined) throw new Error('a settlement comes before its deposit')
    const note: SettledNote = {
      ...{ kind, asset: deposit.asset, wallet: deposit.wallet, leafIndex: made.leafIndex },
      ...{ deposited: deposit.seconds, settled: seconds, expiry: deposit.expiry },
    }
    const relayer = this.#behaviour.relayer(note, RELAYERS, this.#random)
    const payer = this.#relayers[relayer % RELAYERS]
    if (payer === undefined) throw new RangeError(`there is no relayer ${relayer}`)
    const newest = this.#newestAt(seconds - this.#random.between(...SETTLING))
    const spent = this.#unspent.get(deposit) ?? made.leafIndex
    const rootLeaf = this.#behaviour.rootLeaf(note, Math.max(newest, spent))
    this.#unspent.set(deposit, this.#leafSeconds.length)
    const changeLeaf = this.#behaviour.changeLeaf(kind, fieldToBytes(this.#field()))
    const nullifier = this.#field()
    const payeeWallet = this.#party(
      payee === undefined ? `wallet ${deposit.wallet}` : `payee ${payee}`,
    )
    if (event.opensAccount) await this.#openAccount(payeeWallet, seconds)
    const layout = await settlementLayout(
      { program: this.#program, tree: this.#tree, payer },
      this.#mint(deposit.asset),
      {
        ...{ isRefund: kind === 'return', root: { kind: 'recent', index: rootLeaf % RECENT } },
        ...{ nullifier, payout: amount(payout), fee: amount(fee) },
        payee: payeeWallet,
        changeLeaf: bigintFromBytes(changeLeaf),
        time: unixSeconds(BigInt(this.#behaviour.publicTime(note))),
        proof: this.#random.bytes(256),
      },
      UNIT_PRICE,
      event.opensAccount,
    )
    const limit = getSetComputeUnitLimitInstruction({ units: this.#behaviour.unitLimit(note) })
    const signature = this.#land(seconds, payer, [limit, ...layout.slice(1)])
    const { way, amountKind, crowd } = event
    const { orderId } = made
    if (kind === 'return') this.#refunds.push({ settlement: signature, orderId })
    if (crowd !== undefined) {
      this.#crowds.push({ orderId, min: crowd.min, outcome: crowd.outcome })
      if (crowd.outcome === 'refunded') return
    }
    if (kind === 'return') {
      this.#balances.set(orderId, { orderId, endSeconds: seconds })
      return
    }
    const stated = this.#stated.get(event)
    this.#links.push({ settlement: signature, orderId, way, amountKind, stated })
  }

  /** A stranger opens a payee's account. The transaction doesn't name the pool. */
  async open({ payee, seconds }: OpeningEvent): Promise<void> {
    await this.#openAccount(this.#party(`payee ${payee}`), seconds)
  }

  async #openAccount(owner: Address, seconds: number): Promise<void> {
    const account = await associatedTokenAddress(owner, this.#usdc)
    if (!this.#openedSeconds.has(account)) this.#openedSeconds.set(account, seconds)
  }

  script(untilSeconds: number): Script {
    return {
      openedSeconds: this.#openedSeconds,
      ...{ program: this.#program, tree: this.#tree, records: this.#records, untilSeconds },
      ledger: {
        links: this.#links,
        balances: [...this.#balances.values()],
        crowds: this.#crowds,
        refunds: this.#refunds,
      },
    }
  }

  /** The index of the newest leaf at this time. */
  #newestAt(seconds: number): number {
    let newest = this.#leafSeconds.length - 1
    while (newest > 0 && (this.#leafSeconds[newest] ?? 0) > seconds) newest -= 1
    return newest
  }

  #land(seconds: number, payer: Address, instructions: readonly Instruction[]): string {
    const slot = this.#records.length + 1
    const signature = this.#random.bytes(SIGNATURE_BYTES)
    const record = recordOf({ slot, seconds, payer, instructions, signature })
    this.#records.push(record)
    this.#leafSeconds.push(seconds)
    return record.signature
  }

  #mint(token: Token): Address {
    return token === 'SOL' ? NATIVE_MINT : this.#usdc
  }

  #party(name: string): Address {
    const known = this.#parties.get(name)
    if (known !== undefined) return known
    const made = this.#address()
    this.#parties.set(name, made)
    return made
  }

  #address(): Address {
    return addressFromBytes(this.#random.bytes(32))
  }

  #field(): bigint {
    const bytes = this.#random.bytes(32)
    bytes[0] = this.#random.below(TOP_BYTE + 1)
    return bigintFromBytes(bytes)
  }

  #payload(): Uint8Array {
    const bytes = this.#random.bytes(65)
    bytes.fill(0, 0, EPOCH_BYTES)
    return bytes
  }
}
