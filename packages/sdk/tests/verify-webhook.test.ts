import { WebhookEvent } from '@sotto/contract'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from '../server.ts'

const NOW_MS = 1_795_267_490_000
const host = { nowMs: () => NOW_MS }
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const ID = 'evt_AAECAwQFBgcICQoLDA0ODw_5'
const DATA = { trackingId: 'tr_AAECAwQFBgcICQoLDA0ODw', status: 'delivered', final: true }
const BODY = JSON.stringify({
  ...{ type: 'order.delivered', timestamp: '2026-11-21T13:24:50.000Z' },
  data: { ...DATA, sequence: 5 },
})

/** A message that the independent library of Standard Webhooks has signed. */
function message(changes: { secret?: string; atMs?: number; body?: string } = {}) {
  const { secret = SECRET, atMs = NOW_MS, body = BODY } = changes
  const signature = new Webhook(secret).sign(ID, new Date(atMs), body)
  const headers: Record<string, string> = {
    ...{ 'webhook-id': ID, 'webhook-timestamp': `${Math.floor(atMs / 1_000)}` },
    'webhook-signature': signature,
  }
  return { headers, body }
}

const problemOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'verified',
    (error: unknown) => (error instanceof WebhookVerificationError ? error.problem : error),
  )

describe('a message that the library of Standard Webhooks has signed', () => {
  it.each([
    ['headers of Node', message().headers],
    ['headers of fetch', new Headers(message().headers)],
    [
      'headers in capitals',
      Object.fromEntries(Object.entries(message().headers).map(([k, v]) => [k.toUpperCase(), v])),
    ],
  ])('is verified, with its event: %s', async (_name, headers) => {
    const verified = await verifyWebhook(headers, BODY, SECRET, { host })
    expect(verified).toEqual({ id: ID, type: 'order.delivered', event: JSON.parse(BODY) })
    const bytes = new TextEncoder().encode(BODY)
    expect(await verifyWebhook(headers, bytes, SECRET, { host })).toEqual(verified)
  })

  it('is verified with the old and with the new secret during a rotation', async () => {
    const { headers, body } = message()
    const both = `${message({ secret: OTHER }).headers['webhook-signature']} ${headers['webhook-signature']}`
    for (const secret of [SECRET, OTHER, [SECRET, OTHER], [OTHER, SECRET]]) {
      const signed = { ...headers, 'webhook-signature': both }
      expect(await problemOf(verifyWebhook(signed, body, secret, { host }))).toBe('verified')
    }
    expect(await problemOf(verifyWebhook(headers, body, [OTHER, SECRET], { host }))).toBe(
      'verified',
    )
  })

  it('is verified without an event if its type is unknown', async () => {
    const { headers, body } = message({ body: '{"type":"order.adopted","data":{}}' })
    expect(await verifyWebhook(headers, body, SECRET, { host })).toEqual({
      ...{ id: ID, type: 'order.adopted', event: undefined },
    })
  })

  it.each(WebhookEvent.options.map((kind) => [kind.shape.type.value]))(
    'has an event for every type in the contract: %s',
    async (type) => {
      const { headers, body } = message({ body: JSON.stringify({ type }) })
      expect((await verifyWebhook(headers, body, SECRET, { host })).event?.type).toBe(type)
    },
  )
})

