import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { startRemote, type Answered, type Asked, type RemoteServer } from './remote-server.ts'
import { verifySigV4 } from './verify-sigv4.ts'

const MAIN = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab'
const EDWARDS = 'ECC_NIST_EDWARDS25519'

/** A simulation of AWS KMS with its JSON protocol, and of the endpoint that gives a container its credentials. */
export interface KmsServer extends RemoteServer {
  /** The secret and the token of each valid access key. */
  readonly known: Map<string, { secret: string; token?: string }>
  /** Access keys that have expired. */
  readonly expired: Set<string>
  /** The credentials that the endpoint returns next. */
  credentials: object
  /** Keys by id or alias. */
  readonly keys: Map<string, KeyObject>
  readonly nowMs: () => number
}

const fault = (type: string, status = 400): Answered => ({
  status,
  json: { __type: type, message: 'no' },
})

export async function startKms(nowMs: () => number): Promise<KmsServer> {
  const remote = await startRemote((asked) =>
    asked.url.pathname === '/v1/credentials'
      ? giveCredentials(server, asked)
      : serve(server, asked),
  )
  const server: KmsServer = Object.assign(remote, {
    known: new Map<string, { secret: string; token?: string }>(),
    expired: new Set<string>(),
    credentials: {},
    keys: new Map([['alias/relayer', generateKeyPairSync('ed25519').privateKey]]),
    nowMs,
  })
  return server
}

function giveCredentials({ credentials }: KmsServer, { headers }: Asked): Answered {
  if (headers['authorization'] !== 'pod-token') return { status: 401, json: { message: 'no' } }
  return { status: 200, json: credentials }
}

function serve(server: KmsServer, asked: Asked): Answered {
  const { known, expired, nowMs } = server
  const claim = verifySigV4(asked, (id) => known.get(id)?.secret)
  if (claim === undefined) return fault('InvalidSignatureException')
  const signed = ['host', 'x-amz-date', 'x-amz-target'].every((one) =>
    claim.signedHeaders.includes(one),
  )
  const at = claim.date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z')
  if (!signed || Math.abs(Date.parse(at) - nowMs()) > 300_000) {
    return fault('InvalidSignatureException')
  }
  if (claim.service !== 'kms' || claim.region !== 'eu-central-1') {
    return fault('IncompleteSignatureException')
  }
  if (expired.has(claim.accessKeyId)) return fault('ExpiredTokenException')
  if (asked.headers['x-amz-security-token'] !== known.get(claim.accessKeyId)?.token) {
    return fault('UnrecognizedClientException')
  }
  if (asked.headers['content-type'] !== 'application/x-amz-json-1.1') {
    return fault('SerializationException')
  }
  return call(server, asked)
}

function call({ keys }: KmsServer, { headers, body }: Asked): Answered {
  const input = JSON.parse(body) as Record<string, string>
  const key = keys.get(input['KeyId'] ?? '')
  if (key === undefined) return fault('com.amazonaws.kms#NotFoundException')
  const isEdwards = key.asymmetricKeyType === 'ed25519'
  switch (headers['x-amz-target'] ?? '') {
    case 'TrentService.GetPublicKey': {
      const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
      const json = {
        ...{ KeyId: MAIN, KeyUsage: 'SIGN_VERIFY', PublicKey: spki.toString('base64') },
        ...(isEdwards
          ? { KeySpec: EDWARDS, SigningAlgorithms: ['ED25519_SHA_512', 'ED25519_PH_SHA_512'] }
          : { KeySpec: 'ECC_NIST_P256', SigningAlgorithms: ['ECDSA_SHA_256'] }),
      }
      return { status: 200, json }
    }
    case 'TrentService.Sign': {
      const { Message = '', MessageType = 'RAW', SigningAlgorithm } = input
      const message = Buffer.from(Message, 'base64')
      if (message.length < 1 || message.length > 4_096) return fault('ValidationException')
      if (SigningAlgorithm !== 'ED25519_SHA_512' || MessageType !== 'RAW' || !isEdwards) {
        return fault('InvalidKeyUsageException')
      }
      const Signature = sign(null, message, key).toString('base64')
      return { status: 200, json: { KeyId: MAIN, Signature, SigningAlgorithm } }
    }
    default:
      return fault('UnknownOperationException')
  }
}
