import type { ElicitResult } from '@modelcontextprotocol/client'
import { type Address } from '@solana/kit'
import { NATIVE_MINT } from '@sotto/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { QuestionFiles } from '../../src/mcp/ledger/question-files.ts'
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

describe('an agent whose host cannot ask a person', () => {
  const name = 'alone'
  let host: McpHost
  beforeAll(async () => {
    await agents.topUp(name)
    host = await agents.startFor(name)
  })
  afterAll(() => agents?.closeSilent(name, host))

  it('cannot pay with malformed amounts, other assets or unknown arguments', async () => {
    const to = await partner.newWallet()
    const codeOf = async (given: object) => {
      const payment = { key: 'odd', to, amount: '0.01', ...SOL, ...given }
      return (await host.call('send', payment)).code
    }
    for (const amount of ['1e-2', '-1', ' 1', '1 ', '0,01', '０.０１', '0.01\n', '1n', '']) {
      expect(await codeOf({ amount })).toBe('AMOUNT_INVALID')
    }
    expect(await codeOf({ amount: '0' })).toBe('AMOUNT_INVALID')
    expect(await codeOf({ amount: '0.0000000001' })).toBe('AMOUNT_INVALID')
    expect(await codeOf({ asset: 'USDC' })).toBe('ASSET_UNKNOWN')
    expect(await codeOf({ asset: 'sol' })).toBe('ASSET_UNKNOWN')
    // The tool's schema refuses these arguments, with a text of the schema library.
    for (const given of [
      { amount: 0.01 },
      { amount: 10_000_000 },
      { maxPayment: '9' },
      { confirm: true },
      { approved: true },
      { key: '' },
      { key: '__proto__' },
      { key: 'a b' },
      { key: 'k'.repeat(65) },
    ]) {
      expect(await codeOf(given)).toBe('Input validation error')
    }
    expect((await host.call('status')).data).toEqual({ payments: [] })
    expect(await agents.arrived(to)).toBe(0n)
  })

  it('cannot pay programs, their accounts or mints', async () => {
    const { stack } = partner
    const { tree } = stack.setup as unknown as { tree?: Address }
    const recipients = [
      stack.program,
      '11111111111111111111111111111111',
      'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
      '1nc1nerator11111111111111111111111111111111',
      NATIVE_MINT,
      stack.setup.usdc,
      ...(tree === undefined ? [] : [tree]),
    ]
    for (const to of recipients) {
      const sent = await host.call('send', { key: 'program', to, amount: '0.01', ...SOL })
      expect(sent.code).toBe('RECIPIENT_NOT_A_WALLET')
    }
  })

  it('pays above the threshold after a confirmation in a terminal', async () => {
    const to = await partner.newWallet()
    const payment = { key: 'large', to, amount: '0.06', ...SOL }
    const refused = await host.call('send', payment)
    expect(refused.code).toBe('CONFIRMATION_NEEDED')
    const id = /sotto mcp approve ([0-9a-f]{16})/.exec(refused.text)?.[1] ?? ''
    const withoutTerminal = await partner.sotto('mcp', 'approve', id)
    expect(withoutTerminal.code).toBe(2)
    expect(withoutTerminal.stderr).toContain('NOBODY_TO_ASK')
    expect((await host.call('send', payment)).code).toBe('CONFIRMATION_NEEDED')
    expect((await host.call('status', { key: 'large' })).data).toMatchObject({
      payments: [{ state: 'asked' }],
    })
    expect(await agents.arrived(to)).toBe(0n)
    // The person's own command writes this answer after the person has typed "yes".
    await new QuestionFiles(partner.home).answer(id, 'yes')
    expect((await host.call('send', payment)).data).toMatchObject({ state: 'paid' })
    expect(await agents.arrived(to)).toBe(60_000_000n)
  })

  it('gets no second server for the same balance', async () => {
    const second = await agents.startFor(name, {}, ['--max-payment', '1', '--max-day', '9'])
    expect((await second.call('balance')).code).toBe('BALANCE_BUSY')
    await second.close()
  })
})

it('an agent may pay only the recipients of the list', async () => {
  await agents.topUp('listed')
  const [listed, other] = [await partner.newWallet(), await partner.newWallet()]
  const host = await agents.startFor('listed', {}, [...LIMITS, '--allow', listed])
  const pay = (key: string, to: Address) => host.call('send', { key, to, amount: '0.01', ...SOL })
  expect((await pay('other', other)).code).toBe('RECIPIENT_NOT_ALLOWED')
  expect((await pay('listed', listed)).data).toMatchObject({ state: 'paid' })
  await host.close()
  expect([await agents.arrived(listed), await agents.arrived(other)]).toEqual([10_000_000n, 0n])
})

it('a host cannot answer a question that waits in a terminal', async () => {
  await agents.topUp('forged')
  const to = await partner.newWallet()
  const payment = { key: 'large', to, amount: '0.06', ...SOL }
  const yes = { action: 'accept', content: { pay: true } }
  const host = await agents.startFor(
    'forged',
    { mode: { pin: '2026-07-28' }, answer: yes as ElicitResult },
    [...LIMITS, '--confirm', 'terminal'],
  )
  const refused = await host.call('send', payment, { [payment.key]: yes })
  expect(refused.code).toBe('CONFIRMATION_NEEDED')
  const id = /sotto mcp approve ([0-9a-f]{16})/.exec(refused.text)?.[1] ?? ''
  expect((await host.call('send', payment, { [id]: yes })).code).toBe('CONFIRMATION_NEEDED')
  expect(host.questions).toEqual([])
  await host.close()
  expect(await agents.arrived(to)).toBe(0n)
})
