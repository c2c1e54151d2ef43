import { MAX_SUPPORTED_TRANSACTION_VERSION, type Signature } from '@solana/kit'
import { isUnknownSignature, settlementsOf, type Address } from '@sotto/protocol'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/**
 * Maximum number of the pool's transactions that one step reads. The limit keeps a step short even if the pool is busy.
 */
const PAID_MAX = 50

interface Newest {
  readonly signatures: readonly Signature[]
  /** The newest listed transaction. The next listing contains only newer transactions. */
  readonly until: Signature | undefined
}

/**
 * Lists the newest finalized transactions that name an address, without failed transactions. The list ends at the
 * transaction `until`. If the node has pruned that transaction, the transactions are listed without `until`.
 */
async function listNewest(
  rpc: ChainRpc,
  address: Address,
  limit: number,
  until: Signature | undefined,
  abortSignal: AbortSignal,
): Promise<Newest> {
  const list = (end: { readonly until?: Signature }) =>
    rpc
      .getSignaturesForAddress(address, { commitment: 'finalized', limit, ...end })
      .send({ abortSignal })
  const page = await list(until === undefined ? {} : { until }).catch((error: unknown) => {
    if (until === undefined || !isUnknownSignature(error)) throw error
    return list({})
  })
  const landed = page.filter(({ err }) => err === null)
  return {
    signatures: landed.map(({ signature }) => signature),
    until: page[0]?.signature ?? until,
  }
}

const readOne = (rpc: ChainRpc, signature: Signature, abortSignal: AbortSignal) =>
  rpc
    .getTransaction(signature, {
      ...{ commitment: 'finalized', encoding: 'json' },
      maxSupportedTransactionVersion: MAX_SUPPORTED_TRANSACTION_VERSION,
    })
    .send({ abortSignal })

export interface PaidWallet {
  readonly asset: Address
  readonly payee: Address
}

/**
 * Returns the payees of the pool's newest settlements, oldest first. Refunds are left out, because their payees are
 * senders.
 */
export async function readPaid(
  rpc: ChainRpc,
  { program, tree }: { readonly program: Address; readonly tree: Address },
  until: Signature | undefined,
  abortSignal: AbortSignal,
): Promise<{ readonly paid: PaidWallet[]; readonly until: Signature | undefined }> {
  const newest = await listNewest(rpc, tree, PAID_MAX, until, abortSignal)
  const paid: PaidWallet[] = []
  for (const signature of newest.signatures.toReversed()) {
    const record = await readOne(rpc, signature, abortSignal)
    // A node with a short history may list a transaction that it can't return.
    if (record === null) continue
    for (const { asset, payee, isRefund } of settlementsOf(program, record)) {
      if (!isRefund) paid.push({ asset, payee })
    }
  }
  return { paid, until: newest.until }
}

export interface Strangers {
  readonly holders: Address[]
  readonly active: Address[]
  readonly until: Signature | undefined
}

/**
 * Returns wallets from the newest transactions that name a mint: the owners of the mint's token accounts, and the
 * wallets that signed. Transactions of the pool are left out, because a sender must not become a decoy of its own
 * recipient.
 */
export async function readStrangers(
  rpc: ChainRpc,
  program: Address,
  mint: Address,
  { limit, until }: { readonly limit: number; readonly until: Signature | undefined },
  abortSignal: AbortSignal,
): Promise<Strangers> {
  const newest = await listNewest(rpc, mint, limit, until, abortSignal)
  const holders = new Set<Address>()
  const active = new Set<Address>()
  for (const signature of newest.signatures) {
    const record = await readOne(rpc, signature, abortSignal)
    if (record === null) continue
    const { accountKeys, header } = record.transaction.message
    if (accountKeys.includes(program)) continue
    for (const signer of accountKeys.slice(0, header.numRequiredSignatures)) active.add(signer)
    for (const { mint: held, owner } of record.meta?.postTokenBalances ?? []) {
      if (held === mint && owner !== undefined) holders.add(owner)
    }
  }
  return { holders: [...holders], active: [...active], until: newest.until }
}
