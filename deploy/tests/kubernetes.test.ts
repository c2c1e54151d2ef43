import type { Deployment } from 'kubernetes-types/apps/v1.js'
import type { Job } from 'kubernetes-types/batch/v1.js'
import type { ConfigMap, Container, PodSpec, Probe, Service } from 'kubernetes-types/core/v1.js'
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.js'
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Config } from '../../packages/server/src/config.ts'
import { repositoryRoot } from '../../tools/bootstrap/paths.mjs'
import { acceptedSettings, stoppingSeconds } from './accepted-settings.ts'
import { readFinalStage } from './dockerfile.ts'
import { KUBERNETES_FOLDER, manifestOf, readManifests, type Manifest } from './kubernetes-files.ts'
import { typeProblems } from './kubernetes-types-of.ts'

const manifests = readManifests()
const objects = manifests.filter(({ kind }) => kind !== 'Kustomization')
const settingsOf = (name: string) => manifestOf<ConfigMap>('ConfigMap', name).data ?? {}
const deployments = (['api', 'worker'] as const).map((component) => ({
  component,
  ...manifestOf<Deployment>('Deployment', `sotto-${component}`).spec!,
}))
const podOf = (job: string) => manifestOf<Job>('Job', job).spec!.template.spec!
const pods: [name: string, pod: PodSpec][] = [
  ...deployments.map(({ component, template }) => [component, template.spec!] as [string, PodSpec]),
  ['migrate', podOf('sotto-migrate')],
  ['command', podOf('sotto-command')],
]
const guide = readFileSync(path.join(repositoryRoot, 'docs/deployment/kubernetes.md'), 'utf8')
const containerOf = ({ containers }: PodSpec): Container => containers[0]!

/** The names of the ConfigMaps with a pod's settings. */
const settingsNames = (pod: PodSpec) =>
  (containerOf(pod).envFrom ?? []).map(({ configMapRef }) => configMapRef?.name ?? '')

/** The names of the Secrets that a pod can read. */
function secretsOf(pod: PodSpec): string[] {
  const volume = pod.volumes?.find(({ name }) => name === 'secrets')
  const projected = volume?.projected?.sources?.map(({ secret }) => secret?.name ?? '')
  return projected ?? [volume?.secret?.secretName ?? '']
}

/** The files of each Secret, as docs/deployment/kubernetes.md creates them. */
const SECRETS: Readonly<Record<string, readonly string[]>> = {
  sotto: ['database-url', 'rpc-url'],
  'sotto-api': ['vault-token'],
  'sotto-worker': ['vault-token'],
}

/**
 * The service's configuration from the settings and the secrets of a pod.
 *
 * @param overlay settings that an overlay adds to the ConfigMap `sotto-settings`.
 */
function configOf(pod: PodSpec, overlay: Readonly<Record<string, string>> = {}): Config {
  const own = (containerOf(pod).env ?? []).map(({ name, value }) => [name, value ?? ''] as const)
  return acceptedSettings(
    Object.assign(
      { ...readFinalStage().environment },
      ...settingsNames(pod).map((name) => ({
        ...settingsOf(name),
        ...(name === 'sotto-settings' ? overlay : {}),
      })),
      Object.fromEntries(own),
    ),
    {
      folder: '/run/secrets/sotto',
      names: secretsOf(pod).flatMap((secret) => SECRETS[secret] ?? []),
    },
  )
}
const configs = Object.fromEntries(pods.map(([name, pod]) => [name, configOf(pod)]))

it('every manifest has the types of the cluster’s API, and the check finds a misspelt member', () => {
  const [deployment] = objects.filter(({ kind }) => kind === 'Deployment')
  const text = JSON.stringify(deployment).replace('"readOnlyRootFilesystem"', '"readOnlyRootFS"')
  // Compiling takes a second, so all manifests are compiled in one run.
  const problems = typeProblems([...objects, JSON.parse(text) as (typeof objects)[number]])
  expect(problems).toEqual([expect.stringContaining('readOnlyRootFS')])
})

it('the kustomization names the image and every file except the jobs, which cannot be changed', () => {
  const kustomization = manifests.find(({ kind }) => kind === 'Kustomization') as unknown as {
    resources: string[]
    images: { name: string }[]
  }
  const files = [...new Set(objects.map(({ file }) => file))].filter(
    (one) => one !== 'migrate.yaml' && one !== 'command.yaml',
  )
  expect([...kustomization.resources].sort()).toEqual(files.sort())
  expect(kustomization.images.map(({ name }) => name)).toEqual(['sotto'])
  for (const [, pod] of pods) expect(containerOf(pod).image).toBe('sotto')
  const namespaces = objects.map(({ kind, metadata }) =>
    kind === 'Namespace' ? metadata?.name : metadata?.namespace,
  )
  expect([...new Set(namespaces)]).toEqual(['sotto'])
})

