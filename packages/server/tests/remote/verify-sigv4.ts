import { createHash, createHmac } from 'node:crypto'
import type { Asked } from './remote-server.ts'

const sha256 = (data: string) => createHash('sha256').update(data).digest('hex')
const hmac = (key: Buffer | string, data: string) => createHmac('sha256', key).update(data).digest()

const HEADER =
  /^AWS4-HMAC-SHA256 Credential=([A-Z0-9]+)\/([0-9]{8})\/([a-z0-9-]+)\/([a-z0-9]+)\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/

export interface SigV4Claim {
  readonly accessKeyId: string
  readonly region: string
  readonly service: string
  readonly signedHeaders: readonly string[]
  /** The time that the request states, in the format of X-Amz-Date. */
  readonly date: string
}

/**
 * Verifies Signature Version 4 as AWS documents it. The request must be at the root path, without a query. Returns
 * undefined if the signature wasn't made with the secret.
 */
export function verifySigV4(
  { method, url, headers, body }: Asked,
  secretOf: (accessKeyId: string) => string | undefined,
): SigV4Claim | undefined {
  const found = HEADER.exec(headers['authorization'] ?? '')
  if (found === null) return undefined
  const [, accessKeyId = '', day = '', region = '', service = '', names = '', signature] = found
  const date = headers['x-amz-date'] ?? ''
  const secret = secretOf(accessKeyId)
  if (secret === undefined || !date.startsWith(day)) return undefined
  const signedHeaders = names.split(';')
  const canonicalHeaders = signedHeaders
    .map((name) => `${name}:${(headers[name] ?? '').trim().replaceAll(/ +/g, ' ')}\n`)
    .join('')
  const query = url.search.slice(1)
  const canonical = [method, url.pathname, query, canonicalHeaders, names, sha256(body)].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const key = [region, service, 'aws4_request'].reduce(hmac, hmac(`AWS4${secret}`, day))
  if (hmac(key, toSign).toString('hex') !== signature) return undefined
  return { accessKeyId, region, service, signedHeaders, date }
}
