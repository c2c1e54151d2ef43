import type { QuoteRequest } from '@sotto/contract'
import { decodeTicket, orderAddress, type Address } from '@sotto/protocol'
import { createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit'
import type { HttpStack } from '../../../server/tests/http/http-stack.ts'
import { countOrders } from '../../../server/tests/http/partner-client.ts'
import { PROGRAM } from '../../../server/tests/settlement/stack/localnet-process.ts'
import { makeWallet } from '../../../server/tests/settlement/stack/wallet.ts'
import { systemHost } from '../../src/host/host.ts'
import { memoryTickets, type TransferOptions } from '../../wallet.ts'
import { clientOf, LOCAL_PROGRAM } from '../attacks/honest-order.ts'

/** The fee for the signatures of the sender and the authoriser, 5,000 lamports each. */
const TRANSACTION_FEE = 10_000n

/** The default options of the transfers in these tests. */
export async function optionsOf(stack: HttpStack) {
  return {
    service: clientOf(stack),
    rpc: stack.rpc,
    programId: PROGRAM,
    ...LOCAL_PROGRAM,
    signer: await createKeyPairSignerFromBytes(new Uint8Array(stack.sender.keypair)),
    tickets: memoryTickets(),
    approve: () => true,
    pollMs: 50,
  } satisfies Partial<TransferOptions>
}

async function lamportsIn({ rpc }: HttpStack, wallet: Address): Promise<bigint> {
  return (await rpc.getBalance(wallet, { commitment: 'confirmed' }).send()).value
}

/** A new wallet that contains this many lamports. */
export async function fundedSigner(stack: HttpStack, lamports: number): Promise<KeyPairSigner> {
  const { address, keypair } = makeWallet()
  await stack.localnet.local('requestAirdrop', [address, lamports])
  while ((await lamportsIn(stack, address)) === 0n) await systemHost.sleep(50)
  return createKeyPairSignerFromBytes(new Uint8Array(keypair))
}

/**
 * Records the current state of a sender. The returned functions report how much the sender has spent on the chain since
 * then, and how many orders were made.
 */
export async function openBooks(stack: HttpStack, sender: Address = stack.sender.address) {
  const balance = () => lamportsIn(stack, sender)
  const [before, ordersBefore] = [await balance(), await countOrders(stack)]
  return {
    spent: async () => before - (await balance()),
    ordersMade: async () => (await countOrders(stack)) - ordersBefore,
  }
}

/**
 * The cost of exactly one deposit of native SOL: its amount, the rent of the Order account, and the fee of one
 * transaction.
 */
export async function costOfOne(
  stack: HttpStack,
  request: Pick<QuoteRequest, 'amount'>,
  recovery: string,
): Promise<bigint> {
  const account = await orderAddress(PROGRAM, decodeTicket(recovery).orderId)
  const options = { commitment: 'confirmed' } as const
  const { value: rent } = await stack.rpc.getBalance(account, options).send()
  return BigInt(request.amount) + rent + TRANSACTION_FEE
}