it('the service accepts the settings, and its pods have enough time to stop', () => {
  for (const [name, pod] of pods) expect(configOf(pod).PROFILE, name).toBe('production')
  for (const { component, template } of deployments) {
    const seconds = stoppingSeconds(configs[component]!)
    expect(template.spec?.terminationGracePeriodSeconds).toBeGreaterThan(seconds)
  }
})

it('each role in the cluster has its own service account, and only the settings and the token for its own keys', () => {
  const { api, worker, migrate } = configs
  expect(api?.ROLE).toEqual(['api'])
  expect(api?.AUTHORISER_KEY).toEqual({ kind: 'vault', name: 'authoriser' })
  expect(api?.RELAYER_KEYS).toBeUndefined()
  expect(worker?.ROLE).toEqual(['worker'])
  expect(worker?.RELAYER_KEYS?.map(({ kind }) => kind)).toEqual(['vault', 'vault'])
  expect(worker?.AUTHORISER_KEY.kind).toBe('file')
  expect(migrate).toMatchObject({ KEYSTORE: 'file', VAULT_TOKEN: undefined })
  const given = pods.map(([name, pod]) => [name, secretsOf(pod), pod.serviceAccountName])
  expect(given).toEqual([
    ['api', ['sotto', 'sotto-api'], 'sotto-api'],
    ['worker', ['sotto', 'sotto-worker'], 'sotto-worker'],
    ['migrate', ['sotto'], 'sotto'],
    ['command', ['sotto', 'sotto-worker'], 'sotto-worker'],
  ])
  for (const [, , account = ''] of given) manifestOf('ServiceAccount', `${String(account)}`)
})

it('values that an overlay of an older version sets in `sotto-settings` replace the values of each role', () => {
  const overlay = {
    SOTTO_TRUSTED_PROXIES: '192.0.2.0/24',
    SOTTO_DRAIN_SECONDS: '25',
    SOTTO_VAULT_URL: 'https://vault.example.com:8200',
    SOTTO_AUTHORISER_KEY: 'vault:mine',
    SOTTO_RELAYER_KEYS: 'vault:first',
  }
  const [api, worker] = deployments.map(({ template }) => configOf(template.spec!, overlay))
  expect(api).toMatchObject({ DRAIN_SECONDS: 25, AUTHORISER_KEY: { name: 'mine' } })
  expect(JSON.stringify(api?.TRUSTED_PROXIES)).toContain('192.0.2.0')
  expect(worker?.RELAYER_KEYS?.map(({ name }) => name)).toEqual(['first'])
  for (const config of [api, worker, configOf(podOf('sotto-command'), overlay)])
    expect(config?.VAULT_URL?.toString()).toContain('vault.example.com')
})

it.each([
  ['SOTTO_KEYSTORE', 'vault'],
  ['SOTTO_VAULT_URL', 'https://vault.example.com:8200'],
  ['SOTTO_VAULT_TOKEN_FILE', '/run/secrets/sotto/vault-token'],
  ['SOTTO_VAULT_KV', 'kv'],
  ['SOTTO_VAULT_KV_PATH', 'sotto/mine'],
  ['SOTTO_VAULT_NAMESPACE', 'team'],
  ['SOTTO_VAULT_TRANSIT', 'transit'],
  ['SOTTO_AUTHORISER_KEY', 'vault:mine'],
  ['SOTTO_RELAYER_KEYS', 'vault:first'],
  ['SOTTO_AWS_REGION', 'eu-central-1'],
])('every pod accepts %s in `sotto-settings`, and the migration opens no key', (name, value) => {
  for (const [, pod] of pods) configOf(pod, { [name]: value })
  const migration = configOf(podOf('sotto-migrate'), { [name]: value })
  expect(migration).toMatchObject({ KEYSTORE: 'file', VAULT_TOKEN: undefined })
  expect(migration.AUTHORISER_KEY.kind).toBe('file')
})

it('the guide creates the secrets of each role', () => {
  for (const [secret, files] of Object.entries(SECRETS)) {
    const line = guide.split('\n').find((one) => one.includes(`generic ${secret} `)) ?? ''
    for (const file of files) expect(line, secret).toContain(`--from-file=${file}`)
    expect(line.match(/--from-file/g)).toHaveLength(files.length)
  }
})

