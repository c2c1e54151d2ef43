import { getBase64EncodedWireTransaction } from '@solana/kit'
import type { Base64EncodedWireTransaction } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  TOKEN_PROGRAM_ADDRESS,
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
} from '@solana-program/token'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { OWN_METHODS, methodTable } from '../src/rpc/method-table.ts'
import { rawCall, sign, signTransfer } from './client.ts'
import { accountIn, keyed } from './shapes/accounts.ts'
import { answers } from './shapes/answers.ts'
import { errorShapes } from './shapes/errors.ts'
import { withContext } from './shapes/primitives.ts'
import { blockWith, simulation, transactionIn } from './shapes/transactions.ts'
import { startStillChain } from './still-chain.ts'

const commitment = 'confirmed'
const NOBODY = 'Nobody1111111111111111111111111111111111111'
const v0 = { maxSupportedTransactionVersion: 0 }
type Case = readonly [method: string, params: unknown[], shape: z.ZodType]

/** A chain with transfers, a token, inner instructions and a failed transaction. */
async function openSubject() {
  const chain = await startStillChain()
  const payer = await chain.fund()
  const other = await chain.fund()
  const { mint } = (await chain.call('localnet_createMint', [{ decimals: 6, symbol: 'S' }])) as {
    mint: typeof payer.address
  }
  await chain.call('localnet_mintTokens', [payer.address, mint, '1234500'])
  const seeds = { owner: other.address, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS }
  const [ata] = await findAssociatedTokenPda(seeds)
  const { transaction, signature } = await sign(chain.rpc, payer, [
    getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner: other.address, mint }),
    getTransferSolInstruction({ source: payer, destination: other.address, amount: 1_000_000n }),
  ])
  const failing = await signTransfer(chain.rpc, other, payer.address, 5_000_000_000n)
  const send = (wire: Base64EncodedWireTransaction) =>
    chain.rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send()
  await send(getBase64EncodedWireTransaction(transaction))
  await send(getBase64EncodedWireTransaction(failing.transaction))
  const slot = Number(await chain.rpc.getSlot({ commitment: 'processed' }).send())
  await chain.pass(8)
  const fresh = await sign(chain.rpc, payer, [
    getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner: other.address, mint }),
  ])
  const poor = await signTransfer(chain.rpc, other, payer.address, 6_000_000_000n)
  const message = Buffer.from(fresh.transaction.messageBytes).toString('base64')
  const wire = getBase64EncodedWireTransaction(fresh.transaction)
  const refused = getBase64EncodedWireTransaction(poor.transaction)
  const { blockhash } = fresh.transaction.lifetimeConstraint
  const failed = failing.signature
  return {
    chain,
    payer,
    other,
    mint,
    ata,
    signature,
    failed,
    slot,
    wire,
    refused,
    message,
    blockhash,
  }
}
type Subject = Awaited<ReturnType<typeof openSubject>>

function stateCases({ payer, other, mint, ata }: Subject): Case[] {
  const read = (encoding: keyof typeof accountIn) => ({ encoding, commitment })
  const account = (encoding: 'base64' | 'base58' | 'binary') =>
    [
      ['getAccountInfo', [payer.address, read(encoding)], withContext(accountIn[encoding])],
      [
        'getMultipleAccounts',
        [[payer.address, NOBODY], read(encoding)],
        withContext(z.tuple([accountIn[encoding], z.null()])),
      ],
    ] as Case[]
  const tokens = keyed(accountIn.jsonParsed)
  return [
    ...account('base64'),
    ...account('base58'),
    ...account('binary'),
    ['getAccountInfo', [ata, read('jsonParsed')], withContext(accountIn.jsonParsed)],
    ['getAccountInfo', [mint, read('jsonParsed')], withContext(accountIn.jsonParsed)],
    ['getAccountInfo', [payer.address, read('jsonParsed')], withContext(accountIn.unparsed)],
    ['getAccountInfo', [NOBODY, read('base64')], answers.missingAccount],
    ['getBalance', [payer.address, { commitment }], answers.balance],
    ['getProgramAccounts', [TOKEN_PROGRAM_ADDRESS, read('jsonParsed')], z.array(tokens).min(3)],
    [
      'getProgramAccounts',
      [
        TOKEN_PROGRAM_ADDRESS,
        { ...read('base64'), withContext: true, filters: [{ dataSize: 82 }] },
      ],
      withContext(z.array(keyed(accountIn.base64)).length(2)),
    ],
    [
      'getTokenAccountsByOwner',
      [other.address, { programId: TOKEN_PROGRAM_ADDRESS }, read('jsonParsed')],
      withContext(z.array(tokens).length(1)),
    ],
    ['getTokenAccountBalance', [ata, { commitment }], answers.tokenAmount],
    ['getTokenSupply', [mint, { commitment }], answers.tokenAmount],
    ['getMinimumBalanceForRentExemption', [100], answers.count],
  ]
}

