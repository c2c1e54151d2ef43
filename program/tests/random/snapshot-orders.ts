import { createHash } from 'node:crypto'
import type { Address } from '@solana/kit'
import {
  amount,
  bigintFromBytes,
  FIELD_MODULUS,
  innerCommitment,
  MAX_LIFE_SECONDS,
  PAYLOAD_BYTES,
  unixSeconds,
  type Note,
} from '@sotto/protocol'
import { wasmPoseidon as poseidon } from '@sotto/poseidon'
import type { Order } from '../fixtures/deposits.ts'
import { makeOwner } from '../fixtures/owners.ts'
import { START } from '../fixtures/pool.ts'
import { giveTokens } from '../fixtures/token-accounts.ts'
import { keyOf, type World } from './world.ts'

/** Number of notes at the start of every sequence. */
export const SNAPSHOT_NOTES = 24
/** The index of the first balance. All notes after this index are balances too. */
const FIRST_BALANCE = 20
/** Seconds from the deadline to the expiry: zero, an hour, a day, and the maximum. */
const WINDOWS = [0n, 3_600n, 86_400n, MAX_LIFE_SECONDS] as const
const AMOUNT_OUT = 900_000_000n
const FEE = 4_000_000n

/** An order, and the payee of the note's deliveries or payments. */
export interface SnapshotOrder extends Order {
  readonly recipient: Address
}

/** Bytes that depend only on their label. */
export const bytesOf = (label: string, size = 32): Uint8Array =>
  new Uint8Array(createHash('sha256').update(label).digest().subarray(0, size))

/**
 * Creates a recipient. Two thirds of the recipients of lamports have no account yet. All recipients of tokens have an
 * account.
 */
async function recipientOf(world: World, index: number, asset: 0 | 1): Promise<Address> {
  const { chain } = world.fixture
  const recipient = (await keyOf(`recipient ${index}`)).address
  if (asset === 1) await giveTokens(chain, world.mints[1], recipient, 0n)
  else if (index % 3 === 0) chain.fund(recipient, 1_000_000n)
  return recipient
}

/**
 * Order `index` of the snapshot. The orders cover native SOL and the token, sends and swaps, and four different times
 * between the deadline and the expiry. The last four orders open balances.
 */
export async function snapshotOrder(world: World, index: number): Promise<SnapshotOrder> {
  const { actors, mints } = world
  const source = (index % 2) as 0 | 1
  const isSwap = index % 4 >= 2
  const destination = isSwap ? ((1 - source) as 0 | 1) : source
  const sender = actors.senders[index % actors.senders.length]
  if (sender === undefined) throw new Error('no senders')
  const recipient = await recipientOf(world, index, destination)
  const owner = index >= FIRST_BALANCE ? makeOwner(index) : undefined
  const amountOut = amount(AMOUNT_OUT + BigInt(index) * 1_000n)
  const value = amount(amountOut + FEE + BigInt(index))
  const deadline = unixSeconds(START + 3_600n)
  const note: Note = {
    nk: bigintFromBytes(bytesOf(`nk ${index}`)) % FIELD_MODULUS,
    claim:
      owner === undefined
        ? { kind: 'transfer', recipient, amountOut }
        : { kind: 'balance', owner: owner.point },
    sender: sender.address,
    mint: mints[destination],
    value,
    deadline,
    expiry: unixSeconds(deadline + (WINDOWS[(index >> 2) % 4] ?? 0n)),
  }
  const terms = {
    orderId: bytesOf(`order ${index}`, 16),
    sender: sender.address,
    sourceMint: mints[source],
    destinationMint: mints[destination],
    amountIn: value,
    value,
    partnerFee: amount(0n),
    deadline,
    validUntil: deadline,
    inner: innerCommitment(poseidon, note),
    payload: new Uint8Array(PAYLOAD_BYTES).fill(9),
  }
  return { sender, terms, note, owner, recipient }
}
