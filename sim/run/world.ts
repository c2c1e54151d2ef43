import type { WorkHint } from '../../packages/server/src/domain/work-hint.ts'
import { Api } from '../actors/api.ts'
import type { BalanceOwner } from '../actors/balance-owner.ts'
import { Customer } from '../actors/customer.ts'
import {
  ACCOUNT,
  DOLLAR_MINT,
  drawParties,
  INVENTORY,
  MINTS,
  OLD_EPOCHS,
  RELAYER_LAMPORTS,
  START_MS,
  type Parties,
} from '../actors/setting.ts'
import { closeOnDelivery } from '../actors/farm-rent.ts'
import { floodOnSettlement } from '../actors/flood-leaves.ts'
import { MovingPrice } from '../actors/moving-price.ts'
import { Rival } from '../actors/rival.ts'
import { startCustomer } from '../actors/send-money.ts'
import type { Stage } from '../actors/stage.ts'
import { startOwner, startTwins, startVeteran } from '../actors/use-balance.ts'
import { seatVeteran } from '../actors/veteran.ts'
import { Worker } from '../actors/worker.ts'
import { Endpoint } from '../chain/endpoint.ts'
import { Congestion } from '../chain/congestion.ts'
import { FakeChain } from '../chain/fake-chain.ts'
import { FakeSignatures } from '../chain/fake-signatures.ts'
import { tokenKey } from '../chain/ledger.ts'
import { Watch } from '../check/watch.ts'
import type { FaultKind } from '../faults/fault-kinds.ts'
import { Faults } from '../faults/faults.ts'
import { SeededRandom } from '../time/seeded-random.ts'
import { Timeline } from '../time/timeline.ts'
import { Trace } from '../time/trace.ts'
import { drawOwners, veteranEpochOf } from './draw-owners.ts'
import { Keystore } from './keystore.ts'
import { openStores, type Stores } from './stores.ts'

/** Number of polls that each worker makes while faults last. It is the same in short and in long runs. */
const POLLS = 60

/**
 * The numbers of owners who open a balance. Each run draws one number from this list, and half of the numbers are zero.
 * `drawOwners` may add a veteran: an owner whose balance was opened a month before the run.
 */
const OWNERS: readonly number[] = [0, 0, 1, 2]

/** One in this many seeds has a crowd: all customers send the same amount, and some transfers wait for the crowd. */
const CROWD_EVERY = 7
/**
 * In runs with a crowd, there were this many earlier deposits and settlements of every amount. Both numbers are equal,
 * as if every deposit had been a transfer.
 */
const HABIT = { deposits: 50, settlements: 50 }

/** One in this many seeds continues for weeks in which little happens. */
const WEEKS_EVERY = 3

/** One in this many seeds has no faults. */
const CALM_EVERY = 10

export interface RunOptions {
  readonly seed: number
  readonly without: ReadonlySet<FaultKind>
  readonly isTraced: boolean
}

/** Everything in a run: the chain, the database, the keystore, and the processes and people that use them. */
export class World implements Stage {
  readonly timeline = new Timeline(START_MS)
  readonly trace: Trace
  readonly random: SeededRandom
  readonly faults: Faults
  readonly chain: FakeChain
  readonly signatures = new FakeSignatures()
  readonly memory: Stores
  readonly keystore: Keystore
  readonly parties: Parties
  readonly watch: Watch
  readonly price: MovingPrice
  readonly endpoints: Set<Endpoint>
  readonly workers: readonly Worker[]
  readonly api: Api
  readonly customers: readonly Customer[]
  /** Owners of a balance. */
  readonly owners: readonly BalanceOwner[]
  /** The hour in which the veteran's balance was opened; see `veteranEpochOf`. */
  readonly veteranEpoch: number
  /** Another service. Some owners order payments from it too. */
  readonly rival: Rival | undefined
  /** The time for which faults last, in milliseconds. */
  readonly faultyMs: number
  readonly arePublished: boolean
  /** True if the run has no faults. Then every missing delivery is the service's own error. */
  readonly isCalm: boolean
  /** True if the run continues for weeks. Then it also checks that rents return and that all keys are destroyed. */
  readonly lastsWeeks: boolean
  readonly pollMs: number
  quietMs = 0
  proverDownUntilMs = 0
  databaseDownUntilMs = 0

