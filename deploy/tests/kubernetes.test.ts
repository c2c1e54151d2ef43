import type { Deployment } from 'kubernetes-types/apps/v1.js'
import type { Job } from 'kubernetes-types/batch/v1.js'
import type { ConfigMap, Container, PodSpec, Probe, Service } from 'kubernetes-types/core/v1.js'
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.js'
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js'
import { expect, it } from 'vitest'
import { acceptedSettings, stoppingSeconds } from './accepted-settings.ts'
import { readFinalStage } from './dockerfile.ts'
import { manifestOf, readManifests } from './kubernetes-files.ts'
import { typeProblems } from './kubernetes-types-of.ts'

const manifests = readManifests()
const objects = manifests.filter(({ kind }) => kind !== 'Kustomization')
const settings = manifestOf<ConfigMap>('ConfigMap', 'sotto-settings').data ?? {}
const deployments = (['api', 'worker'] as const).map((component) => ({
  component,
  ...manifestOf<Deployment>('Deployment', `sotto-${component}`).spec!,
}))
const migrate = manifestOf<Job>('Job', 'sotto-migrate').spec!.template.spec!
const pods: [name: string, pod: PodSpec][] = [
  ...deployments.map(({ component, template }) => [component, template.spec!] as [string, PodSpec]),
  ['migrate', migrate],
]
const containerOf = ({ containers }: PodSpec): Container => containers[0]!
const config = acceptedSettings(
  { ...readFinalStage().environment, ...settings },
  { folder: '/run/secrets/sotto', names: ['database-url', 'rpc-url', 'vault-token'] },
)

it('every manifest has the types of the cluster’s API, and the check finds a misspelt member', () => {
  const [deployment] = objects.filter(({ kind }) => kind === 'Deployment')
  const text = JSON.stringify(deployment).replace('"readOnlyRootFilesystem"', '"readOnlyRootFS"')
  // Compiling takes a second, so all manifests are compiled in one run.
  const problems = typeProblems([...objects, JSON.parse(text) as (typeof objects)[number]])
  expect(problems).toEqual([expect.stringContaining('readOnlyRootFS')])
})

it('the kustomization names the image and every file except the job, which cannot be changed', () => {
  const kustomization = manifests.find(({ kind }) => kind === 'Kustomization') as unknown as {
    resources: string[]
    images: { name: string }[]
  }
  const files = [...new Set(objects.map(({ file }) => file))].filter(
    (one) => one !== 'migrate.yaml',
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
  expect(config.PROFILE).toBe('production')
  for (const { template } of deployments) {
    expect(template.spec?.terminationGracePeriodSeconds).toBeGreaterThan(stoppingSeconds(config))
  }
})

it.each(pods)('a pod of %s has only the rights that it needs', (_, pod) => {
  const { user } = readFinalStage()
  expect(`${pod.securityContext?.runAsUser}:${pod.securityContext?.runAsGroup}`).toBe(user)
  expect(pod.securityContext).toMatchObject({
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  })
  // With service links, the cluster would set variables that look like settings of the service.
  expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false })
  const { securityContext, resources, volumeMounts, envFrom } = containerOf(pod)
  expect(securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  expect(resources?.limits).toHaveProperty('memory')
  expect(resources?.requests).toMatchObject({ cpu: expect.anything(), memory: expect.anything() })
  expect(envFrom).toEqual([{ configMapRef: { name: 'sotto-settings' } }])
  expect(volumeMounts?.map(({ name }) => name).sort()).toEqual(
    pod.volumes?.map(({ name }) => name).sort(),
  )
  const secrets = volumeMounts?.find(({ name }) => name === 'secrets')
  const files = Object.entries(settings).filter(([name]) => name.endsWith('_FILE'))
  expect(files.length).toBeGreaterThan(0)
  for (const [, file] of files) expect(file.startsWith(`${secrets?.mountPath}/`)).toBe(true)
})

it('ports, probes, selectors and budgets match each other', () => {
  const ports = { http: config.PORT, metrics: config.METRICS_PORT }
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
  expect(open.map(({ port }) => port)).toEqual([config.PORT, config.METRICS_PORT])
})
