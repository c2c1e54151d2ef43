import type { OrderResponse, QuoteRequest, QuoteResponse } from '@sotto/contract'
import { NATIVE_MINT } from '@sotto/protocol'
import { getAddressDecoder, type Address } from '@solana/kit'
import { randomBytes } from 'node:crypto'
import type { Shot } from '../load/target.ts'
import type { Stage } from './stage.ts'

const SENDERS = 20
const AMOUNT = '1000000000'

const newWallet = (): Address => getAddressDecoder().decode(randomBytes(32))

/** Makes quotes and orders. They alternate between the two most frequent kinds: sends of SOL and sends of a token. */
export class Traffic {
  readonly headers: Readonly<Record<string, string>>
  readonly #baseUrl: string
  readonly #assets: readonly Address[]
  readonly #senders = Array.from({ length: SENDERS }, newWallet)
  readonly #recipients = Array.from({ length: SENDERS }, newWallet)
  #count = 0

  constructor({ baseUrl, setup }: Pick<Stage, 'baseUrl' | 'setup'>) {
    this.#baseUrl = baseUrl
    this.#assets = [NATIVE_MINT, setup.usdc]
    this.headers = {
      authorization: `Bearer ${setup.apiKey}`,
      'content-type': 'application/json',
    }
  }

  #request(recipientAddress: Address): QuoteRequest {
    const asset = this.#assets[this.#count % this.#assets.length] ?? NATIVE_MINT
    const senderAddress = this.#senders[this.#count % SENDERS] ?? recipientAddress
    const amount = AMOUNT
    const assets = { sourceAssetId: asset, destinationAssetId: asset }
    return { amount, ...assets, senderAddress, recipientAddress }
  }

  /** A request for a quote to one of a few recipients, whose chain data the service has read recently. */
  readonly warmQuote = (): Shot => {
    this.#count += 1
    const recipient = this.#recipients[this.#count % SENDERS]
    return shotOf('quote', this.#request(recipient ?? newWallet()))
  }

  /** A request for a quote to a new recipient. */
  readonly coldQuote = (): Shot => {
    this.#count += 1
    return shotOf('quote', this.#request(newWallet()))
  }

  async #post<Response>({ path, body }: Shot): Promise<Response> {
    const request = { method: 'POST', headers: this.headers, body }
    const response = await fetch(this.#baseUrl + path, request)
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`)
    return JSON.parse(text) as Response
  }

  readonly quote = (shot: Shot): Promise<QuoteResponse> => this.#post(shot)
  readonly order = (shot: Shot): Promise<OrderResponse> => this.#post(shot)

  /** A request for a new order from a new quote. */
  async newOrder(): Promise<Shot> {
    const shot = this.warmQuote()
    const { quote } = await this.quote(shot)
    const { senderAddress, recipientAddress } = JSON.parse(shot.body ?? '') as QuoteRequest
    return shotOf('order', { quote, senderAddress, recipientAddress })
  }

  async newOrders(count: number): Promise<Shot[]> {
    const orders: Shot[] = []
    const client = async () => {
      while (orders.length < count) orders.push(await this.newOrder())
    }
    await Promise.all(Array.from({ length: SENDERS }, client))
    return orders
  }
}

const shotOf = (endpoint: 'quote' | 'order', body: object): Shot => ({
  method: 'POST',
  path: `/transfer/v1/${endpoint}`,
  body: JSON.stringify(body),
})

/** A request for an order's status. */
export const statusShot = (trackingId: string): Shot => ({
  method: 'GET',
  path: `/transfer/v1/status/${trackingId}`,
  body: null,
})

/** Returns the requests of a list one after the other, and then starts again with the first. */
export function inTurns(shots: readonly Shot[]): () => Shot {
  let index = 0
  return () => {
    const shot = shots[index % shots.length]
    index += 1
    if (shot === undefined) throw new Error('there is nothing to send')
    return shot
  }
}

/** Returns each request only once. If an order were sent twice, the second request would be a replay. */
export function eachOnce(shots: readonly Shot[]): () => Shot | undefined {
  let index = 0
  return () => shots[index++]
}
