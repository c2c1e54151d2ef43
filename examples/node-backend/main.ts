// Run `npm start` at the root. Then run the `. …/partner.env` that it prints, and then
// `npm start -w @sotto/example-node-backend`.
import { createSottoClient } from '@sotto/sdk/server'
import { fileURLToPath } from 'node:url'
import { startBackend } from './src/backend.ts'
import { reconcile } from './src/reconcile.ts'
import { openTransferRecords } from './src/transfer-records.ts'

function setting(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`set ${name}`)
  return value
}

const service = createSottoClient({
  baseUrl: setting('SOTTO_URL'),
  apiKey: setting('SOTTO_API_KEY'),
})
const records = openTransferRecords()
// Orders that were made just before the last process ended are in the service's list, but not in our records.
const found = await reconcile(service, records)
const backend = await startBackend({
  service,
  records,
  wallet: { rpcUrl: setting('SOTTO_RPC_URL'), programId: setting('SOTTO_PROGRAM_ID') },
  webhookSecret: process.env['SOTTO_WEBHOOK_SECRET'],
  pages: fileURLToPath(new URL('../browser/dist', import.meta.url)),
  port: 3000,
})
console.log(`${found} orders known; open ${backend.url}`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void backend.stop())
