import { createDefaultRpcTransport, createSolanaRpcFromTransport, type Address } from '@solana/kit'
import {
  askedFor,
  OrderRefusedError,
  pacedTransport,
  PROGRAM_SHA256,
  transfer,
  type OrderSigner,
  type TransferRequest,
  type TransferState,
} from '@sotto/sdk/wallet'
import { BackendError, backendService } from './backend-service.ts'
import { connect, watchWallets } from './connect-wallet.ts'
import { dropUnsigned, readTransfer, saveTransfer } from './saved-transfer.ts'
import { registerTestWallet } from './test-wallet.ts'

const CHAIN = 'solana:localnet'
const SOL = 'So11111111111111111111111111111111111111112'

// In your own page, make these two values constants, because you choose the node and the program yourself.
const config = (await (await fetch('/config')).json()) as { rpcUrl: string; programId: string }
// The transport stays within the rate limit of a public node.
const rpc = createSolanaRpcFromTransport(
  pacedTransport(createDefaultRpcTransport({ url: config.rpcUrl })),
)

const find = <Found extends HTMLElement>(id: string): Found => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no ${id}`)
  return found as Found
}
const form = find<HTMLFormElement>('form')
const resume = find<HTMLButtonElement>('continue')
const outcome = find<HTMLOutputElement>('outcome')
let wallet: OrderSigner | undefined
let isRunning = false

function show(step: string): void {
  const item = document.createElement('li')
  item.textContent = step
  find('steps').append(item)
}

function explain(error: unknown): string {
  // The service's order differs from the request, so the page doesn't sign it.
  if (error instanceof OrderRefusedError) return `refused: ${error.message}`
  if (error instanceof BackendError) return `${error.code ?? 'failed'}: ${error.message}`
  return error instanceof Error ? error.message : String(error)
}

/** Runs a transfer to its end. To continue a transfer, the page calls this with the last saved state. */
async function run(signer: OrderSigner, state: TransferState): Promise<void> {
  if (isRunning) return
  isRunning = true
  form.hidden = true
  resume.hidden = true
  outcome.textContent = ''
  try {
    const result = await transfer({
      ...{ state, service: backendService, rpc, signer },
      programId: config.programId as Address,
      // This is the hash of this release's program. Omit `isLocalChain` unless the page uses a local chain.
      acceptedPrograms: [PROGRAM_SHA256],
      isLocalChain: true,
      save: async (next) => {
        await saveTransfer(next)
        show(next.step)
      },
      approve: ({ quote }) =>
        confirm(`Pay ${quote.amountIn}? ${quote.amountOut} will arrive. The fee is ${quote.fee}.`),
      pollMs: 1_000,
    })
    outcome.textContent = result.outcome
  } catch (error) {
    dropUnsigned(state)
    outcome.textContent = explain(error)
  }
  isRunning = false
  offer()
}

/** Offers a new transfer only if none is unfinished. An unfinished transfer may be paid, so it must be continued. */
function offer(): void {
  const isUnfinished = readTransfer() !== undefined
  form.hidden = isUnfinished
  resume.hidden = !isUnfinished
}

function requestOf(signer: OrderSigner): TransferRequest {
  const entered = new FormData(form)
  const text = (name: string) => String(entered.get(name) ?? '').trim()
  const delay = text('delay')
  return {
    amount: text('amount'),
    sourceAssetId: SOL,
    destinationAssetId: SOL,
    senderAddress: signer.address,
    recipientAddress: text('recipient'),
    ...(delay === '' ? {} : { minDelaySeconds: 1, maxDelaySeconds: Number(delay) }),
  }
}

function continueSaved(): void {
  const saved = readTransfer()
  if (wallet !== undefined && saved !== undefined) void run(wallet, saved)
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  if (wallet === undefined) return
  find('steps').replaceChildren()
  void run(wallet, askedFor(requestOf(wallet)))
})
resume.addEventListener('click', continueSaved)

watchWallets(CHAIN, (found) => {
  const button = document.createElement('button')
  button.textContent = `Connect ${found.name}`
  button.addEventListener('click', () => {
    void connect(found, CHAIN).then((signer) => {
      wallet = signer
      find('wallets').replaceChildren(`Paying from ${signer.address}`)
      if (isRunning) return
      offer()
      continueSaved()
    })
  })
  find('wallets').replaceChildren(button)
})
registerTestWallet(config.rpcUrl)
