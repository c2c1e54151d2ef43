import { execFile } from 'node:child_process'
import { associatedTokenAddress, type Address } from '@sotto/protocol'
import { generateKeyPairSigner } from '@solana/kit'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DECOYS_OF_KIND } from '../../packages/server/src/adapters/chain/recipients/decoys.ts'
import { filesIn, gatherChannels, type Channels } from './channels.ts'
import { driveConsole, driveSendPage } from './drive-pages.ts'
import { driveFailures, driveRefusals } from './drive-refusals.ts'
import { driveDelivery, driveRefund } from './drive-transfers.ts'
import { Needles } from './needles.ts'
import { openPrivateStage } from './open-private-stage.ts'
import { Partner } from './partner.ts'

const needles = new Needles()
const ends: Record<string, unknown> = {}
const codes = new Set<string>()
let channels: Channels
let folder: string
let stage: Awaited<ReturnType<typeof openPrivateStage>> | undefined

// Uses every path of one service once. Each test then checks one of the service's outputs.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-privacy-'))
  const words = (await generateKeyPairSigner()).address
  stage = await openPrivateStage(folder, words)
  const { service, setup, scrape, collector, reports } = stage
  needles.address('the words of a crash', words)
  needles.text('an API key', setup.apiKey).text('its secret', setup.apiKey.split('_')[3] ?? '')
  needles.text('the key of a screener', stage.screenerKey)
  for (const one of setup.relayers) needles.address('a relayer', one)
  needles.address('the partner', setup.partner)
  const { baseUrl } = await service.start()
  const partner = new Partner(baseUrl, setup.apiKey)
  const driven = { stage, partner, needles }
  ends['delivery'] = await driveDelivery(driven)
  await driveRefusals(driven)
  await driveSendPage(driven)
  await driveFailures(driven)
  ends['refund'] = await driveRefund(driven)
  const shown = [await driveConsole(driven)]
  const scrapes = [await scrape()]
  // The collector receives the last traces a few seconds after the last request.
  while (!collector.spans.some(({ name }) => name === 'settle refund')) {
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  ends['uncaught error'] = await service.end('SIGUSR2')
  await service.start()
  scrapes.push(await scrape())
  ends['full heap'] = await service.end('SIGWINCH')
  for (const code of partner.codes) codes.add(code)
  channels = await gatherChannels({
    ...{ service, scrapes, collector, reports },
    ...{ refusals: partner.refusals, shown },
  })
})

afterAll(async () => {
  await stage?.close()
  await rm(folder, { recursive: true, force: true })
})

