import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { startRemote, type Answered, type Asked, type RemoteServer } from './remote-server.ts'

interface TransitKey {
  readonly type: string
  readonly versions: KeyObject[]
}

interface Version {
  data: object | null
  destroyed: boolean
}

/**
 * A simulation of Vault's HTTP API, as Vault documents it. It has the transit engine and version 2 of the KV engine.
 */
export interface VaultServer extends RemoteServer {
  /** The token that is currently valid. */
  token: string
  readonly transit: Map<string, TransitKey>
  /** Everything that is stored, including destroyed versions. A path is deleted together with its metadata. */
  readonly kv: Map<string, Version[]>
  readonly makeKey: (name: string, type?: string) => void
  /** The fault of all later signatures: another version of the key, or a wrong byte. */
  sabotage: 'none' | 'other version' | 'wrong byte'
}

const time = '2026-11-21T16:00:00.000000000Z'
const errors = (status: number, ...all: string[]): Answered => ({ status, json: { errors: all } })
const ok = (data: object): Answered => ({ status: 200, json: { request_id: 'r', data } })
const rawPublic = (key: KeyObject) =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)

export async function startVault(token: string): Promise<VaultServer> {
  const transit = new Map<string, TransitKey>()
  const kv = new Map<string, Version[]>()
  const remote = await startRemote((asked) => {
    if (asked.headers['x-vault-token'] !== server.token) return errors(403, 'permission denied')
    if (asked.headers['x-vault-request'] !== 'true') return errors(403, 'missing request header')
    const [, v1, mount, verb = '', ...rest] = decodeURIComponent(asked.url.pathname).split('/')
    const name = rest.join('/')
    if (v1 !== 'v1') return errors(404)
    if (mount === 'transit') return answerTransit(server, verb, name, asked)
    if (mount === 'secret') return answerKv(kv, verb, name, asked)
    return errors(404, `no handler for route "${mount}"`)
  })
  const server: VaultServer = Object.assign(remote, {
    ...{ token, transit, kv, sabotage: 'none' as const },
    makeKey: (name: string, type = 'ed25519') => {
      const found = transit.get(name) ?? { type, versions: [] }
      found.versions.push(generateKeyPairSync('ed25519').privateKey)
      transit.set(name, found)
    },
  })
  return server
}

function answerTransit(
  { transit, sabotage }: VaultServer,
  verb: string,
  name: string,
  { method, body }: Asked,
): Answered {
  const key = transit.get(name)
  if (verb === 'keys' && method === 'GET') {
    if (key === undefined) return errors(404)
    const keys = key.versions.map((one, index) => {
      const public_key = Buffer.from(rawPublic(one)).toString('base64')
      return [index + 1, { creation_time: time, name: key.type, public_key }]
    })
    const latest_version = key.versions.length
    const data = { type: key.type, derived: false, latest_version, supports_signing: true }
    return ok({ ...data, keys: Object.fromEntries(keys) as object })
  }
  if (verb !== 'sign' || (method !== 'POST' && method !== 'PUT')) return errors(405)
  if (key === undefined) return errors(400, 'signing key not found')
  const { input, key_version: asked } = JSON.parse(body) as {
    input?: string
    key_version?: number
  }
  if (input === undefined) return errors(400, 'missing input')
  const version =
    sabotage === 'other version' ? key.versions.length : (asked ?? key.versions.length)
  const signature = sign(null, Buffer.from(input, 'base64'), key.versions[version - 1]!)
  if (sabotage === 'wrong byte') signature[5]! ^= 1
  return ok({
    signature: `vault:v${version}:${signature.toString('base64')}`,
    key_version: version,
  })
}

function answerKv(kv: Map<string, Version[]>, verb: string, name: string, asked: Asked): Answered {
  const { method } = asked
  const body = asked.body === '' ? {} : (JSON.parse(asked.body) as Record<string, unknown>)
  const versions = kv.get(name)
  switch (`${verb} ${method}`) {
    case 'data GET':
      return readData(versions)
    case 'data POST': {
      const { cas } = (body['options'] ?? {}) as { cas?: number }
      if (cas !== undefined && cas !== (versions?.length ?? 0)) {
        return errors(400, 'check-and-set parameter did not match the current version')
      }
      kv.set(name, [...(versions ?? []), { data: body['data'] as object, destroyed: false }])
      const version = kv.get(name)?.length
      return ok({ created_time: time, deletion_time: '', destroyed: false, version })
    }
    case 'destroy PUT':
      for (const number of body['versions'] as number[]) {
        const version = versions?.[number - 1]
        if (version !== undefined) Object.assign(version, { data: null, destroyed: true })
      }
      return { status: 204 }
    case 'metadata GET': {
      if (asked.url.searchParams.get('list') === 'true') return listKv(kv, name)
      if (versions === undefined) return errors(404)
      const all = versions.map(({ destroyed }, index) => [index + 1, { destroyed }])
      return ok({ current_version: versions.length, versions: Object.fromEntries(all) as object })
    }
    case 'metadata DELETE':
      kv.delete(name)
      return { status: 204 }
    default:
      return errors(405, 'unsupported operation')
  }
}

function listKv(kv: Map<string, Version[]>, folder: string): Answered {
  const keys = [...kv.keys()].flatMap((one) =>
    one.startsWith(`${folder}/`) ? [one.slice(folder.length + 1)] : [],
  )
  return keys.length === 0 ? errors(404) : ok({ keys })
}

function readData(versions: Version[] | undefined): Answered {
  const newest = versions?.at(-1)
  if (newest === undefined) return errors(404)
  const metadata = { created_time: time, deletion_time: '', destroyed: newest.destroyed }
  const json = { data: { data: newest.data, metadata } }
  return { status: newest.destroyed ? 404 : 200, json }
}
