import { associatedTokenAddress, NATIVE_MINT } from '@sotto/protocol'
import { getCreateAccountInstruction } from '@solana-program/system'
import {
  getCloseAccountInstruction,
  getInitializeAccount3Instruction,
  getTokenSize,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { generateKeyPairSigner, type Instruction, type KeyPairSigner } from '@solana/kit'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Status } from '../../demo/src/service-api.ts'
import { operateAll } from '../../demo/src/stack/services.ts'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import type { Stage } from '../stage/open-stage.ts'
import { TOKEN_ACCOUNT_RENT, type Change } from './check-balances.ts'
import { makeSender, pay, place, type Market, type Placed } from './customer.ts'
import type { DrawnOrder } from './draw-orders.ts'
import { Refused, ServiceClient } from './service-client.ts'

/** An order whose sender or recipient tries to prevent its settlement. */
export interface Spoilt {
  readonly placed: Placed & { readonly changes: readonly Change[] }
  /** Makes a refund possible again. Resolves when a refund is possible or when the order has ended. */
  readonly mend: () => Promise<void>
}

/**
 * Maximum random delay of an attack. With these delays, attacks happen before, during and after a worker's check, proof
 * and broadcast.
 */
const SPOIL_MAX_MS = 4_000

/** Places and pays an order, and attacks its settlement after a random delay. */
export async function spoil(market: Market, drawn: DrawnOrder, seed: number): Promise<Spoilt> {
  const random = new SeededRandom(`spoil/${seed}/${drawn.index}`)
  const recipient = await generateKeyPairSigner()
  const made = await makeSender(market.stage, drawn)
  const isClosing = drawn.fate === 'closing'
  if (isClosing) await market.stage.treasury.mint(recipient.address, drawn.destination, 0n)
  const placed = await place(market, drawn, { ...made, recipient: recipient.address })
  await pay(market, placed)
  await sleep(random.below(SPOIL_MAX_MS))
  const attack = isClosing ? closeAccounts : turnIntoTokenAccount
  const changes = await attack(market.stage, placed, recipient)
  return {
    placed: { ...placed, changes },
    mend: () => (isClosing ? reopen(market, placed) : Promise.resolve()),
  }
}

/** True if the sender's transaction landed. If the delivery landed first, the chain refuses the transaction. */
async function lands(
  { chain }: Stage,
  { sender }: Placed,
  instruction: readonly Instruction[],
): Promise<boolean> {
  try {
    await chain.send(sender, instruction)
    return true
  } catch {
    return false
  }
}

/** Closes the token accounts of the recipient and the sender. The rent goes to the sender. */
async function closeAccounts(
  stage: Stage,
  placed: Placed,
  recipient: KeyPairSigner,
): Promise<Change[]> {
  const { sender, drawn } = placed
  const changes: Change[] = []
  for (const owner of [recipient, sender]) {
    const account = await associatedTokenAddress(owner.address, drawn.source)
    const close = getCloseAccountInstruction({ account, destination: sender.address, owner })
    if (!(await lands(stage, placed, [close]))) continue
    changes.push({ owner: sender.address, mint: NATIVE_MINT, amount: TOKEN_ACCOUNT_RENT })
  }
  return changes
}

/** Turns the recipient's wallet into a token account. The sender pays the rent. */
async function turnIntoTokenAccount(
  stage: Stage,
  placed: Placed,
  recipient: KeyPairSigner,
): Promise<Change[]> {
  const { sender } = placed
  const mint = stage.setup.usdc
  const create = getCreateAccountInstruction({
    ...{ payer: sender, newAccount: recipient, lamports: TOKEN_ACCOUNT_RENT },
    ...{ space: getTokenSize(), programAddress: TOKEN_PROGRAM_ADDRESS },
  })
  const account = recipient.address
  const owner = sender.address
  const initialize = getInitializeAccount3Instruction({ account, mint, owner })
  if (!(await lands(stage, placed, [create, initialize]))) return []
  return [
    { owner, mint: NATIVE_MINT, amount: -TOKEN_ACCOUNT_RENT },
    { owner: account, mint: NATIVE_MINT, amount: TOKEN_ACCOUNT_RENT },
  ]
}

const POLL_MS = 1_000
/**
 * Time for which the sender's account stays closed after the refund is due. In this time, a relayer must not open the
 * account.
 */
const CLOSED_MS = 5_000

