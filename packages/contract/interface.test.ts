import { expect, it } from 'vitest'
import { openApiDocument } from './index.ts'

// The members of an ordinary transfer's requests and responses. They must not change, because a new member would change
// the types that every partner generates. A new kind of order should get its own path instead.

type Json = { [member: string]: Json }
/** Members with their types; `?` marks a member that may be absent. */
type Form = Readonly<Record<string, string>>

const MODE = 'exact_in | exact_out'
const texts = (...names: string[]): Form =>
  Object.fromEntries(names.map((name) => [name, 'string']))
const under = (parent: string, form: Form): Form =>
  Object.fromEntries(Object.entries(form).map(([name, type]) => [`${parent}.${name}`, type]))

const PARTIES = texts('senderAddress', 'recipientAddress', 'feeRecipientAddress?')

/** The members of the quote object that the interface prescribes. */
const QUOTE: Form = {
  ...texts('sourceAssetId', 'destinationAssetId', 'amountIn', 'amountOut', 'fee', 'protocolFee'),
  ...texts('networkFee', 'min', 'max', 'quoteId', 'issuedAt', 'expiresAt'),
  ...{ mode: MODE, duration: 'integer', feeBreakdown: 'object' },
  ...texts('feeBreakdown.serviceFee', 'feeBreakdown.partnerFee', 'feeBreakdown.networkFee'),
}

/** The members that the interface prescribes. */
const STATED: Readonly<Record<string, Form>> = {
  'POST /transfer/v1/quote request': {
    ...texts('amount', 'sourceAssetId', 'destinationAssetId'),
    ...PARTIES,
    ...{ 'mode?': MODE, 'feeBps?': 'integer' },
  },
  'POST /transfer/v1/quote response': {
    success: 'true',
    quote: 'object',
    ...under('quote', QUOTE),
  },
  'POST /transfer/v1/order request': {
    ...{ 'X-Idempotency-Key?': 'string', quote: 'object', ...under('quote', QUOTE) },
    ...{ ...PARTIES, 'feeBps?': 'integer' },
  },
  'POST /transfer/v1/order response': {
    ...{ success: 'true', order: 'object' },
    ...under('order', {
      ...texts('trackingId', 'transaction', 'amountIn', 'amountOut', 'sourceSymbol'),
      ...texts('destinationSymbol', 'expiration'),
      ...{ transactionEncoding: 'base64', eta: 'integer', blockhashExpiresAtSlot: 'integer' },
    }),
  },
  'GET /transfer/v1/status/{trackingId} request': { trackingId: 'string' },
  'GET /transfer/v1/status/{trackingId} response': {
    order: 'object',
    'order.status':
      'awaiting_deposit | awaiting_signature | deposited | delivering | delivered | refunding | refunded | expired',
    'order.final': 'boolean',
  },
}

const BALANCE: Form = {
  ...{ 'balanceKey?': 'string', 'balanceSeconds?': 'integer', 'autoReturn?': 'boolean' },
}
const CHAIN_EVENT: Form = {
  ...texts('at', 'assetId', 'reason?'),
  ...{ signature: 'string | null', slot: 'integer | null', amount: 'string | null' },
}

/** Members that this service adds to the prescribed ones. `quote` has no added members. */
const ADDED: Readonly<Record<keyof typeof STATED, Form>> = {
  'POST /transfer/v1/quote request': {
    ...{ 'minDelaySeconds?': 'integer', 'maxDelaySeconds?': 'integer' },
    ...{ ...BALANCE, 'balance?': 'string' },
    ...{ 'minCrowd?': 'integer', 'crowdMissed?': 'refund | deliver' },
  },
  'POST /transfer/v1/quote response': {
    ...{ privacy: 'object', 'privacy.anonymitySet': 'integer', 'privacy.windowSeconds': 'integer' },
    ...{ 'privacy.suggestedAmounts': 'array', 'privacy.suggestedAmounts[]': 'string' },
    ...{ 'linkProbability?': 'string', 'waitingHelps?': 'boolean' },
    ...{ 'recipientPaidBefore?': 'boolean', 'byAmount?': 'object' },
    ...{ 'byAmount.anonymitySet': 'integer', 'byAmount.linkProbability': 'string' },
    'byAmount.waitingHelps': 'boolean',
    ...{ 'suggestions?': 'array', 'suggestions[]': 'object' },
    ...{ 'rate?': 'string', senderMustHold: 'object' },
    ...texts('senderMustHold.native', 'senderMustHold.source'),
  },
  'POST /transfer/v1/order request': { ...BALANCE, 'reference?': 'string' },
  'POST /transfer/v1/order response': under('order', {
    ...texts('payableUntil?', 'deliverBy', 'recovery'),
    lastValidBlockHeight: 'integer',
  }),
  'GET /transfer/v1/status/{trackingId} request': {},
  'GET /transfer/v1/status/{trackingId} response': {
    success: 'true',
    ...under('order', {
      ...texts('trackingId', 'sourceAssetId', 'destinationAssetId', 'amountIn', 'amountOut'),
      ...texts('createdAt', 'updatedAt', 'expiration', 'payableUntil?', 'deliverBy', 'reference?'),
      ...{ eta: 'integer', nextAction: 'sign | refresh | wait | none' },
      ...{ deposit: 'object | null', ...under('deposit', CHAIN_EVENT) },
      ...{ delivery: 'object | null', ...under('delivery', CHAIN_EVENT) },
      ...{ refund: 'object | null', ...under('refund', CHAIN_EVENT) },
      ...{ 'payment?': 'object', 'payment.leafIndex': 'integer' },
      ...under('payment', texts('payee', 'payout', 'fee', 'change', 'validUntil')),
      'linkProbability?': 'string',
      ...{ 'recoveryProof?': 'object', 'recoveryProof.leafIndex': 'integer' },
      ...{ 'recoveryProof.path': 'array', 'recoveryProof.path[]': 'string' },
      'recoveryProof.checkpoint': 'string',
    }),
  },
}

