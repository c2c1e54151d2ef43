import { NATIVE_MINT } from '@sotto/protocol'
import { generateKeyPairSigner } from '@solana/kit'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Order, Quote } from '../../demo/src/service-api.ts'
import type { Driven } from './drive-transfers.ts'

const AMOUNT = '7654321098'
/** Headers that a browser sends for a page of the service's own origin. */
const OWN_PAGE = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }

/** A page's client. It stores the cookie and, like the partner's client, records refusals. */
class Page {
  readonly #api: string
  readonly #driven: Driven
  #cookie = ''

  constructor(api: string, driven: Driven) {
    this.#api = api
    this.#driven = driven
  }

  async ask(method: string, path: string, body?: unknown, headers = {}): Promise<string> {
    const response = await fetch(`${this.#api}${path}`, {
      method,
      headers: { ...OWN_PAGE, cookie: this.#cookie, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';')
    if (cookie !== '') {
      this.#cookie = cookie
      this.#driven.needles.text('a cookie', cookie.split('=').at(-1) ?? '')
    }
    const text = await response.text()
    if (!response.ok) this.#driven.partner.refusals.push(text)
    return text
  }
}

/** Sends an order through the send page and its relay. Also makes calls that the service refuses. */
export async function driveSendPage(driven: Driven): Promise<void> {
  const { partner, needles } = driven
  const page = new Page(`${partner.baseUrl}/send/api`, driven)
  const [sender, recipient] = [await generateKeyPairSigner(), await generateKeyPairSigner()]
  const memo = `page-${randomUUID()}`
  needles.address('a sender of the page', sender.address).amount('an amount of the page', AMOUNT)
  needles.address('a recipient of the page', recipient.address).text('a memo of the page', memo)
  const wallets = { senderAddress: sender.address, recipientAddress: recipient.address }
  const assets = { sourceAssetId: NATIVE_MINT, destinationAssetId: NATIVE_MINT }
  const quoted = await page.ask('POST', '/quote', { amount: AMOUNT, ...assets, ...wallets })
  const { quote } = JSON.parse(quoted) as { quote: Quote }
  const made = await page.ask('POST', '/orders', { quote, ...wallets })
  const { order } = JSON.parse(made) as { order: Order }
  needles.text('an order of the page', order.trackingId).text('its ticket', order.recovery)
  const own = `/orders/${order.trackingId}`
  await page.ask('GET', own)
  await page.ask('POST', `${own}/refresh`, {})
  await page.ask('POST', `${own}/deposit`, { signature: memo })
  await page.ask('GET', own, undefined, { cookie: memo })
  await page.ask('POST', '/quote', { ...assets, ...wallets, amount: memo })
  await page.ask('POST', '/quote', { ...wallets }, { origin: `https://${memo}.example` })
  const node = (method: string, params: unknown[]) =>
    page.ask('POST', '/node', { jsonrpc: '2.0', id: memo, method, params })
  await node('getAccountInfo', [recipient.address])
  await node('sendTransaction', [memo])
  await node(memo, [sender.address])
}

/** Tries a wrong token. Then logs in and reads the console's documents. */
export async function driveConsole(driven: Driven): Promise<string> {
  const { stage, needles } = driven
  const page = new Page(`http://127.0.0.1:${stage.metricsPort}/console/api`, driven)
  const token = await readFile(join(stage.keys, 'operator-token'), 'ascii')
  const slip = `token-${randomUUID()}`
  needles.text("the operator's token", token).text('a wrong token', slip)
  await page.ask('POST', '/session', { token: slip })
  await page.ask('GET', `/overview?token=${slip}`)
  await page.ask('POST', '/session', { token })
  return (await page.ask('GET', '/overview')) + (await page.ask('GET', '/crowds?range=6h'))
}
