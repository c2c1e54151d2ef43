import { address, createSolanaRpc, generateKeyPairSigner } from '@solana/kit'
import { memoryBalance, type PaidPayment } from '@sotto/sdk/balance'
import { createSottoClient } from '@sotto/sdk/server'
import { PROGRAM_SHA256 } from '@sotto/sdk/wallet'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HUNG_MS } from '../../testing/patience/hung.ts'
import { Chain } from '../../demo/src/chain.ts'
import { silence } from '../../demo/src/progress.ts'
import { openLocalStack, type LocalStack } from '../../demo/src/stack/local-stack.ts'
import { localTreasury } from '../../demo/src/stack/local-treasury.ts'
import { findBrowser } from '../../testing/browser/find-browser.ts'
import { buildPage } from '../browser/build-page.ts'
import { startBackend, type Backend } from '../node-backend/src/backend.ts'
import { reconcile } from '../node-backend/src/reconcile.ts'
import { openTransferRecords, type TransferRecord } from '../node-backend/src/transfer-records.ts'
import { paySalaries, takeBack, topUp, type Payer } from '../payroll/src/payroll.ts'

const SOL = 'So11111111111111111111111111111111111111112'

const records = openTransferRecords()
let folder: string
let stack: LocalStack
let backend: Backend
let webhook: { readonly webhookId: string; readonly secret: string }
const service = () => createSottoClient({ baseUrl: stack.baseUrl, apiKey: stack.setup.apiKey })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-examples-'))
  const ports = { apiPort: 0, rpcPort: 0 }
  ;[stack] = await Promise.all([
    openLocalStack({ folder: join(folder, 'stack'), ...ports, progress: silence }),
    buildPage(join(folder, 'pages')),
  ])
  const options = {
    ...{ service: service(), records, pages: join(folder, 'pages') },
    wallet: { rpcUrl: stack.rpcUrl, programId: stack.program },
  }
  // Registering the webhook returns the secret, but it needs the backend's URL. So the backend first starts without a
  // secret.
  backend = await startBackend({ ...options, webhookSecret: undefined, port: 0 })
  const { port } = new URL(backend.url)
  webhook = await registerWebhook(`${backend.url}/webhooks`)
  await backend.stop()
  backend = await startBackend({
    ...options,
    ...{ webhookSecret: webhook.secret, port: Number(port) },
  })
})
afterAll(async () => {
  await backend?.stop()
  await stack?.close()
  await rm(folder, { recursive: true, force: true })
})

async function call(path: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${stack.baseUrl}/transfer/v1/webhooks${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${stack.setup.apiKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Record<string, unknown>
}

async function registerWebhook(url: string) {
  const { webhook: made, secret } = (await call('', { url })) as {
    webhook: { webhookId: string }
    secret: string
  }
  return { webhookId: made.webhookId, secret }
}

async function listed(): Promise<TransferRecord[]> {
  return (await fetch(`${backend.url}/transfers`)).json() as Promise<TransferRecord[]>
}

/** Sends a message in the service's format, signed according to Standard Webhooks. */
async function deliver(
  trackingId: string,
  status: string,
  secret = webhook.secret,
): Promise<number> {
  const at = new Date()
  const data = { trackingId, status, final: true, sequence: 5 }
  const body = JSON.stringify({ type: `order.${status}`, timestamp: at.toISOString(), data })
  const headers = {
    'content-type': 'application/json',
    'webhook-id': `evt_${trackingId.slice(3)}_5`,
    'webhook-timestamp': `${Math.floor(at.getTime() / 1_000)}`,
    'webhook-signature': new Webhook(secret).sign(`evt_${trackingId.slice(3)}_5`, at, body),
  }
  const { status: answered } = await fetch(`${backend.url}/webhooks`, {
    ...{ method: 'POST', headers, body },
  })
  return answered
}

const executablePath = findBrowser()
// CI has a browser, so in CI this test must not be skipped.
const isSkipped = executablePath === undefined && process.env['CI'] === undefined

describe.skipIf(isSkipped)('the page, in a browser', () => {
  let browser: Browser
  let page: Page
  const complaints: string[] = []
  beforeAll(async () => {
    if (executablePath === undefined) throw new Error('there is no Chromium on the PATH')
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    browser = await chromium.launch({ executablePath, args })
    page = await browser.newPage()
    page.setDefaultTimeout(HUNG_MS)
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('dialog', (dialog) => void dialog.accept())
    await page.goto(backend.url)
  })
  afterAll(() => browser?.close())

  async function send(recipient: string, amount: string): Promise<void> {
    await page.fill('[name=recipient]', recipient)
    await page.fill('[name=amount]', amount)
    await page.fill('[name=delay]', '2')
    await page.click('#form button')
  }
  const outcome = () => page.waitForFunction("document.getElementById('outcome').textContent")

  it('shows a refusal that the backend passes on from the service', async () => {
    await page.click('text=Connect Test wallet')
    await send((await generateKeyPairSigner()).address, '1')
    expect(await (await outcome()).jsonValue()).toContain('AMOUNT_OUT_OF_RANGE')
    expect(await listed()).toEqual([])
    expect(await page.evaluate("localStorage.getItem('sotto:transfer')")).toBeNull()
  })

  it('offers no new transfer while an unfinished transfer may be paid, even if the page connects twice', async () => {
    const recipient = (await generateKeyPairSigner()).address
    await page.reload()
    await page.waitForSelector('#wallets button')
    // Both clicks come before the wallet has answered.
    await page.evaluate(`const button = document.querySelector('#wallets button')
      button.click()
      button.click()`)
    await page.waitForSelector('#form:not([hidden])')
    await page.route('**/sotto/deposit', (route) => route.abort())
    await page.route('**/sotto/status', (route) => route.abort())
    await send(recipient, '1000000000')
    await outcome()
    expect(await page.isVisible('#form')).toBe(false)
    expect(await listed()).toHaveLength(1)
    await page.unrouteAll()
    await page.click('#continue')
    await page.waitForSelector('#outcome:has-text("delivered")')
    expect(await page.isVisible('#form')).toBe(true)
    expect(await page.isVisible('#continue')).toBe(false)
    const rpc = createSolanaRpc(stack.rpcUrl as `http://${string}`)
    expect((await rpc.getBalance(recipient).send()).value).toBe(997_900_000n)
    await expect.poll(listed).toMatchObject([{ final: true }])
  })

  it('pays only once although it is reloaded during the transfer, and the backend learns the result', async () => {
    const recipient = (await generateKeyPairSigner()).address
    await send(recipient, '1000000000')
    await page.waitForSelector('#steps li:has-text("submitting")')
    await page.reload()
    await page.click('text=Connect Test wallet')
    expect(await (await outcome()).jsonValue()).toBe('delivered')
    const rpc = createSolanaRpc(stack.rpcUrl as `http://${string}`)
    const { value } = await rpc.getBalance(recipient).send()
    expect(value).toBe(997_900_000n)
    // The backend learns only from the service's webhook that an order has ended.
    await expect.poll(listed).toMatchObject([{ final: true }, { final: true }])
    const orders = await listed()
    expect(orders).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }])
    const elsewhere = openTransferRecords()
    expect(await reconcile(service(), elsewhere)).toBe(2)
    expect(elsewhere.list()).toEqual(expect.arrayContaining(orders))
    expect(complaints).toEqual([])
  })
})

