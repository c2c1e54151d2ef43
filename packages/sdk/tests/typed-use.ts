import { createSolanaRpc, type Address, type KeyPairSigner } from '@solana/kit'
import {
  createSottoClient,
  SottoApiError,
  type ErrorCode,
  type OrderStatusRecord,
  type Quote,
} from '@sotto/sdk/server'
import {
  minOutOf,
  OrderRefusedError,
  PROGRAM_SHA256,
  signAndSubmit,
  verifyOrder,
  walletStandardSigner,
  type RefusalCode,
  type TransferState,
  type VerifiedOrder,
} from '@sotto/sdk/wallet'
import { askedFor, transfer } from '@sotto/sdk'

// Code as partners write it. This file is never run. It is type-checked here, and in a partner's project with every
// module resolution mode.

const client = createSottoClient({ baseUrl: 'https://sotto.example', apiKey: 'sotto_test_…' })
const rpc = createSolanaRpc('https://rpc.example')

export async function amounts(quote: Quote): Promise<string> {
  const paid: string = quote.amountIn
  // @ts-expect-error An amount is digits, never a number.
  const wrong: number = quote.amountIn
  const { order } = { order: await client.status('tr_1') }
  const status: OrderStatusRecord['status'] = order.status
  // @ts-expect-error There is no such status.
  if (status === 'failed') return `${wrong}`
  return paid
}

export function explain(error: unknown): string {
  if (error instanceof SottoApiError) {
    const code: ErrorCode = error.code
    // @ts-expect-error There is no such code.
    if (code === 'QUOTE_WRONG') return ''
    return `${code} ${error.retry} ${error.min ?? ''}`
  }
  if (error instanceof OrderRefusedError) {
    const codes: RefusalCode[] = error.refusals.map(({ code }) => code)
    return codes.join(' ')
  }
  throw error
}

export async function pay(quote: Quote, signer: KeyPairSigner, programId: Address) {
  const addresses = { senderAddress: signer.address, recipientAddress: signer.address }
  const order = await client.createOrder({ quote, ...addresses })
  // @ts-expect-error An unverified order can't be signed.
  await signAndSubmit(order, { signer, rpc })
  const amountIn = BigInt(quote.amountIn)
  const expected = {
    sender: signer.address,
    recipient: signer.address,
    sourceAssetId: quote.sourceAssetId as Address,
    destinationAssetId: quote.destinationAssetId as Address,
    amountIn,
    amountOut: BigInt(quote.amountOut),
    minOut: minOutOf(amountIn, { source: 1_000_000_000n, destination: 149_550_000n }, 100),
  }
  const trusted = { programId, acceptedPrograms: [PROGRAM_SHA256], refreshed: null }
  // @ts-expect-error Expected amounts are bigint.
  await verifyOrder({ ...trusted, order, quote, rpc, expected: { amountIn: quote.amountIn } })
  const verified: VerifiedOrder = await verifyOrder({
    ...{ ...trusted, order, quote, rpc, expected },
  })
  const refreshed = await client.refresh(order.trackingId)
  // @ts-expect-error The caller must say whether an order is new or refreshed.
  await verifyOrder({ ...trusted, refreshed: undefined, order: refreshed, quote, rpc, expected })
  await verifyOrder({ ...trusted, refreshed: order, order: refreshed, quote, rpc, expected })
  const signature: string = await signAndSubmit(verified, { signer, rpc })
  return { signature, authority: verified.program.upgradeAuthority }
}

export async function whole(signer: KeyPairSigner, programId: Address, saved?: string) {
  const asked = askedFor({
    amount: '1000000',
    sourceAssetId: 'So11111111111111111111111111111111111111112',
    destinationAssetId: 'So11111111111111111111111111111111111111112',
    senderAddress: signer.address,
    recipientAddress: signer.address,
  })
  const state = saved === undefined ? asked : (JSON.parse(saved) as TransferState)
  const save = async (next: TransferState) => void JSON.stringify(next)
  const acceptedPrograms = [PROGRAM_SHA256]
  const chain = { rpc, programId, acceptedPrograms }
  // @ts-expect-error `approve` is required.
  await transfer({ state, save, service: client, ...chain, signer })
  const approve = () => true
  // @ts-expect-error `acceptedPrograms` is required.
  await transfer({ state, save, approve, service: client, rpc, programId, signer })
  const result = await transfer({ state, save, approve, service: client, ...chain, signer })
  return result.outcome === 'not_paid' ? result.code : result.trackingId
}

export const connected = walletStandardSigner({ features: {} }, { address: '…' })
