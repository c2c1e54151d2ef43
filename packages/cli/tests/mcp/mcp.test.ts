import { WAIT_SPREAD_SECONDS } from '@sotto/protocol'
import { storedBalance } from '@sotto/sdk/balance'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HUNG_MS } from '../../../../testing/patience/hung.ts'
import { balanceStore } from '../../src/balances/balance-files.ts'
import type { LocalPartner } from '../local-partner.ts'
import { LIMITS, openAgentPartner, SOL, type AgentPartner } from './agent-partner.ts'
import { type McpHost } from './mcp-client.ts'

let partner: LocalPartner
let agents: AgentPartner
beforeAll(async () => {
  agents = await openAgentPartner()
  partner = agents.partner
})
afterAll(() => partner?.close())

describe.each([
  ['the protocol of 2025', 'legacy'],
  ['the protocol of 2026', { pin: '2026-07-28' }],
] as const)('an agent that uses %s', (_era, mode) => {
  const name = mode === 'legacy' ? 'older' : 'newer'
  let host: McpHost
  beforeAll(async () => {
    await agents.topUp(name)
    host = await agents.startFor(name, {
      mode,
      answer: { action: 'accept', content: { pay: true } },
    })
  })
  afterAll(() => agents?.closeSilent(name, host))

  it('sees four tools, whose amounts have a unit', async () => {
    const { tools } = await host.tools()
    expect(tools.map((tool) => tool.name)).toEqual(['balance', 'quote', 'send', 'status'])
    for (const tool of tools) expect(tool.outputSchema).toMatchObject({ type: 'object' })
    const { properties } = tools[2]!.inputSchema as { properties: Record<string, object> }
    expect(properties['amount']).toMatchObject({
      type: 'string',
      description: expect.stringContaining('in whole coins') as unknown,
    })
  })

  it('sees balance and limits, and gets a quote to the lamport', async () => {
    expect((await host.call('balance')).data).toMatchObject({
      ...{ balance: name, asset: 'SOL', decimals: 9, status: 'open', left: '1' },
      limits: { maxPayment: '0.1', leftToday: '0.3', confirmAbove: '0.05', recipients: null },
    })
    const to = await partner.newWallet()
    const quoted = await host.call('quote', { to, amount: '0.0498', ...SOL })
    // The fees are 0.2 % of the gross and 100,000 lamports.
    expect(quoted.data).toEqual({
      ...{ asset: 'SOL', amount: '0.0498', fee: '0.0002', total: '0.05' },
      ...{ isWithinLimits: true, needsConfirmation: false },
      suggestions: ['0.03', '0.04', '0.05', '0.06'].map((amount) => ({ amount, crowd: 1 })),
      recipientPaidBefore: false,
      // The balance was topped up a moment ago.
      linkableUntil: expect.stringMatching(/^20\d\d-/) as string,
      payAt: expect.stringMatching(/^20\d\d-/) as string,
    })
    const { linkableUntil } = (await storedBalance(balanceStore(partner.home, name)))!
    const until = Number(linkableUntil) * 1_000
    expect(Date.parse((quoted.data as { linkableUntil: string }).linkableUntil)).toBe(until)
    const { payAt } = quoted.data as { payAt: string }
    const waitMs = Date.parse(payAt) - until
    expect(waitMs >= 0 && waitMs < WAIT_SPREAD_SECONDS * 1_000).toBe(true)
    expect(quoted.text).toContain(`If the payment can wait, make it at ${payAt}`)
    expect((await host.call('quote', { to, amount: '0.02', ...SOL })).data).toMatchObject({ payAt })
    expect(quoted.text).toContain('choose one of these, in SOL: 0.03, 0.04, 0.05, 0.06.')
  })

  it("pays the exact amount, once for each key, and sees the payment's status", async () => {
    const to = await partner.newWallet()
    const payment = { key: 'invoice-1', to, amount: '0.0498', ...SOL }
    const sent = await host.call('send', payment)
    expect(sent.data).toMatchObject({ state: 'paid', amount: '0.0498', fee: '0.0002' })
    expect(await agents.arrived(to)).toBe(49_800_000n)
    expect((await host.call('send', payment)).data).toEqual(sent.data)
    expect(await agents.arrived(to)).toBe(49_800_000n)
    expect((await host.call('status', { key: 'invoice-1' })).data).toEqual({
      payments: [sent.data],
    })
    expect((await host.call('balance')).data).toMatchObject({ left: '0.95' })
    const changed = await host.call('send', { ...payment, amount: '0.01' })
    expect(changed.code).toBe('KEY_REUSED')
  })

  it('pays above the threshold after a person has agreed', async () => {
    const to = await partner.newWallet()
    const sent = await host.call('send', { key: 'large', to, amount: '0.06', ...SOL })
    expect(sent.data).toMatchObject({ state: 'paid' })
    expect(await agents.arrived(to)).toBe(60_000_000n)
    expect(host.questions).toEqual([expect.stringContaining(`Pay 0.06 SOL to ${to}?`)])
  })

  it('is refused above the limits', async () => {
    const to = await partner.newWallet()
    const pay = (key: string, amount: string) => host.call('send', { key, to, amount, ...SOL })
    expect((await pay('too-large', '0.1')).code).toBe('PAYMENT_LIMIT')
    expect((await pay('third', '0.08')).data).toMatchObject({ state: 'paid' })
    expect((await pay('fourth', '0.08')).data).toMatchObject({ state: 'paid' })
    expect((await pay('fifth', '0.04')).code).toBe('DAY_LIMIT')
    expect((await host.call('quote', { to, amount: '0.04', ...SOL })).data).toMatchObject({
      isWithinLimits: false,
    })
    expect(await agents.arrived(to)).toBe(160_000_000n)
  })
})

it('makes a payment exactly once if the server is killed after the signature', async () => {
  await agents.topUp('killed')
  const to = await partner.newWallet()
  const payment = { key: 'once', to, amount: '0.04', ...SOL }
  const first = await agents.startFor('killed')
  const store = balanceStore(partner.home, 'killed')
  const lost = first.call('send', payment).catch(() => 'lost')
  await expect
    .poll(async () => (await storedBalance(store))?.payments[0]?.step, {
      interval: 5,
      timeout: HUNG_MS,
    })
    .toBe('signed')
  first.kill()
  expect(await lost).toBe('lost')
  await first.close()

  const second = await agents.startFor('killed')
  expect((await second.call('send', payment)).data).toMatchObject({ state: 'paid' })
  expect((await second.call('send', payment)).data).toMatchObject({ state: 'paid' })
  const { limits } = (await second.call('balance')).data as { limits: { leftToday: string } }
  await second.close()
  expect(await agents.arrived(to)).toBe(40_000_000n)
  // The limit of 0.3, minus the payment and its fees.
  expect(limits.leftToday).toBe('0.259819639')
})

it('does not start without limits, or for an unknown balance', async () => {
  const codeOf = async (...args: string[]) => {
    const { stderr } = await partner.sotto('mcp', 'serve', ...args)
    return (JSON.parse(stderr) as { error: { code: string } }).error.code
  }
  expect(await codeOf('missing', ...LIMITS)).toBe('BALANCE_UNKNOWN')
  expect(await codeOf('missing')).toBe('LIMITS_MISSING')
  expect(await codeOf('missing', '--max-payment', '1')).toBe('LIMITS_MISSING')
})