function historyCases({ chain, payer, signature, failed, slot, blockhash }: Subject): Case[] {
  const unknown = signature.split('').toReversed().join('')
  const blocks = (['json', 'jsonParsed', 'base58', 'base64'] as const).flatMap(
    (encoding): Case[] => {
      const config = { encoding, commitment, ...v0 }
      return [
        ['getTransaction', [signature, config], transactionIn(encoding)],
        ['getTransaction', [failed, config], transactionIn(encoding)],
        ['getBlock', [slot, config], blockWith.full(encoding)],
      ]
    },
  )
  const bare = { rewards: false, commitment, ...v0 }
  return [
    ...blocks,
    ['getTransaction', [unknown, { commitment, ...v0 }], answers.missing],
    ['getBlock', [slot, { ...bare, transactionDetails: 'signatures' }], blockWith.signatures],
    ['getBlock', [slot, { ...bare, transactionDetails: 'none' }], blockWith.none],
    ['getBlocks', [slot - 5, slot, { commitment }], answers.blocks],
    ['getBlockTime', [slot], answers.unixTime],
    ['getSignaturesForAddress', [payer.address, { commitment }], answers.history],
    ['getSignatureStatuses', [[signature, failed, unknown]], answers.statuses],
    ['getSlot', [{ commitment }], answers.count],
    ['getBlockHeight', [{ commitment }], answers.count],
    ['getTransactionCount', [{ commitment }], answers.count],
    ['getFirstAvailableBlock', [], answers.count],
    ['getEpochInfo', [{ commitment }], answers.epochInfo],
    ['getRecentPrioritizationFees', [[payer.address]], answers.fees],
    ['getGenesisHash', [], answers.hash],
    ['getHealth', [], answers.health],
    ['getVersion', [], answers.version],
    ['getLatestBlockhash', [{ commitment }], answers.blockhash],
    ['isBlockhashValid', [blockhash, { commitment }], answers.validity],
    ['isBlockhashValid', [chain.endpoints.faucet, { commitment }], answers.validity],
  ]
}

function transactionCases({ payer, ata, wire, refused, message }: Subject): Case[] {
  const config = { encoding: 'base64', commitment }
  const whole = {
    ...config,
    replaceRecentBlockhash: true,
    innerInstructions: true,
    accounts: { encoding: 'jsonParsed', addresses: [ata, NOBODY] },
  }
  const ok = withContext(simulation(accountIn.jsonParsed).extend({ err: z.null() }))
  const none = simulation(accountIn.base64)
  return [
    ['simulateTransaction', [wire, config], withContext(none.extend({ accounts: z.null() }))],
    ['simulateTransaction', [wire, whole], ok],
    ['simulateTransaction', [refused, config], withContext(none)],
    [
      'simulateTransaction',
      [refused, { ...config, accounts: { addresses: [payer.address] } }],
      withContext(none.extend({ accounts: z.tuple([z.null()]) })),
    ],
    ['getFeeForMessage', [message, { commitment }], answers.fee],
    ['sendTransaction', [wire, { ...config, preflightCommitment: commitment }], answers.signature],
    ['requestAirdrop', [payer.address, 1_000_000], answers.signature],
  ]
}

/** Sends a request without kit, because kit transforms answers and would hide their form. */
async function ask({ chain }: Subject, method: string, params: unknown): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })
  return JSON.parse((await rawCall(chain.endpoints, body)).text)
}

const answerOf = (result: z.ZodType) =>
  z.strictObject({ jsonrpc: z.literal('2.0'), result, id: z.literal(7) })

