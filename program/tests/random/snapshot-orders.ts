import { createHash } from 'node:crypto'
import {
  amount,
  bigintFromBytes,
  FIELD_MODULUS,
  innerCommitment,
  PAYLOAD_BYTES,
  unixSeconds,
  type Note,
} from '@sotto/protocol'
import type { Order } from '../fixtures/deposits.ts'
import { START } from '../fixtures/pool.ts'
import { poseidon } from '../fixtures/poseidon.ts'
import { giveTokens } from '../fixtures/token-accounts.ts'
import { keyOf, type World } from './world.ts'

/** How many notes every sequence begins with. */
export const SNAPSHOT_NOTES = 24
/** Seconds from deadline to expiry: none, some, a half, and all that a note may have. */
const WINDOWS = [0n, 3_600n, 43_200n, 86_400n] as const
const AMOUNT_OUT = 900_000_000n
const FEE = 4_000_000n

/** Bytes that depend on their label alone. */
export const bytesOf = (label: string, size = 32): Uint8Array =>
  new Uint8Array(createHash('sha256').update(label).digest().subarray(0, size))

/**
 * Order `index` of the snapshot: native and token, sends and swaps, four expiries. Half of the
 * recipients of lamports have no account yet.
 */
export async function snapshotOrder(world: World, index: number): Promise<Order> {
  const { fixture, actors, mints } = world
  const source = (index % 2) as 0 | 1
  const isSwap = index % 4 >= 2
  const destination = isSwap ? ((1 - source) as 0 | 1) : source
  const sender = actors.senders[index % actors.senders.length]
  if (sender === undefined) throw new Error('no senders')
  const recipient = (await keyOf(`recipient ${index}`)).address
  if (destination === 1) await giveTokens(fixture.chain, mints[1], recipient, 0n)
  else if (index % 3 === 0) fixture.chain.fund(recipient, 1_000_000n)
  const fee = amount(FEE + BigInt(index))
  const amountOut = amount(AMOUNT_OUT + BigInt(index) * 1_000n)
  const deadline = START + 3_600n
  const note: Note = {
    nk: bigintFromBytes(bytesOf(`nk ${index}`)) % FIELD_MODULUS,
    recipient,
    sender: sender.address,
    mint: mints[destination],
    amountOut,
    feeBack: amount(isSwap ? 0n : fee),
    expiry: unixSeconds(deadline + (WINDOWS[(index >> 2) % 4] ?? 0n)),
  }
  const terms = {
    orderId: bytesOf(`order ${index}`, 16),
    sender: sender.address,
    sourceMint: mints[source],
    destinationMint: mints[destination],
    amountIn: amount(amountOut + fee),
    amountOut,
    fee,
    partnerFee: amount(0n),
    deadline: unixSeconds(deadline),
    validUntil: unixSeconds(deadline),
    expiry: note.expiry,
    inner: innerCommitment(poseidon, note.nk, recipient),
    payload: new Uint8Array(PAYLOAD_BYTES).fill(9),
  }
  return { sender, terms, note }
}
