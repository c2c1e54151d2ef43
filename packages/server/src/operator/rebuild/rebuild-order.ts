import {
  innerCommitment,
  unpackOwner,
  type Claim,
  type Poseidon,
  type UnixSeconds,
} from '@sotto/protocol'
import { hexOf } from '../../domain/hex.ts'
import { encodeTerms } from '../../domain/order-secrets.ts'
import { topUpEpochOf } from '../../domain/epoch.ts'
import type { Delays } from '../../domain/delivery-schedule.ts'
import type { FollowedDeposit } from '../../ports/settlement-chain.ts'
import type { NewOrder } from '../../ports/order-store.ts'
import type { Random } from '../../ports/random.ts'
import type { EpochSecrets, PayloadTerms, Secrets } from '../../ports/secrets.ts'
import { leafOfAppended } from '../../settlement/follow/appended-leaf.ts'
import { wholeNumber } from '../../domain/whole-number.ts'

export interface OpenDependencies {
  readonly poseidon: Poseidon
  readonly pool: { readonly domain: Uint8Array }
  readonly random: Random
  readonly secrets: Secrets
}

/** Values of a restored order that are neither on the chain nor in the keystore. */
export interface RestoreAs {
  readonly accountId: string
  readonly delays: Delays
}

const FINGERPRINT_BYTES = 32

/**
 * Restores the order of a deposit from the deposit's payload and the keystore. Returns undefined if no key opens the
 * payload, or if the payload names an invalid owner. Also returns undefined if the payload doesn't belong to the
 * deposit's note, or if the deposit is worth less than the order's payout. The restored order awaits its deposit like
 * any other order. A worker that follows the chain then finds the deposit, and settlement finds the outcome.
 *
 * @throws Error if no key opens the payload, but one of the possible keys can't be read.
 */
export async function openDeposit(
  d: OpenDependencies,
  { accountId, delays }: RestoreAs,
  deposit: FollowedDeposit,
  depositedAt: UnixSeconds,
): Promise<NewOrder | undefined> {
  const { orderId, payload } = deposit
  const opened = await openPayload(d.secrets, deposit)
  const claim = opened && claimOf(opened.sealed)
  if (opened === undefined || claim === undefined) return undefined
  const { secrets, sealed } = opened
  const { expiry } = sealed
  // If the deposit's note differs from the order's note, the restored order could never settle the deposit's note.
  const note = { nk: secrets.noteKey(orderId), claim, expiry }
  if (innerCommitment(d.poseidon, note) !== deposit.inner) return undefined
  const { recipient, amountOut, owner } = paidBy(sealed, deposit)
  // A stranger can make a smaller deposit with a copy of this order's payload. The note of such a deposit can only be
  // refunded.
  if (amountOut > deposit.value) return undefined
  // It is unknown whether the recipient's account existed at the time of the quote. The terms say that it didn't, so
  // the service may have to pay the account's rent. If the terms wrongly said that the account existed, the delivery
  // could end as a refund, although the customer has paid the rent.
  const terms = encodeTerms({ recipient, owner, accountExisted: false, ...delays })
  const { sourceMint, destinationMint, amountIn, value, partnerFee } = deposit
  const { sender, deadline, validUntil, inner } = deposit
  return {
    ...{ sourceMint, destinationMint, amountIn, partnerFee, value, amountOut },
    ...{ sender, deadline, validUntil, expiry, inner, payload },
    id: orderId,
    accountId,
    leaf: leafOfAppended(d.poseidon, d.pool.domain, { kind: 'deposit', deposit }),
    // The quote's nonce is lost, so the order's id replaces it. Quotes expire within minutes, so a late retry still
    // gets QUOTE_EXPIRED and never a second order.
    quoteNonce: orderId,
    idempotencyKey: undefined,
    fingerprint: d.random.bytes(FINGERPRINT_BYTES),
    epoch: secrets.epoch,
    reference: undefined,
    partnerAccount: undefined,
    lastValidBlockHeight: 0n,
    sealedTerms: secrets.seal(orderId, 'terms', terms),
    sealedResponse: secrets.seal(orderId, 'response', new Uint8Array(0)),
    createdAtMs: wholeNumber(depositedAt * 1_000n),
  }
}

/** The note's claim; undefined if the owner isn't a valid key. */
function claimOf(sealed: PayloadTerms): Claim | undefined {
  if (sealed.kind === 'transfer') return sealed
  const owner = unpackOwner(sealed.owner)
  return owner && { kind: 'balance', owner }
}

/**
 * The address that the order pays, and the amount. The rest of a balance is always returned to its sender, even if the
 * order had left the rest to the balance's owner.
 */
function paidBy(sealed: PayloadTerms, { sender, value }: FollowedDeposit) {
  if (sealed.kind === 'transfer') {
    return { recipient: sealed.recipient, amountOut: sealed.amountOut, owner: undefined }
  }
  return { recipient: sender, amountOut: value, owner: hexOf(sealed.owner) }
}

/** Opens a deposit's payload, and returns it with the key that opened it. Returns undefined if no key opens it. */
async function openPayload(
  all: Pick<Secrets, 'read'>,
  { orderId, payload }: FollowedDeposit,
): Promise<{ readonly secrets: EpochSecrets; readonly sealed: PayloadTerms } | undefined> {
  // A payload starts with its hour: u32, little-endian. It doesn't show which of the hour's two keys sealed it.
  const hour = new DataView(payload.buffer, payload.byteOffset).getUint32(0, true)
  let damaged: Error | undefined
  for (const epoch of [hour, topUpEpochOf(hour)]) {
    const secrets = await all.read(epoch).catch((error: unknown) => {
      damaged ??= error instanceof Error ? error : new Error(String(error))
      return undefined
    })
    try {
      if (secrets !== undefined) return { secrets, sealed: secrets.openPayload(orderId, payload) }
    } catch {
      // Either the hour's other key or a service with a different keystore has sealed the payload.
    }
  }
  // A key that can't be read may be the key that opens the payload. Therefore the function throws instead of returning
  // undefined.
  if (damaged !== undefined) throw damaged
  return undefined
}
