import { ownerOf, packOwner } from '@sotto/protocol'
import fc from 'fast-check'
import type { FuzzTarget } from './target.ts'
import type { KnownValues } from './value-of-schema.ts'

/** The public key of a balance's owner, in the form that requests use. */
const BALANCE_KEY = Buffer.from(packOwner(ownerOf(7n))).toString('hex')

/** Values that a partner would send. Some are well-formed values that the service refuses. */
export function knownValues(target: FuzzTarget): KnownValues {
  const wallet = (good: readonly string[]) =>
    fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom(...good) },
      { weight: 1, arbitrary: fc.constantFrom(...target.unpayable) },
    )
  return {
    amount: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 3_000_000, max: 900_000_000 }).map(String) },
      { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String) },
    ),
    sourceAssetId: fc.constantFrom(...target.assets),
    destinationAssetId: fc.constantFrom(...target.assets),
    senderAddress: wallet(target.senders),
    recipientAddress: wallet(target.recipients),
    feeRecipientAddress: fc.constant(target.partner),
    feeBps: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: 100 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 10_000 }) },
    ),
    // No server listens at this address, so a test message fails immediately.
    url: fc.constant('http://127.0.0.1:9/'),
    minDelaySeconds: fc.integer({ min: 0, max: 300 }),
    maxDelaySeconds: fc.integer({ min: 300, max: 900 }),
    balanceKey: fc.constant(BALANCE_KEY),
    balanceSeconds: fc.integer({ min: 86_400, max: 2_000_000 }),
  }
}

/**
 * Changes a quote request so that its members agree with each other. Removes the member `balance`, because no run has a
 * balance's ticket.
 */
export function consistent(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { balance: _ticket, balanceKey, balanceSeconds, autoReturn, ...others } = body
  if (balanceKey === undefined) return consistentTransfer(others)
  const { minDelaySeconds: _min, maxDelaySeconds: _max, minCrowd: _crowd, ...rest } = others
  return {
    ...consistentTransfer({
      ...rest,
      recipientAddress: rest['senderAddress'],
      destinationAssetId: rest['sourceAssetId'],
    }),
    balanceKey,
    ...(balanceSeconds === undefined ? {} : { balanceSeconds }),
    ...(autoReturn === undefined ? {} : { autoReturn }),
  }
}

function consistentTransfer(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { mode, feeBps, feeRecipientAddress, minDelaySeconds, maxDelaySeconds, ...others } = body
  const { minCrowd, crowdMissed, ...rest } = others
  const isSwap = rest['sourceAssetId'] !== rest['destinationAssetId']
  const hasFee = feeBps !== undefined && feeRecipientAddress !== undefined
  const hasDelays = minDelaySeconds !== undefined && maxDelaySeconds !== undefined
  return {
    ...rest,
    ...(mode === undefined || isSwap ? {} : { mode }),
    ...(hasFee ? { feeBps, feeRecipientAddress } : {}),
    ...(hasDelays ? { minDelaySeconds, maxDelaySeconds } : {}),
    // A swap can't request a refund if its crowd doesn't form.
    ...(minCrowd === undefined ? {} : { minCrowd, crowdMissed: isSwap ? 'deliver' : crowdMissed }),
  }
}