it('has used every path of the service', () => {
  expect(ends).toMatchObject({ delivery: 'delivered', refund: 'refunded', 'uncaught error': 1 })
  expect(ends['full heap']).toMatch(/SIGABRT|SIGTRAP/)
  for (const code of [
    ...['INVALID_REQUEST', 'INVALID_ADDRESS', 'UNSUPPORTED_ASSET', 'UNAUTHORIZED', 'NOT_FOUND'],
    ...['ORDER_NOT_FOUND', 'METHOD_NOT_ALLOWED', 'IDEMPOTENCY_CONFLICT', 'QUOTE_ALREADY_USED'],
    ...['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'QUOTE_MISMATCH', 'UPSTREAM_UNAVAILABLE'],
    ...['FEE_RECIPIENT_NOT_REGISTERED', 'AMOUNT_OUT_OF_RANGE'],
  ]) {
    expect([...codes]).toContain(code)
  }
  const { 'standard error': log, metrics, traces } = channels
  expect(channels.console).toContain('"covers":true')
  for (const event of ['deposit_recorded', 'delivered', 'refunded', '"msg":"request"', 'crashed']) {
    expect(log).toContain(event)
  }
  for (const name of [
    'POST /transfer/v1/order',
    'settle deliver',
    'prove settlement',
    'rpc sendT',
  ]) {
    expect(traces).toContain(name)
  }
  expect(metrics).toMatch(/^sotto_events_total\{name="refunded"\} 1$/m)
  expect(needles.size).toBeGreaterThan(300)
})

for (const channel of [
  ...[
    'standard output',
    'standard error',
    'metrics',
    'traces',
    'errors',
    'console',
    'crash reports',
  ],
] as (keyof Channels)[]) {
  it(`${channel}: contains no address, amount, key, id or body`, () => {
    expect(needles.foundIn(channels[channel])).toEqual([])
  })

  it(`${channel}: the search finds a planted leak`, () => {
    const text = `${channels[channel]}${stage?.setup.partner}`
    expect(needles.foundIn(text)).toEqual(['the partner'])
  })
}

it('a recipient is named only to the node for recipients, together with decoys', async () => {
  const { asked, orders, setup } = stage!
  expect(orders.length).toBeGreaterThan(2)
  const naming = (bodies: readonly string[], address: string) =>
    bodies.filter((body) => body.includes(`"${address}"`))
  // The chain shows the payee of the delivery and the sender of the refund. The service watches such wallets and their
  // token accounts in separate requests, which this test leaves out.
  const wallets = [orders[0]?.recipient, orders.at(-1)?.sender].filter((one) => one !== undefined)
  const tokens = wallets.map((one) => associatedTokenAddress(one as Address, setup.usdc))
  const shown = new Set<string>([...wallets, ...(await Promise.all(tokens))])
  for (const { sender, recipient, order } of orders) {
    expect(naming(asked.node, recipient)).toEqual([])
    const lookups = naming(asked.recipientNode, recipient)
      .map((body) => JSON.parse(body) as { method: string; params: [string[]] })
      .filter(({ params: [accounts] }) => accounts.some((one) => !shown.has(one)))
    expect(lookups).not.toEqual([])
    expect(lookups.filter(({ method }) => method !== 'getMultipleAccounts')).toEqual([])
    expect(Math.min(...lookups.map(({ params: [accounts] }) => accounts.length))).toBeGreaterThan(
      DECOYS_OF_KIND,
    )
    // Every request for a recipient must also name the same decoys.
    const companies = lookups.map(({ params: [accounts] }) => accounts.join())
    expect(companies.filter((one) => !one.includes(companies[0] ?? ''))).toEqual([])
    const all = [...asked.node, ...asked.recipientNode]
    const namesTwo = (body: string) =>
      [sender, recipient, order].filter((one) => body.includes(`"${one}"`)).length > 1
    expect(all.filter(namesTwo)).toEqual([])
  }
  // The service follows orders by reading the tree. So it names an order to the node only after the order's deposit is
  // public.
  const named = orders.filter(({ order }) => naming(asked.node, order).length > 0)
  expect(named.length).toBeGreaterThan(1)
  expect(named.length).toBeLessThan(orders.length)
})

it('log and traces contain no successful reads', () => {
  const lines = channels['standard error'].split('\n').filter((line) => line.includes('/status/'))
  expect(lines.filter((line) => !/"status":[45]/.test(line))).toEqual([])
  expect(channels.traces).not.toContain('GET ')
})

it('exports exactly the metrics that docs/metrics.md lists', async () => {
  const page = fileURLToPath(new URL('../../docs/metrics.md', import.meta.url))
  const listed = [...(await readFile(page, 'utf8')).matchAll(/^\| `([a-z_]+)`/gm)]
  const shown = [...channels.metrics.matchAll(/^# TYPE ([a-z_]+) /gm)].map(([, name]) => name)
  expect([...new Set(shown)].sort()).toEqual(listed.map(([, name]) => name).sort())
})

it('a Node process writes its environment into a crash report by default', async () => {
  const reports = join(folder, 'reports-of-another')
  await mkdir(reports)
  const crash = ['-e', 'throw new Error(process.env.WORDS)']
  const flags = ['--report-uncaught-exception', `--report-directory=${reports}`]
  const env = { WORDS: stage?.setup.partner ?? '' }
  await promisify(execFile)(process.execPath, [...flags, ...crash], { env }).catch(() => undefined)
  expect(needles.foundIn(await filesIn(reports))).toEqual(['the partner'])
})
