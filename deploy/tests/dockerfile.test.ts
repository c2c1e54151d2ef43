import { validate } from 'dockerfile-utils'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { repositoryRoot } from '../../tools/bootstrap/paths.mjs'
import { readTree } from '../../tools/tidy/tree.ts'
import { PLACES, SERVER_FILE } from '../build/places.ts'
import { acceptedSettings } from './accepted-settings.ts'
import { DOCKERFILE, readFinalStage } from './dockerfile.ts'

const textOf = (name: string) => readFileSync(path.join(repositoryRoot, name), 'utf8')
const text = readFileSync(DOCKERFILE, 'utf8')
const stage = readFinalStage(text)
const image = (of: string) => /NODE_IMAGE(?:=|:-)(node:\d+\.\d+\.\d+-bookworm-slim)/.exec(of)?.[1]

it('the Dockerfile passes its linter', () => {
  const faults = validate(text).map(({ message, range }) => `${range.start.line + 1}: ${message}`)
  expect(faults).toEqual([])
})

it('the linter finds a fault in the Dockerfile', () => {
  const faults = validate(text.replace('EXPOSE 8080', 'EXPOZE 8080'))
  expect(faults.map(({ message }) => message)).toEqual(['Unknown instruction: EXPOZE'])
})

it('the image runs an existing file as an unprivileged user, with the correct ports', () => {
  expect(stage.user).toMatch(/^[1-9][0-9]{3,}:[1-9][0-9]{3,}$/)
  expect(stage.entrypoint).toEqual(['node', SERVER_FILE])
  expect(stage.command).toEqual(['serve'])
  expect(Object.values(PLACES)).toContain(stage.healthcheck[1])
  const { SOTTO_PORT, SOTTO_METRICS_PORT } = stage.environment
  expect(stage.ports.map(String)).toEqual([SOTTO_PORT, SOTTO_METRICS_PORT])
})

it('the service accepts the image’s own settings', () => {
  const needed = {
    SOTTO_CLUSTER: 'devnet',
    SOTTO_PROGRAM_ID: 'Sotto11111111111111111111111111111111111111',
    SOTTO_RPC_URL_FILE: '/run/secrets/rpc-url',
    SOTTO_DATABASE_URL_FILE: '/run/secrets/database-url',
  }
  const secrets = { folder: '/run/secrets', names: ['rpc-url', 'database-url'] }
  const config = acceptedSettings({ ...stage.environment, ...needed }, secrets)
  expect(config).toMatchObject({ PROFILE: 'production', HOST: '0.0.0.0' })
})

it('Dockerfile and compose file use the same release of Node, and CI uses its major version', () => {
  const named = image(text)
  expect(named).toBeDefined()
  expect(image(textOf('deploy/compose/compose.yaml'))).toBe(named)
  const major = /^node:(\d+)/.exec(named ?? '')?.[1]
  expect(textOf('.ci/run')).toContain(`--package=node@${major}`)
  const { engines } = JSON.parse(textOf('package.json')) as { engines: { node: string } }
  expect(Number(major)).toBeGreaterThanOrEqual(Number(/>=(\d+)/.exec(engines.node)?.[1]))
})

it('.dockerignore excludes private files, and no file that the build needs', () => {
  const ignored = textOf('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const isIgnored = (file: string) =>
    ignored.some((pattern) => {
      const name = pattern.replace(/^\*\*\//, '').replaceAll('.', '\\.')
      const start = pattern.startsWith('**/') ? '(^|/)' : '^'
      return new RegExp(`${start}${name.replaceAll('*', '[^/]*')}(/|$)`).test(file)
    })
  const files = readTree(repositoryRoot).files.map((file) => file.path)
  expect(files.length).toBeGreaterThan(500)
  expect(files.filter((file) => isIgnored(file) && !file.startsWith('.github/'))).toEqual([])
  const secrets = ['.sotto/keys/x', 'deploy/compose/.env', 'deploy/compose/secrets/rpc-url']
  // The commands of the guides write these files into deploy/compose.
  const written = ['authoriser.json', 'relayer-1.json'].map((name) => `deploy/compose/${name}`)
  for (const secret of [...secrets, ...written, 'database-url', 'rpc-url', 'vault-token']) {
    expect(isIgnored(secret), secret).toBe(true)
  }
})

it('every file that is copied unchanged exists', () => {
  const built = 'packages/web/dist'
  for (const source of Object.keys(PLACES).filter((place) => place !== built)) {
    expect(existsSync(path.join(repositoryRoot, source)), source).toBe(true)
  }
})