/** Waits until a refund has probably been tried, and then reopens the sender's account. The faucet pays for it. */
async function reopen({ stage, client }: Market, { sender, drawn, order }: Placed): Promise<void> {
  for (;;) {
    const path = `/status/${order.trackingId}`
    const { order: status } = await client.call<{ order: Status }>('GET', path)
    if (status.final) return
    if (status.status === 'refunding') break
    await sleep(POLL_MS)
  }
  await sleep(CLOSED_MS)
  await stage.treasury.mint(sender.address, drawn.source, 0n)
}

const OPEN_ORDERS_MAX = 12
/** The maximum amount of a transfer. Seven swaps of this amount use the whole inventory. */
const HOARDED = 100_000_000_000n
/**
 * The error codes that an account gets if its unpaid swaps have reserved the account's whole share of the inventory.
 */
const SHARE_CODES = ['LIQUIDITY_UNAVAILABLE', 'AMOUNT_OUT_OF_RANGE']
const PLACES_CODE = 'UNPAID_ORDERS_LIMIT'

/** Opens the account of another partner, who orders and never pays. */
export async function openHoarder({ env, setup, baseUrl }: Stage): Promise<Hoarder> {
  const file = join(dirname(env['SOTTO_PRICES_FILE'] as string), 'hoarder.jsonl')
  const results = await operateAll(env, file, [
    [
      ...['account', 'add', '--id', 'hoarder', '--name', 'Hoarder'],
      ...['--open-orders-max', `${OPEN_ORDERS_MAX}`],
    ],
    ['key', 'add', '--account', 'hoarder', '--mode', 'test'],
  ])
  const { apiKey } = results.at(-1) as { apiKey: string }
  const limits = [...SHARE_CODES, PLACES_CODE]
  return new Hoarder(new ServiceClient(baseUrl, apiKey, limits), setup.usdc)
}

export class Hoarder {
  readonly client: ServiceClient
  readonly #usdc: DrawnOrder['destination']

  constructor(client: ServiceClient, usdc: DrawnOrder['destination']) {
    this.client = client
    this.#usdc = usdc
  }

  /**
   * Orders the largest swaps until the service refuses one. Then orders sends of SOL until the service refuses one of
   * these too. After that, another account requests a quote for the same kind of swap, and must get it. Returns the
   * orders and the violations.
   */
  async hoard({ stage, client }: Market, attacks: readonly DrawnOrder[]) {
    const index = (attacks.at(-1)?.index ?? 0) + 1
    const swap = this.#drawn(index, 'buy', HOARDED)
    const nobody = await generateKeyPairSigner()
    const parties = { sender: nobody, recipient: nobody.address, held: NOTHING }
    const placed: Placed[] = []
    const fill = async (drawn: DrawnOrder): Promise<string> => {
      for (let count = 0; count <= OPEN_ORDERS_MAX; count += 1) {
        try {
          placed.push(await place({ stage, client: this.client }, drawn, parties))
        } catch (error) {
          if (error instanceof Refused) return error.code
          throw error
        }
      }
      return 'nothing'
    }
    const wrong: string[] = []
    const ofSwaps = await fill(swap)
    if (!SHARE_CODES.includes(ofSwaps)) wrong.push(`unpaid swaps were refused with ${ofSwaps}`)
    const ofSends = await fill(this.#drawn(index, 'sol', HOARDED))
    if (ofSends !== PLACES_CODE) wrong.push(`unpaid orders were refused with ${ofSends}`)
    if (placed.length !== OPEN_ORDERS_MAX) {
      wrong.push(`an account left ${placed.length} orders unpaid instead of ${OPEN_ORDERS_MAX}`)
    }
    await client.call('POST', '/quote', {
      ...{ senderAddress: nobody.address, recipientAddress: nobody.address },
      ...{ sourceAssetId: swap.source, destinationAssetId: swap.destination },
      amount: String(HOARDED),
    })
    return { placed, wrong }
  }

  #drawn(index: number, kind: 'buy' | 'sol', amount: bigint): DrawnOrder {
    const destination = kind === 'buy' ? this.#usdc : NATIVE_MINT
    const asked = { source: NATIVE_MINT, destination, amount, isExactOut: false, feeBps: undefined }
    return { index, kind, fate: 'abandoned', ...asked }
  }
}

const NOTHING = { lamports: 0n, tokens: 0n }
