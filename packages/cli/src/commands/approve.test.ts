import type { QuoteResponse, Token } from '@sotto/sdk/server'
import { describe, expect, it } from 'vitest'
import type { CliContext } from '../context.ts'
import { openOutput } from '../output/output.ts'
import { approver } from './approve.ts'

const SOL = 'So11111111111111111111111111111111111111112'
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkwyTDt1v1'
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

/** A context with a node that shows a mint with six decimals, and a service that lists the mint with these decimals. */
function contextOf(usdcDecimals: number, answers: readonly boolean[] = []) {
  const mint = Buffer.alloc(82)
  mint.set([6, 1], 44)
  const value = { owner: TOKEN_PROGRAM, data: [mint.toString('base64'), 'base64'] }
  const getAccountInfo = () => ({ send: async () => ({ value }) })
  const tokens = [
    { assetId: SOL, symbol: 'SOL', decimals: 9 },
    { assetId: USDC, symbol: 'USDC', decimals: usdcDecimals },
  ] as Token[]
  const stream = { write: () => true, isTTY: false }
  const notes: string[] = []
  const questions: string[] = []
  const output = {
    ...openOutput({}, { stdout: stream, stderr: stream, stdin: {} }),
    isInteractive: answers.length > 0,
    note: (text: string) => void notes.push(text),
    ask: async (question: string) => answers[questions.push(question) - 1] ?? false,
  }
  const client = async () => ({ tokens: async () => ({ tokens }) })
  const rpc = async () => ({ getAccountInfo })
  const signal = new AbortController().signal
  const context = { output, client, rpc, signal } as unknown as CliContext
  return { context, notes, questions }
}

const TRANSFER = { senderAddress: 'the sender', recipientAddress: 'the recipient' }

/** A quote of 150 USDC for one SOL, at a fee of 0.002 SOL. */
const QUOTED = {
  quote: {
    ...{ sourceAssetId: SOL, destinationAssetId: USDC },
    ...{ amountIn: '1000000000', amountOut: '150000000', fee: '2000000' },
    feeBreakdown: { serviceFee: '1500000', partnerFee: '0', networkFee: '500000' },
  },
  privacy: { anonymitySet: 1, windowSeconds: 1_800 },
  linkProbability: '1',
  senderMustHold: { native: '1005000000', source: '1000000000' },
} as QuoteResponse

describe('the function that approves a quote', () => {
  it.each([
    [true, {}],
    [true, { maxFee: '0.002', minOut: '150' }],
    [false, { maxFee: '0.001999999' }],
    [false, { minOut: '150.000001' }],
    [false, { maxFee: '1', minOut: '1000' }],
  ])('returns %s for the bounds %j', async (isAccepted, bounds) => {
    expect(await approver(contextOf(6).context, { yes: true, ...bounds }, TRANSFER)(QUOTED)).toBe(
      isAccepted,
    )
  })

  it('refuses a service whose decimals differ from the chain’s', async () => {
    // With the service's three decimals, 150 USDC would be shown as 150,000, and `--min-out 100000` would accept it.
    const approve = approver(contextOf(3).context, { yes: true, minOut: '100000' }, TRANSFER)
    await expect(approve(QUOTED)).rejects.toMatchObject({ code: 'DECIMALS_DIFFER', exitCode: 6 })
  })
})

it('asks no question about privacy if a missed crowd leads to a refund', async () => {
  const privacy = { ...QUOTED.privacy, anonymitySet: 1 }
  const wish = { ...TRANSFER, minCrowd: 5 }
  const { context, questions } = contextOf(6, [true])
  expect(await approver(context, {}, wish)({ ...QUOTED, privacy })).toBe(true)
  expect(questions).toHaveLength(1)
  const delivered = { ...wish, crowdMissed: 'deliver' as const }
  const second = contextOf(6, [true, false])
  expect(await approver(second.context, {}, delivered)({ ...QUOTED, privacy })).toBe(false)
  expect(second.questions).toHaveLength(2)
})

it('asks a second time about a transfer without a delay, whatever the quote states', async () => {
  const { context, questions } = contextOf(6, [true, false])
  const privacy = { ...QUOTED.privacy, anonymitySet: 32 }
  const fast = { ...TRANSFER, minDelaySeconds: 0, maxDelaySeconds: 0 }
  const quoted = { ...QUOTED, privacy, linkProbability: '0.031' }
  expect(await approver(context, {}, fast)(quoted)).toBe(false)
  expect(questions[1]).toContain('Anyone can link this transfer to you.')
})

it('asks a second time if the recipient was paid before, also for a crowd', async () => {
  const privacy = { ...QUOTED.privacy, anonymitySet: 1 }
  const ask = async (byAmount: number) => {
    const { context, questions } = contextOf(6, [true, false])
    const stated = { anonymitySet: byAmount, linkProbability: '0.3', waitingHelps: true }
    const quoted = { ...QUOTED, privacy, recipientPaidBefore: true, byAmount: stated }
    expect(await approver(context, {}, { ...TRANSFER, minCrowd: 5 })(quoted)).toBe(false)
    return questions[1]
  }
  const asked =
    'Can anyone link this transfer to you? Answer: yes, if you have paid this recipient before.'
  for (const byAmount of [1, 3]) {
    expect(await ask(byAmount)).toBe(
      `${asked} If not: with a chance of about 20 %. Send it anyway?`,
    )
  }
})

describe('a person who decides about a swap', () => {
  it('sees sender, recipient, rate and the minimum that arrives', async () => {
    const { context, notes } = contextOf(6, [true, true])
    await approver(context, {}, { ...TRANSFER, minOut: '148500000' })(QUOTED)
    expect(notes.join('\n')).toContain('the sender')
    expect(notes.join('\n')).toContain('the recipient')
    expect(notes.join('\n')).toContain('150 USDC per SOL')
    expect(notes.join('\n')).toContain('148.5 USDC')
  })

  it.each([
    [[true], 1, false],
    [[true, false], 1, false],
    [[true, true], 1, true],
    [[true], 7, true],
    [[false, true], 1, false],
  ])(
    'gives the answers %j for an anonymity set of %i, and accepts the quote: %s',
    async (answers, anonymitySet, isAccepted) => {
      const { context, questions } = contextOf(6, answers)
      const privacy = { ...QUOTED.privacy, anonymitySet }
      const stated = { privacy, linkProbability: anonymitySet === 1 ? '1' : '0.1' }
      expect(await approver(context, {}, TRANSFER)({ ...QUOTED, ...stated })).toBe(isAccepted)
      expect(questions.some((question) => question.includes('Anyone can link'))).toBe(
        anonymitySet === 1 && answers[0] === true,
      )
    },
  )
})
