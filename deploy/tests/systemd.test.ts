import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { Config } from '../../packages/server/src/config.ts'
import { SERVER_FILE } from '../build/places.ts'
import { acceptedSettings, stoppingSeconds } from './accepted-settings.ts'
import { readFinalStage } from './dockerfile.ts'
import { assignments, readUnit, readVariables, unitNames, UNITS_FOLDER } from './units.ts'

const ETC = '/etc/sotto/'
/** The value of the specifier %d: the folder for a unit's credentials. */
const CREDENTIALS = '/run/credentials/unit'

/** The service's configuration from all settings of a unit. `instance` is the instance name of a template unit. */
function configOf(name: string, instance: string): Config {
  const unit = readUnit(name)
  const files = unit('Service', 'EnvironmentFile').map((file) => file.replace(ETC, ''))
  const environment = {
    ...assignments(unit('Service', 'Environment').flatMap((line) => line.split(' '))),
    ...Object.assign({}, ...files.map((file) => readVariables(file.replaceAll('%i', instance)))),
  }
  const filled = Object.entries(environment).map(([key, value]) => [
    key,
    String(value).replaceAll('%d', CREDENTIALS).replaceAll('%i', instance),
  ])
  const names = unit('Service', 'LoadCredential').map((line) => line.slice(0, line.indexOf(':')))
  return acceptedSettings(Object.fromEntries(filled), { folder: CREDENTIALS, names })
}

const instances = [
  ['sotto-api@.service', '1'],
  ['sotto-api@.service', '2'],
  ['sotto-worker@.service', '1'],
  ['sotto-worker@.service', '2'],
  ['sotto-migrate.service', ''],
] as const

it.each(instances)(
  '%s %s gets settings that the service accepts, and enough time to stop',
  (name, instance) => {
    const config = configOf(name, instance)
    expect(config.PROFILE).toBe('production')
    if (instance !== '') expect(config.KEYS).toBe('/var/lib/sotto/keys')
    const stop = readUnit(name)('Service', 'TimeoutStopSec')[0]
    if (instance !== '')
      expect(Number(stop?.replace('s', ''))).toBeGreaterThan(stoppingSeconds(config))
  },
)

it('replicas on one machine have different ports, and each has its role', () => {
  const configs = instances
    .filter(([, instance]) => instance !== '')
    .map(([name, instance]) => configOf(name, instance))
  expect(configs.map(({ ROLE }) => ROLE)).toEqual([['api'], ['api'], ['worker'], ['worker']])
  const ports = configs.flatMap(({ ROLE, PORT, METRICS_PORT }) =>
    ROLE.includes('api') ? [PORT, METRICS_PORT] : [METRICS_PORT],
  )
  expect(new Set(ports).size).toBe(6)
  const wanted = readUnit('sotto.target')('Unit', 'Wants')[0]?.split(' ')
  expect(wanted).toEqual(
    instances.slice(0, 4).map(([name, instance]) => name.replace('@', `@${instance}`)),
  )
})

it('each unit hides the keys that its process does not use, and the folders of the keys exist', () => {
  const hiddenBy = (name: string) => readUnit(name)('Service', 'InaccessiblePaths')
  // Without the leading `-`, systemd would not start a unit whose hidden folder is missing. If the keys are in Vault,
  // the folder may be missing.
  expect(hiddenBy('sotto-api@.service')).toEqual(['-/var/lib/sotto/keys/relayers'])
  expect(hiddenBy('sotto-worker@.service')).toEqual(['-/var/lib/sotto/authoriser'])
  expect(hiddenBy('sotto-migrate.service')).toEqual(['-/var/lib/sotto'])
  expect(configOf('sotto-api@.service', '1').AUTHORISER_KEY).toEqual({
    kind: 'file',
    name: '/var/lib/sotto/authoriser/authoriser.json',
  })
  // Without its own user namespace, a process could read the files of another process of its user through /proc.
  for (const [name] of instances)
    expect(readUnit(name)('Service', 'PrivateUsers'), name).toEqual(['yes'])
  const folders = readFileSync(path.join(UNITS_FOLDER, 'sotto.tmpfiles.conf'), 'utf8')
  const made = [...folders.matchAll(/^d (\S+) 0700 sotto sotto$/gm)].map(([, folder]) => folder)
  for (const [name] of instances)
    expect(made, name).toEqual(
      expect.arrayContaining(hiddenBy(name).map((folder) => folder.replace(/^-/, ''))),
    )
})

it('stopping the target stops every replica', () => {
  for (const name of ['sotto-api@.service', 'sotto-worker@.service']) {
    expect(readUnit(name)('Unit', 'PartOf'), name).toEqual(['sotto.target'])
    expect(readUnit(name)('Install', 'WantedBy'), name).toEqual(['sotto.target'])
  }
})

it.each(unitNames().filter((name) => name.endsWith('.service')))(
  '%s runs the built file as an unprivileged user',
  (name) => {
    const unit = readUnit(name)
    const [command] = unit('Service', 'ExecStart')
    const { workdir, entrypoint } = readFinalStage()
    expect(unit('Service', 'WorkingDirectory')).toEqual([workdir])
    expect(command).toMatch(
      new RegExp(`^/usr/bin/${entrypoint[0]} ${workdir}/${SERVER_FILE} (serve|migrate)$`),
    )
    for (const [key, value] of [
      ['User', 'sotto'],
      ['NoNewPrivileges', 'yes'],
      ['ProtectSystem', 'strict'],
      ['CapabilityBoundingSet', ''],
      ['PrivateUsers', 'yes'],
      ['LimitCORE', '0'],
      ['UMask', '0077'],
    ] as const) {
      expect(unit('Service', key), key).toEqual([value])
    }
    for (const credential of unit('Service', 'LoadCredential')) {
      const [secret, file] = credential.split(':')
      expect(file).toBe(`/etc/sotto/secrets/${secret}`)
      expect(unit('Service', 'Environment').join(' ')).toContain(`=%d/${secret}`)
    }
  },
)

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

it.skipIf(!hasSystemd)('systemd finds no fault in the units', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sotto-units-'))
  const files = unitNames().map((name) => {
    const text = readFileSync(path.join(UNITS_FOLDER, name), 'utf8')
    const file = path.join(folder, name.replace('@.', '@1.'))
    // On this machine, Node may be in a different folder than in the unit. systemd refuses a unit whose program doesn't
    // exist.
    writeFileSync(file, text.replaceAll('/usr/bin/node', process.execPath))
    return file
  })
  const { stdout, stderr, status } = spawnSync('systemd-analyze', ['verify', ...files], {
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  expect({ status, text: stdout + stderr }).toEqual({ status: 0, text: '' })
})