const calls = Object.keys(STATED)

/** The members of a request or a response in the document. A generator makes a client's types from them. */
function formOf(document: Json, call: string): Form {
  const [method = '', path = '', side] = call.split(' ')
  const operation = document['paths']![path]![method.toLowerCase()]!
  const media = side === 'request' ? operation['requestBody'] : operation['responses']!['200']
  const schema = media?.['content']!['application/json']!['schema']
  const parameters = (side === 'request'
    ? (operation['parameters'] ?? [])
    : []) as unknown as Json[]
  const named = parameters.map(({ name, required, schema: one }) => {
    const mark = (required as unknown) === true ? '' : '?'
    return [`${String(name)}${mark}`, typeOf(resolved(document, one!))]
  })
  return {
    ...Object.fromEntries(named),
    ...(schema === undefined ? {} : membersOf(document, '', schema)),
  }
}

function resolved(document: Json, schema: Json): Json {
  const reference = schema['$ref'] as unknown as string | undefined
  const name = reference?.split('/').at(-1)
  return name === undefined ? schema : document['components']!['schemas']![name]!
}

const formsOf = (schema: Json) =>
  (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf'] ?? [schema]) as unknown as Json[]

function typeOf(schema: Json): string {
  if ('const' in schema) return String(schema['const'])
  const values = schema['enum'] as unknown as string[] | undefined
  return values?.join(' | ') ?? [schema['type'] ?? 'any'].flat().join(' | ')
}

/**
 * The members of a schema, and the members of its members. If a schema has several forms, each member's name contains
 * the number of its form.
 */
function membersOf(document: Json, place: string, schema: Json): Form {
  const forms = formsOf(resolved(document, schema)).map((one) => resolved(document, one))
  const objects = forms.filter((one) => one['properties'] !== undefined)
  const found: Record<string, string> = {}
  for (const [index, form] of objects.entries()) {
    const required = (form['required'] ?? []) as unknown as string[]
    const parent = objects.length === 1 ? place : `${place}#${index}`
    for (const [name, member] of Object.entries(form['properties']!)) {
      const own = parent === '' ? name : `${parent}.${name}`
      const types = formsOf(resolved(document, member)).map((one) =>
        typeOf(resolved(document, one)),
      )
      found[`${own}${required.includes(name) ? '' : '?'}`] = types.join(' | ')
      Object.assign(found, membersOf(document, own, member))
      const items = resolved(document, member)['items']
      if (items !== undefined) found[`${own}[]`] = typeOf(resolved(document, items))
    }
  }
  return found
}

const copy = () => JSON.parse(JSON.stringify(openApiDocument())) as Json

it.each(calls)('%s of a transfer has exactly the prescribed and the added members', (call) => {
  expect(formOf(copy(), call)).toEqual({ ...STATED[call], ...ADDED[call] })
})

it('an added member is optional in a request and never part of a quote', () => {
  for (const [call, form] of Object.entries(ADDED)) {
    const names = Object.keys(form)
    if (call.endsWith('request')) expect(names.filter((name) => !name.endsWith('?'))).toEqual([])
    expect(names.filter((name) => name.startsWith('quote.'))).toEqual([])
  }
})

it.each<[string, (document: Json) => void]>([
  [
    'a second form of an answer',
    (document) => {
      const answer = document['paths']!['/transfer/v1/order']!['post']!['responses']!['200']!
      const media = answer['content']!['application/json']!
      const other = { $ref: '#/components/schemas/PaymentOrderResponse' } as unknown as Json
      media['schema'] = { anyOf: [media['schema'], other] } as unknown as Json
    },
  ],
  [
    'a new member',
    (document) => {
      const members = document['components']!['schemas']!['Order']!['properties']!
      members['memo'] = { type: 'string' } as unknown as Json
    },
  ],
  [
    'a member that may now be absent',
    (document) => {
      const order = document['components']!['schemas']!['Order']!
      order['required'] = [] as unknown as Json
    },
  ],
  [
    'a new status',
    (document) => {
      const members = document['components']!['schemas']!['OrderStatus']!['properties']!
      ;(members['status']!['enum'] as unknown as string[]).push('lost')
    },
  ],
])('a comparison of the forms detects %s', (_name, change) => {
  const [before, changed] = [copy(), copy()]
  change(changed)
  const differing = calls.filter(
    (call) => JSON.stringify(formOf(before, call)) !== JSON.stringify(formOf(changed, call)),
  )
  expect(differing).toHaveLength(1)
})
