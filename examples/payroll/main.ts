// Run `npm start` at the root, and then the `. …/partner.env` that it prints. Then run
// `npm start -w @sotto/example-payroll -- top-up`, later `-- pay salaries.json`, and finally `-- take-back`.
// The list is JSON: { "id", "lines": [{ "to", "amount" }] }.
import {
  address,
  createDefaultRpcTransport,
  createKeyPairSignerFromBytes,
  createSolanaRpcFromTransport,
} from '@solana/kit'
import type { PaymentList } from '@sotto/sdk/balance'
import { fileBalance } from '@sotto/sdk/node'
import { createSottoClient } from '@sotto/sdk/server'
import { pacedTransport, PROGRAM_SHA256 } from '@sotto/sdk/wallet'
import { readFile } from 'node:fs/promises'
import { paySalaries, takeBack, topUp, type Payer } from './src/payroll.ts'

const SOL = 'So11111111111111111111111111111111111111112'
const FIVE_SOL = '5000000000'

function setting(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`set ${name}`)
  return value
}

const payer: Payer = {
  service: createSottoClient({
    baseUrl: setting('SOTTO_URL'),
    apiKey: setting('SOTTO_API_KEY'),
  }),
  // The transport keeps the pace that a public node allows.
  rpc: createSolanaRpcFromTransport(
    pacedTransport(createDefaultRpcTransport({ url: setting('SOTTO_RPC_URL') })),
  ),
  programId: address(setting('SOTTO_PROGRAM_ID')),
  // The program of this release has a development key, so the SDK accepts it only on a local chain.
  ...{ acceptedPrograms: [PROGRAM_SHA256], isLocalChain: true },
  store: fileBalance('salaries.balance'),
}

async function run(command: string | undefined, file: string | undefined): Promise<void> {
  if (command === 'top-up') {
    const keypair = JSON.parse(await readFile(setting('SOTTO_KEYPAIR'), 'utf8')) as number[]
    const signer = await createKeyPairSignerFromBytes(new Uint8Array(keypair))
    const terms = { senderAddress: signer.address, assetId: SOL, amount: FIVE_SOL }
    const { value } = await (await topUp(payer, signer, terms)).state()
    console.log(`the balance holds ${value} lamports`)
  } else if (command === 'pay' && file !== undefined) {
    const list = JSON.parse(await readFile(file, 'utf8')) as PaymentList
    await paySalaries(payer, {
      list,
      onPaid: (line, { payout }) => console.log(`line ${line}: ${payout} lamports`),
    })
  } else if (command === 'take-back') {
    const { payout } = await takeBack(payer)
    console.log(`${payout} lamports are back in the wallet`)
  } else {
    throw new Error('usage: top-up | pay FILE | take-back')
  }
}

await run(process.argv[2], process.argv[3])