  constructor({ seed, without, isTraced }: RunOptions) {
    const { timeline } = this
    const random = new SeededRandom(`sotto ${seed}`)
    this.random = random.stream('world')
    this.trace = new Trace(isTraced)
    const { trace } = this
    this.isCalm = seed % CALM_EVERY === 0
    this.lastsWeeks = seed % WEEKS_EVERY === 0
    const fault = { random: random.stream('faults'), isCalm: this.isCalm, without }
    this.faults = new Faults({ ...fault, timeline, trace })
    const { faults } = this
    const congestion = new Congestion({ timeline, faults, random: random.stream('congestion') })
    const chained = { timeline, random: random.stream('chain'), faults, trace, congestion }
    this.chain = new FakeChain(chained)
    this.memory = openStores()
    this.keystore = new Keystore(random.stream('keystore'), OLD_EPOCHS)
    this.parties = drawParties(random.stream('parties'))
    this.watch = new Watch(this)
    this.price = new MovingPrice(timeline, random.stream('price'))
    const shape = random.stream('shape')
    this.faultyMs = shape.pick([900_000, 1_800_000, 4_200_000])
    this.pollMs = this.faultyMs / POLLS
    this.arePublished = random.stream('leaves').chance(0.6)
    const names = ['ann', 'bob', 'cid'].slice(0, shape.pick([1, 2, 2, 3, 3]))
    const newNode = (name: string) =>
      new Endpoint(`node of ${name}`, this.chain, this.faults, timeline)
    // In some runs, all processes use the same provider.
    const one = shape.chance(0.3) ? newNode('all') : undefined
    const nodes = [...names, 'api'].map((name) => one ?? newNode(name))
    this.endpoints = new Set(nodes)
    this.workers = names.map((name, index) => new Worker(this, name, nodes[index] as Endpoint))
    this.api = new Api(this, nodes.at(-1) as Endpoint)
    const count = shape.between(5, 10)
    const isCrowd = seed % CROWD_EVERY === CROWD_EVERY - 1
    if (isCrowd) this.memory.database.habit = HABIT
    this.customers = Array.from({ length: count }, (_, index) => {
      const name = `customer-${index + 1}`
      return new Customer(this, this.api, name, random.stream(`customer ${index}`), isCrowd)
    })
    const balances = random.stream('balances')
    const owners = balances.pick(OWNERS)
    const isRivalled = owners > 0 && balances.chance(0.3)
    this.rival = isRivalled ? new Rival(this, newNode('rival'), random.stream('rival')) : undefined
    if (this.rival !== undefined) this.endpoints.add(this.rival.endpoint)
    const services = { api: this.api, rival: this.rival?.api }
    this.owners = drawOwners(this, services, owners, random)
    this.veteranEpoch = veteranEpochOf(random)
  }

  /** The workers of both services. */
  get allWorkers(): Worker[] {
    return this.rival === undefined ? [...this.workers] : [...this.workers, this.rival.worker]
  }

  readonly wakeWorkers = (hint?: WorkHint): void => {
    for (const worker of this.workers) worker.wake(hint)
  }

  /** Creates the run's money, accounts and processes. */
  begin(): void {
    const { parties, memory, customers } = this
    memory.database.feeRecipients.add(`${ACCOUNT.id} ${parties.partner}`)
    this.chain.genesis((ledger, position) => {
      for (const mint of MINTS) {
        const book = { held: INVENTORY, owed: 0n, fees: 0n, inventory: INVENTORY }
        ledger.assets.write(mint, position, book)
      }
      for (const { address } of parties.relayers) {
        ledger.lamports.write(address, position, RELAYER_LAMPORTS)
      }
      ledger.lamports.write(parties.partner, position, 1_000_000n)
      ledger.lamports.write(parties.attacker, position, 1_000_000_000n)
      const empty = { balance: 0n, isBlocked: false }
      ledger.tokens.write(tokenKey(DOLLAR_MINT, parties.partner), position, empty)
      for (const customer of customers) customer.fund(ledger, position)
      for (const owner of this.owners) {
        owner.fund(ledger, position)
        if (owner.isVeteran) seatVeteran(owner, this.veteranEpoch, ledger, position)
      }
      this.rival?.fund(ledger, position, RELAYER_LAMPORTS)
    })
    this.chain.mempool.onBroadcast = (transaction) => {
      for (const customer of customers) closeOnDelivery(customer, transaction)
      floodOnSettlement(this, transaction)
    }
    this.watch.begin()
    this.chain.start()
    for (const worker of this.workers) worker.start()
    this.api.start()
    this.rival?.start()
    for (const customer of customers) startCustomer(customer)
    for (const owner of this.owners.filter(({ isVeteran }) => isVeteran)) startVeteran(owner)
    const [one, other] = this.owners
    if (one !== undefined && other?.twin === one) return startTwins(one, other)
    for (const owner of this.owners.filter(({ isVeteran }) => !isVeteran)) startOwner(owner)
  }
}
