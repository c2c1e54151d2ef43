import { generateKeyPairSigner } from '@solana/kit'

const SOL = 'So11111111111111111111111111111111111111112'
/** The headers that a browser adds to requests of a page on the service's own origin. */
const OWN_PAGE = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }

/** An order, and the cookie that the response set. */
export interface Made {
  readonly trackingId: string
  readonly cookie: string
  readonly attributes: string
}

/** Calls the send page's proxy in the way a browser does, and also in ways that a browser never uses. */
export function proxyClient(baseUrl: string) {
  const ask = (path: string, init: RequestInit = {}) => fetch(`${baseUrl}/send/api${path}`, init)
  const post = (path: string, body: object, headers: Record<string, string> = OWN_PAGE) =>
    ask(path, { method: 'POST', headers, body: JSON.stringify(body) })

  /** Makes an order between two new wallets. If the service refuses the order, returns the HTTP status. */
  async function makeOrder(): Promise<Made | number> {
    const wallets = {
      senderAddress: (await generateKeyPairSigner()).address,
      recipientAddress: (await generateKeyPairSigner()).address,
    }
    const assets = { sourceAssetId: SOL, destinationAssetId: SOL }
    const quoted = await post('/quote', { amount: '1000000000', ...assets, ...wallets })
    const { quote } = (await quoted.json()) as { quote: object }
    const made = await post('/orders', { quote, ...wallets })
    if (!made.ok) return made.status
    const { order } = (await made.json()) as { order: { trackingId: string } }
    const attributes = made.headers.get('set-cookie') ?? ''
    return { ...order, attributes, cookie: attributes.split(';')[0] ?? '' }
  }
  return { ask, post, makeOrder }
}