it('the guide’s PodMonitor scrapes every replica under the job name that the alert rules expect', () => {
  const block = /```yaml\n(apiVersion: monitoring[^`]+)```/.exec(guide)?.[1] ?? ''
  const { spec } = parse(block) as {
    spec: {
      jobLabel: string
      selector: { matchLabels: Record<string, string> }
      podMetricsEndpoints: { port: string }[]
    }
  }
  for (const { template } of deployments) {
    expect(template.metadata?.labels).toMatchObject(spec.selector.matchLabels)
    expect(template.metadata?.labels?.[spec.jobLabel]).toBe('sotto')
    const ports = containerOf(template.spec!).ports?.map(({ name }) => name)
    expect(ports).toContain(spec.podMetricsEndpoints[0]?.port)
  }
})

it.each(pods)('a pod of %s has only the rights that it needs', (name, pod) => {
  const { user } = readFinalStage()
  expect(`${pod.securityContext?.runAsUser}:${pod.securityContext?.runAsGroup}`).toBe(user)
  expect(pod.securityContext).toMatchObject({
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  })
  // With service links, the cluster would set variables that look like settings of the service.
  expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false })
  const { securityContext, resources, volumeMounts } = containerOf(pod)
  expect(securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  expect(resources?.limits).toHaveProperty('memory')
  expect(resources?.requests).toMatchObject({ cpu: expect.anything(), memory: expect.anything() })
  const role = { api: 'sotto-api', worker: 'sotto-worker', command: 'sotto-worker' }[name]
  expect(settingsNames(pod)).toEqual([...(role === undefined ? [] : [role]), 'sotto-settings'])
  expect(volumeMounts?.map(({ name }) => name).sort()).toEqual(
    pod.volumes?.map(({ name }) => name).sort(),
  )
  const secrets = volumeMounts?.find(({ name }) => name === 'secrets')
  const files = settingsNames(pod)
    .flatMap((one) => Object.entries(settingsOf(one)))
    .filter(([setting]) => setting.endsWith('_FILE'))
  expect(files.length).toBeGreaterThan(0)
  for (const [, file] of files) expect(file.startsWith(`${secrets?.mountPath}/`)).toBe(true)
})

it('ports, probes, selectors and budgets match each other', () => {
  const ports = { http: configs['api']?.PORT, metrics: configs['worker']?.METRICS_PORT }
  for (const { component, selector, template, replicas } of deployments) {
    expect(replicas).toBe(2)
    expect(template.metadata?.labels).toEqual(selector.matchLabels)
    const container = containerOf(template.spec!)
    expect(container.args).toEqual(['serve', '--role', component])
    const named = Object.fromEntries(
      (container.ports ?? []).map((port) => [port.name, port.containerPort]),
    )
    expect(ports).toMatchObject(named)
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe]
    for (const probe of probes.filter((one): one is Probe => one !== undefined)) {
      expect(Object.keys(named)).toContain(probe.httpGet?.port)
    }
    // If a liveness probe needed the database, the cluster would restart every pod during an outage of the database.
    expect(container.livenessProbe?.httpGet?.path).toBe('/livez')
    // Without this probe, a rolling update would stop the old pods before the new ones work.
    expect(container.readinessProbe?.httpGet?.path).toBe('/readyz')
    const budget = manifestOf<PodDisruptionBudget>('PodDisruptionBudget', `sotto-${component}`)
    expect(budget.spec?.selector?.matchLabels).toEqual(selector.matchLabels)
    expect(budget.spec?.minAvailable).toBeLessThan(replicas ?? 0)
  }
  const [api] = deployments
  expect(manifestOf<Service>('Service', 'sotto-api').spec?.selector).toEqual(
    api!.selector.matchLabels,
  )
})

it('incoming traffic is allowed only to the ports of API and metrics', () => {
  const policies = objects.filter(
    ({ kind }) => kind === 'NetworkPolicy',
  ) as unknown as NetworkPolicy[]
  const nothing = policies.find(({ metadata }) => metadata?.name === 'sotto-nothing')
  expect(nothing?.spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
  const open = policies
    .flatMap(({ spec }) => spec?.ingress ?? [])
    .flatMap(({ ports }) => ports ?? [])
  expect(open.map(({ port }) => port)).toEqual([configs['api']?.PORT, configs['api']?.METRICS_PORT])
})

it('the commented rules of the policy for outgoing traffic are valid', () => {
  const file = path.join(KUBERNETES_FOLDER, 'network-policies.yaml')
  const text = readFileSync(file, 'utf8')
  const rules = text.replaceAll(/^ {4}# ( *- | {2}ports:)/gm, '    $1')
  const policy = rules.split('---\n').find((one) => one.includes('name: sotto-out')) ?? ''
  const manifest = { file, ...(parse(policy) as Omit<Manifest, 'file'>) }
  expect(typeProblems([manifest])).toEqual([])
  const opened = (manifest as unknown as NetworkPolicy).spec?.egress?.flatMap(({ to }) => to ?? [])
  expect(opened?.map(({ ipBlock }) => ipBlock?.cidr).filter((one) => one !== undefined)).toEqual([
    '0.0.0.0/0',
    '169.254.20.10/32',
    '169.254.170.23/32',
    '10.0.10.0/24',
    '10.0.20.0/24',
    '10.0.30.0/24',
  ])
})