test("each of Solana's methods answers in its documented shape, in every supported encoding", async () => {
  const subject = await openSubject()
  const cases = [...stateCases(subject), ...historyCases(subject), ...transactionCases(subject)]
  const wrong: string[] = []
  for (const [method, params, shape] of cases) {
    const answer = await ask(subject, method, params)
    const result = answerOf(shape).safeParse(answer)
    if (result.success) continue
    const why = z.prettifyError(result.error)
    wrong.push(`${method} ${JSON.stringify(params)}\n${why}\n${JSON.stringify(answer)}`)
  }
  expect(wrong).toEqual([])
  const standard = methodTable
    .map(({ name }) => name)
    .filter((name) => !name.startsWith(OWN_METHODS))
  expect(new Set(cases.map(([method]) => method))).toEqual(new Set(standard))
})

test('typical mistakes get the documented codes, wording and data', async () => {
  const subject = await openSubject()
  const { chain, payer, mint, ata, signature, slot, wire, refused } = subject
  const forged = Buffer.from(wire, 'base64')
  forged[4] = (forged[4] ?? 0) ^ 1
  const base64 = { encoding: 'base64' }
  const tooMany = Array.from({ length: 101 }, () => NOBODY)
  const skipped = Math.floor(slot / 8) * 8 - 3
  const cases: readonly (readonly [keyof typeof errorShapes, string, unknown])[] = [
    ['method', 'getNothing', []],
    ['params', 'getBalance', ['no address']],
    ['params', 'getBalance', { address: payer.address }],
    ['params', 'getBalance', []],
    ['params', 'getTransaction', [signature, { commitment: 'processed' }]],
    ['params', 'getTokenAccountBalance', [payer.address]],
    ['params', 'getTokenAccountBalance', [NOBODY]],
    ['params', 'getTokenSupply', [payer.address]],
    ['params', 'getMultipleAccounts', [tooMany]],
    ['limit', 'getSignaturesForAddress', [payer.address, { limit: 1_001 }]],
    ['limit', 'simulateTransaction', [wire, { ...base64, accounts: { addresses: tooMany } }]],
    ['tooLargeForBase58', 'getAccountInfo', [ata, { encoding: 'base58', commitment }]],
    ['encoding', 'sendTransaction', ['$', base64]],
    ['encoding', 'sendTransaction', [wire.slice(0, 40), base64]],
    ['preflight', 'sendTransaction', [refused, base64]],
    ['preflight', 'sendTransaction', [refused, { ...base64, preflightCommitment: commitment }]],
    ['signature', 'sendTransaction', [forged.toString('base64'), base64]],
    [
      'conflict',
      'simulateTransaction',
      [wire, { ...base64, sigVerify: true, replaceRecentBlockhash: true }],
    ],
    ['version', 'getTransaction', [signature, { commitment }]],
    ['version', 'getBlock', [slot, { commitment }]],
    ['blockNotAvailable', 'getBlockTime', [slot + 1_000_000]],
    ['blockNotAvailable', 'getBlock', [slot + 1_000_000, { commitment }]],
    ['skipped', 'getBlock', [skipped, { commitment }]],
    ['skipped', 'getBlockTime', [skipped]],
    ['minContextSlot', 'getAccountInfo', [mint, { minContextSlot: slot + 1_000_000 }]],
    ['minContextSlot', 'getLatestBlockhash', [{ minContextSlot: slot + 1_000_000 }]],
  ]
  const wrong: string[] = []
  const check = (name: keyof typeof errorShapes, what: string, answer: unknown) => {
    const result = errorShapes[name].safeParse(answer)
    if (result.success) return
    wrong.push(`${name}, ${what}\n${z.prettifyError(result.error)}\n${JSON.stringify(answer)}`)
  }
  for (const [name, method, params] of cases)
    check(name, method, await ask(subject, method, params))
  for (const [name, body] of [
    ['parse', '{'],
    ['request', '{"id":1}'],
    ['request', '7'],
  ] as const) {
    check(name, body, JSON.parse((await rawCall(chain.endpoints, body)).text))
  }
  await chain.call('localnet_setFaults', [{ errorRate: 1, errorKind: 'unhealthy' }])
  check('unhealthy', 'getHealth', await ask(subject, 'getHealth', []))
  expect(wrong).toEqual([])
})