describe('verifyWebhook', () => {
  it.each([
    ['a forged delivery', 'signature', message({ secret: OTHER })],
    ['a changed body', 'signature', { ...message(), body: BODY.replace('delivered', 'deliverex') }],
    ['a body with an additional space', 'signature', { ...message(), body: `${BODY} ` }],
    ['a message that is sent again too late', 'too_old', message({ atMs: NOW_MS - 301_000 })],
    ['a message dated ahead', 'too_new', message({ atMs: NOW_MS + 301_000 })],
    ['a signed message that is not JSON', 'body', message({ body: 'gone' })],
    ['a signed message that has no type', 'body', message({ body: '{"type":1}' })],
  ])('refuses %s', async (_name, problem, { headers, body }) => {
    expect(await problemOf(verifyWebhook(headers, body, SECRET, { host }))).toBe(problem)
  })

  it.each([
    ['webhook-id', 'evt_AAECAwQFBgcICQoLDA0ODw_2', 'signature'],
    ['webhook-timestamp', `${NOW_MS / 1_000 + 1}`, 'signature'],
    ['webhook-timestamp', 'now', 'header'],
    ['webhook-timestamp', '-1', 'header'],
    ['webhook-signature', '', 'header'],
    ['webhook-signature', 'v1,', 'signature'],
    ['webhook-signature', 'v1,?', 'signature'],
    ['webhook-signature', 'v1', 'signature'],
    [
      'webhook-signature',
      message().headers['webhook-signature']!.replace('v1,', 'v2,'),
      'signature',
    ],
  ])('refuses a message with the header %s %s', async (name, value, problem) => {
    const { headers, body } = message()
    const changed = { ...headers, [name]: value }
    expect(await problemOf(verifyWebhook(changed, body, SECRET, { host }))).toBe(problem)
  })

  it('refuses a message with a missing or duplicated header', async () => {
    const { headers, body } = message()
    for (const name of Object.keys(headers)) {
      const { [name]: value, ...less } = headers
      expect(await problemOf(verifyWebhook(less, body, SECRET, { host }))).toBe('header')
      const twice = { ...headers, [name]: [value!, value!] }
      expect(await problemOf(verifyWebhook(twice, body, SECRET, { host }))).toBe('header')
    }
  })

  it('refuses parsed JSON instead of bytes, and invalid secrets', async () => {
    const { headers, body } = message()
    const parsed = JSON.parse(body) as string
    expect(await problemOf(verifyWebhook(headers, parsed, SECRET, { host }))).toBe('body')
    const bytes = new Uint8Array([0xff])
    expect(await problemOf(verifyWebhook(headers, bytes, SECRET, { host }))).toBe('body')
    for (const secret of ['', 'whsec_', SECRET.slice(6), 'whsec_?', 'whsec_AAAA', []]) {
      expect(await problemOf(verifyWebhook(headers, body, secret, { host }))).toBe('secret')
    }
  })

  it('refuses a message whose valid signature follows eight invalid signatures', async () => {
    const { headers, body } = message()
    const noise = Array.from({ length: 8 }, () => 'v1,AAAA').join(' ')
    const buried = `${noise} ${headers['webhook-signature']}`
    const changed = { ...headers, 'webhook-signature': buried }
    expect(await problemOf(verifyWebhook(changed, body, SECRET, { host }))).toBe('signature')
  })

  it('refuses a message older than the chosen tolerance', async () => {
    const { headers, body } = message({ atMs: NOW_MS - 11_000 })
    const strict = { host, toleranceSeconds: 10 }
    expect(await problemOf(verifyWebhook(headers, body, SECRET, strict))).toBe('too_old')
    expect(await problemOf(verifyWebhook(headers, body, SECRET, { host }))).toBe('verified')
  })

  it.each([Number(undefined), -1])('accepts no message with the tolerance %s', async (wrong) => {
    const { headers, body } = message({ atMs: NOW_MS - 86_400_000 })
    const options = { host, toleranceSeconds: wrong }
    await expect(verifyWebhook(headers, body, SECRET, options)).rejects.toThrow(RangeError)
  })
})

// The last character of a base64 text has two unused bits. The library compares them too.
it('judges any text and signature as the library does', async () => {
  const now = Date.now()
  await fc.assert(
    fc.asyncProperty(fc.json(), fc.boolean(), fc.nat(47), async (text, isChanged, at) => {
      const body = JSON.stringify({ type: 'order.delivered', text })
      const { headers } = message({ body, atMs: now })
      const signature = headers['webhook-signature']!
      const turned = signature[at] === 'A' ? 'B' : 'A'
      const changed = signature.slice(0, at) + turned + signature.slice(at + 1)
      const tried = { ...headers, 'webhook-signature': isChanged ? changed : signature }
      const library = () => new Webhook(SECRET).verify(body, tried)
      const ours = await problemOf(verifyWebhook(tried, body, SECRET))
      if (ours === 'verified' && isChanged && at < 45) throw new Error(`accepted ${changed}`)
      if (ours === 'verified' && at < 45) expect(library).not.toThrow()
      if (ours !== 'verified') expect(library).toThrow()
    }),
    { numRuns: 300 },
  )
})
