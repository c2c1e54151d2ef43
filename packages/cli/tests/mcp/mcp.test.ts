import type { ElicitResult } from '@modelcontextprotocol/client'
import { address, type Address } from '@solana/kit'
import { NATIVE_MINT, WAIT_SPREAD_SECONDS } from '@sotto/protocol'
import { openBalance, shownNoteIn, storedBalance } from '@sotto/sdk/balance'
import { PROGRAM_SHA256 } from '@sotto/sdk/wallet'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keypairFile } from '../../../../demo/src/stack/keypair-file.ts'
import { HUNG_MS } from '../../../../testing/patience/hung.ts'
import { balanceFile, balanceStore } from '../../src/balances/balance-files.ts'
import { QuestionFiles } from '../../src/mcp/ledger/question-files.ts'
import { openLocalPartner, type LocalPartner } from '../local-partner.ts'
import { startMcp, type HostOptions, type McpHost } from './mcp-client.ts'

const SOL = { asset: 'SOL' }
const LIMITS = ['--max-payment', '0.1', '--max-day', '0.3', '--confirm-above', '0.05']

let partner: LocalPartner
beforeAll(async () => {
  partner = await openLocalPartner()
})
afterAll(() => partner?.close())

/** Pays one SOL into a new balance of this machine. */
async function topUp(name: string): Promise<void> {
  const { home, wallet, client, chain, stack } = partner
  const store = balanceStore(home, name)
  await openBalance({
    ...{ service: client, rpc: chain.rpc, programId: address(stack.program) },
    ...{ acceptedPrograms: [PROGRAM_SHA256], isLocalChain: true, pollMs: 100, store },
    approve: () => true,
    signer: await keypairFile(join(home, 'wallet.json')),
    topUp: { senderAddress: wallet, assetId: NATIVE_MINT, amount: '1000000000' },
  })
  store.release()
}

const startFor = (name: string, options?: HostOptions, limits = LIMITS): Promise<McpHost> =>
  startMcp([name, ...limits], partner.env, options)

const arrived = (wallet: Address): Promise<bigint> => partner.chain.balance(wallet, NATIVE_MINT)

/** Checks that an agent and the log get no secret, and that the log contains no address and no digits. */
async function assertNoSecrets(name: string, host: McpHost, logged: string): Promise<void> {
  const { secret } = JSON.parse(await readFile(balanceFile(partner.home, name), 'utf8')) as {
    secret: string
  }
  const ticket = (await storedBalance(balanceStore(partner.home, name)))?.ticket
  const text = [...host.seen, ...host.questions, logged].join('\n')
  for (const kept of [secret, ticket ?? 'none', 'sotto2_', partner.env['SOTTO_API_KEY'] ?? '']) {
    expect(text).not.toContain(kept)
  }
  expect(logged).not.toMatch(/[1-9A-HJ-NP-Za-km-z]{32,}/)
  expect(logged).not.toMatch(/[0-9]/)
}

describe.each([
  ['the protocol of 2025', 'legacy'],
  ['the protocol of 2026', { pin: '2026-07-28' }],
] as const)('an agent that uses %s', (_era, mode) => {
  const name = mode === 'legacy' ? 'older' : 'newer'
  let host: McpHost
  beforeAll(async () => {
    await topUp(name)
    host = await startFor(name, { mode, answer: { action: 'accept', content: { pay: true } } })
  })
  afterAll(async () => {
    if (host !== undefined) await assertNoSecrets(name, host, await host.close())
  })

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
      // The balance was topped up a moment ago.
      linkableUntil: expect.stringMatching(/^20\d\d-/) as string,
      payAt: expect.stringMatching(/^20\d\d-/) as string,
    })
    const { ticket } = (await storedBalance(balanceStore(partner.home, name)))!
    const until = Number(shownNoteIn(ticket!).linkableUntil) * 1_000
    expect(Date.parse((quoted.data as { linkableUntil: string }).linkableUntil)).toBe(until)
    const { payAt } = quoted.data as { payAt: string }
    const waitMs = Date.parse(payAt) - until
    expect(waitMs >= 0 && waitMs < WAIT_SPREAD_SECONDS * 1_000).toBe(true)
    expect(quoted.text).toContain(`If the payment can wait, pay at ${payAt}`)
    expect((await host.call('quote', { to, amount: '0.02', ...SOL })).data).toMatchObject({ payAt })
    expect(quoted.text).toContain('0.03, 0.04, 0.05, 0.06 SOL are round')
  })

  it("pays the exact amount, once for each key, and sees the payment's status", async () => {
    const to = await partner.newWallet()
    const payment = { key: 'invoice-1', to, amount: '0.0498', ...SOL }
    const sent = await host.call('send', payment)
    expect(sent.data).toMatchObject({ state: 'paid', amount: '0.0498', fee: '0.0002' })
    expect(await arrived(to)).toBe(49_800_000n)
    expect((await host.call('send', payment)).data).toEqual(sent.data)
    expect(await arrived(to)).toBe(49_800_000n)
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
    expect(await arrived(to)).toBe(60_000_000n)
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
    expect(await arrived(to)).toBe(160_000_000n)
  })
})

describe('an agent whose host cannot ask a person', () => {
  const name = 'alone'
  let host: McpHost
  beforeAll(async () => {
    await topUp(name)
    host = await startFor(name)
  })
  afterAll(async () => {
    if (host !== undefined) await assertNoSecrets(name, host, await host.close())
  })

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
    expect(await arrived(to)).toBe(0n)
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
    expect(await arrived(to)).toBe(0n)
    // The person's own command writes this answer after the person has typed "yes".
    await new QuestionFiles(partner.home).answer(id, 'yes')
    expect((await host.call('send', payment)).data).toMatchObject({ state: 'paid' })
    expect(await arrived(to)).toBe(60_000_000n)
  })

  it('gets no second server for the same balance', async () => {
    const second = await startFor(name, {}, ['--max-payment', '1', '--max-day', '9'])
    expect((await second.call('balance')).code).toBe('BALANCE_BUSY')
    await second.close()
  })
})

it('an agent may pay only the recipients of the list', async () => {
  await topUp('listed')
  const [listed, other] = [await partner.newWallet(), await partner.newWallet()]
  const host = await startFor('listed', {}, [...LIMITS, '--allow', listed])
  const pay = (key: string, to: Address) => host.call('send', { key, to, amount: '0.01', ...SOL })
  expect((await pay('other', other)).code).toBe('RECIPIENT_NOT_ALLOWED')
  expect((await pay('listed', listed)).data).toMatchObject({ state: 'paid' })
  await host.close()
  expect([await arrived(listed), await arrived(other)]).toEqual([10_000_000n, 0n])
})

it('a host cannot answer a question that waits in a terminal', async () => {
  await topUp('forged')
  const to = await partner.newWallet()
  const payment = { key: 'large', to, amount: '0.06', ...SOL }
  const yes = { action: 'accept', content: { pay: true } }
  const host = await startFor(
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
  expect(await arrived(to)).toBe(0n)
})

it('makes a payment exactly once if the server is killed after the signature', async () => {
  await topUp('killed')
  const to = await partner.newWallet()
  const payment = { key: 'once', to, amount: '0.04', ...SOL }
  const first = await startFor('killed')
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

  const second = await startFor('killed')
  expect((await second.call('send', payment)).data).toMatchObject({ state: 'paid' })
  expect((await second.call('send', payment)).data).toMatchObject({ state: 'paid' })
  const { limits } = (await second.call('balance')).data as { limits: { leftToday: string } }
  await second.close()
  expect(await arrived(to)).toBe(40_000_000n)
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
