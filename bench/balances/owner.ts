import { NATIVE_MINT } from '@sotto/protocol'
import { memoryBalance, openBalance, type Balance, type BalanceService } from '@sotto/sdk/balance'
import { createSottoClient, type SottoClient } from '@sotto/sdk/server'
import { PROGRAM_SHA256 } from '@sotto/sdk/wallet'
import { generateKeyPairSigner, type Address } from '@solana/kit'
import type { Stage } from '../../testing/stage/open-stage.ts'

/** Lamports that a wallet needs in addition to its deposit, for fees and for the rent of the Order account. */
const SPARE_LAMPORTS = 1_000_000_000n
/**
 * Pause between two requests to our own node, in milliseconds: one short slot. For a public node, pauses must be
 * longer.
 */
const POLL_MS = 100

/** The amount of the first payment, in lamports. Each later payment is one lamport larger than the previous payment. */
const AMOUNT = 50_000_001n
/** Upper limit of the fees of one payment, in lamports. */
const FEE_MAX = 1_000_000n

/** The value of a balance that is large enough for this number of payments. */
export const valueFor = (payments: number): bigint => BigInt(payments) * (2n * AMOUNT + FEE_MAX)

export const clientOf = ({ baseUrl, setup }: Stage): SottoClient =>
  createSottoClient({ baseUrl, apiKey: setup.apiKey })

/** Tops up a balance from a new wallet, with only the SDK, as a partner's customer does. */
export async function topUp(
  stage: Stage,
  value: bigint,
  service: BalanceService = clientOf(stage),
): Promise<Balance> {
  const signer = await generateKeyPairSigner()
  await stage.treasury.fund(signer.address, value + SPARE_LAMPORTS)
  return openBalance({
    ...{ service, signer, store: memoryBalance(), approve: () => true, pollMs: POLL_MS },
    ...{ rpc: stage.chain.rpc, programId: stage.program },
    ...{ acceptedPrograms: [PROGRAM_SHA256], isLocalChain: true },
    topUp: { senderAddress: signer.address, assetId: NATIVE_MINT, amount: `${value}` },
  })
}

/** A payment to a wallet that is new to the chain. */
export async function newPayment(index: number): Promise<{ to: Address; amount: string }> {
  const { address } = await generateKeyPairSigner()
  return { to: address, amount: `${AMOUNT + BigInt(index)}` }
}

export const newPayments = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => newPayment(index)))
