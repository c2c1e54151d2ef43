import { NATIVE_MINT } from '@sotto/protocol'
import { createSottoClient } from '@sotto/sdk/server'
import type { Order, OrderStatusRecord, SottoClient } from '@sotto/sdk/server'
import { askedFor, memoryTickets, PROGRAM_SHA256, transfer } from '@sotto/sdk/wallet'
import { address, type Address, type KeyPairSigner } from '@solana/kit'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Chain } from '../../../demo/src/chain.ts'
import { callLocal } from '../../../demo/src/stack/call-local.ts'
import { keypairFile } from '../../../demo/src/stack/keypair-file.ts'
import type { LocalStack } from '../../../demo/src/stack/local-stack.ts'
import { localTreasury } from '../../../demo/src/stack/local-treasury.ts'
import { openQuickStack } from '../../../testing/stage/quick-stack.ts'
import { runSotto, type Ended, type Watch } from './run-sotto.ts'

type Wanted = (order: OrderStatusRecord) => boolean

/** A service and a chain as processes, and a partner's machine with a funded wallet. */
export interface LocalPartner {
  readonly stack: LocalStack
  readonly chain: Chain
  readonly wallet: Address
  /** The partner's own files. */
  readonly home: string
  readonly env: Record<string, string>
  readonly sotto: (...args: string[]) => Promise<Ended>
  readonly sottoWatched: (args: readonly string[], watch: Watch) => Promise<Ended>
  /** A new, unused wallet. */
  readonly newWallet: () => Promise<Address>
  readonly client: SottoClient
  /** Orders a transfer of SOL, or a swap, without paying for it. */
  readonly order: (recipient: Address, destination?: Address) => Promise<Order>
  /** Makes and pays a transfer of SOL with the SDK. */
  readonly pay: (recipient: Address) => Promise<{ readonly trackingId: string }>
  /** Polls until an order has the given status or satisfies the condition. */
  readonly follow: (trackingId: string, wanted: string | Wanted) => Promise<OrderStatusRecord>
  readonly advance: (seconds: bigint) => Promise<void>
  /** Stops the service and deletes all of its data, including its keys. The chain keeps running. */
  readonly loseService: () => Promise<void>
  readonly close: () => Promise<void>
}

/** A partner's program that uses the SDK instead of the command. */
function partnerProgram(
  stack: LocalStack,
  chain: Chain,
  signer: KeyPairSigner,
): Pick<LocalPartner, 'client' | 'order' | 'pay' | 'follow'> {
  const client = createSottoClient({ baseUrl: stack.baseUrl, apiKey: stack.setup.apiKey })
  const requestFor = (recipientAddress: Address, destinationAssetId: Address = NATIVE_MINT) => ({
    ...{ amount: '200000000', sourceAssetId: NATIVE_MINT, destinationAssetId },
    ...{ senderAddress: signer.address, recipientAddress },
  })
  return {
    client,
    order: async (recipient, destination) => {
      const request = requestFor(recipient, destination)
      const { quote } = await client.quote(request)
      const { senderAddress, recipientAddress } = request
      return client.createOrder({ quote, senderAddress, recipientAddress })
    },
    pay: (recipient) =>
      transfer({
        state: askedFor(requestFor(recipient)),
        save: async () => undefined,
        ...{ service: client, rpc: chain.rpc, programId: address(stack.program), signer },
        ...{ acceptedPrograms: [PROGRAM_SHA256], isLocalChain: true },
        ...{ tickets: memoryTickets(), approve: () => true, until: 'paid', pollMs: 100 },
      }),
    follow: async (trackingId, wanted) => {
      const isWanted: Wanted =
        typeof wanted === 'string' ? ({ status }) => status === wanted : wanted
      await client.hintDeposit(trackingId)
      for (;;) {
        const order = await client.status(trackingId)
        if (isWanted(order)) return order
        if (order.final) throw new Error(`the order ended as ${order.status}`)
        await sleep(200)
      }
    },
  }
}

export async function openLocalPartner(): Promise<LocalPartner> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-cli-'))
  const stackFolder = join(folder, 'stack')
  const stack = await openQuickStack({
    folder: stackFolder,
    settings: { SOTTO_TEST_MODE: 'true' },
  })
  const { rpcUrl } = stack
  const chain = new Chain(rpcUrl)
  const home = join(folder, 'partner')
  const keypair = join(home, 'wallet.json')
  const signer = await keypairFile(keypair)
  const wallet = signer.address
  await localTreasury(chain, rpcUrl).fund(wallet, 20_000_000_000n)
  const env = {
    SOTTO_URL: stack.baseUrl,
    SOTTO_RPC_URL: rpcUrl,
    SOTTO_PROGRAM_ID: stack.program,
    SOTTO_LOCAL_CHAIN: '1',
    SOTTO_API_KEY: stack.setup.apiKey,
    SOTTO_KEYPAIR: keypair,
    SOTTO_HOME: home,
  }
  let wallets = 0
  return {
    ...{ stack, chain, wallet, home, env },
    sotto: (...args) => runSotto(args, env),
    sottoWatched: (args, watch) => runSotto(args, env, { watch }),
    ...partnerProgram(stack, chain, signer),
    newWallet: async () =>
      (await keypairFile(join(folder, 'wallets', `${(wallets += 1)}.json`))).address,
    advance: async (seconds) => {
      await callLocal(rpcUrl, 'localnet_advanceTime', [Number(seconds)])
    },
    loseService: async () => {
      await stack.stopService()
      await stack.dropDatabase()
      for (const part of ['keys', 'prices.json', 'setup.json', 'set-up.jsonl']) {
        await rm(join(stackFolder, part), { recursive: true, force: true })
      }
    },
    close: async () => {
      await stack.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