describe('the webhook of the backend', () => {
  let trackingId: string
  beforeAll(async () => {
    const assets = { sourceAssetId: SOL, destinationAssetId: SOL }
    const wallets = {
      senderAddress: (await generateKeyPairSigner()).address,
      recipientAddress: (await generateKeyPairSigner()).address,
    }
    const { quote } = await service().quote({ amount: '1000000000', ...assets, ...wallets })
    const order = await service().createOrder({ quote, ...wallets, reference: 'invoice-7' })
    trackingId = order.trackingId
  })

  it('answers the test delivery of the service', async () => {
    const tried = await call(`/${webhook.webhookId}/test`, {})
    expect(JSON.stringify(tried)).toContain('204')
  })

  it('rejects a delivery that another key has signed', async () => {
    const other = `whsec_${Buffer.from('another of twenty-four b.').toString('base64')}`
    expect(await deliver(trackingId, 'delivered', other)).toBe(401)
    expect(records.read(trackingId)).toBeUndefined()
  })

  it('stores the status that the service reports, not the status in the delivery', async () => {
    expect(await deliver(trackingId, 'delivered')).toBe(204)
    expect(await deliver(trackingId, 'delivered')).toBe(204)
    expect(records.read(trackingId)).toEqual({
      ...{ trackingId, status: 'awaiting_deposit', final: false, reference: 'invoice-7' },
    })
  })

  it('answers with an error if it cannot process a delivery', async () => {
    expect(await deliver('tr_AAAAAAAAAAAAAAAAAAAAAA', 'delivered')).toBe(500)
  })
})

describe('the payroll', () => {
  it('pays each salary once, even if it runs again, and takes the rest back', async () => {
    const signer = await generateKeyPairSigner()
    const chain = new Chain(stack.rpcUrl)
    await localTreasury(chain, stack.rpcUrl).fund(signer.address, 3_000_000_000n)
    const payer: Payer = {
      service: service(),
      rpc: createSolanaRpc(stack.rpcUrl as `http://${string}`),
      programId: address(stack.program),
      ...{ acceptedPrograms: [PROGRAM_SHA256], isLocalChain: true },
      ...{ store: memoryBalance(), pollMs: 100 },
    }
    const terms = { senderAddress: signer.address, assetId: SOL, amount: '1000000000' }
    await topUp(payer, signer, terms)
    const lines = await Promise.all(
      ['100000001', '250000000'].map(async (amount) => ({
        to: (await generateKeyPairSigner()).address,
        amount,
      })),
    )
    const paid: [number, PaidPayment][] = []
    const salaries = {
      list: { id: '2026-11', lines },
      onPaid: (line: number, one: PaidPayment) => void paid.push([line, one]),
    }
    const first = await paySalaries(payer, salaries)
    expect(await paySalaries(payer, salaries)).toEqual(first)
    expect(paid).toEqual([...first.entries(), ...first.entries()])
    for (const { to, amount } of lines)
      expect(await chain.balance(to, address(SOL))).toBe(BigInt(amount))
    const before = await chain.balance(signer.address, address(SOL))
    const rest = await takeBack(payer)
    const after = await chain.balance(signer.address, address(SOL))
    expect(after - before).toBe(BigInt(rest.payout))
    const costs = [...first, rest].map(({ payout, fee }) => BigInt(payout) + BigInt(fee))
    // A residue stays in the pool, because an exact rest would show the sum of the salaries (decision 59).
    const residue = 1_000_000_000n - costs.reduce((sum, cost) => sum + cost)
    expect(residue >= 0n && residue <= 1_000_000n).toBe(true)
    // The next top-up needs another store. Without this error, a payer would believe that it was made.
    await expect(topUp(payer, signer, terms)).rejects.toThrow('use another store')
    expect(await chain.balance(signer.address, address(SOL))).toBe(after)
  })
})
