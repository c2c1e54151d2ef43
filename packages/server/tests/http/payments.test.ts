import { errorsOf, OPERATIONS, type Payment } from '@sotto/contract'
import { amount, unixSeconds, type Note } from '@sotto/protocol'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { encodePlan } from '../../src/domain/order-secrets.ts'
import { makeWallet } from '../settlement/stack/wallet.ts'
import {
  balanceQuote,
  orderPayment,
  ownBalance,
  pay,
  paymentBody,
  sendSignature,
  siblingOf,
  signatureOf,
  toppedUpBalance,
} from './balance-client.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import {
  codeOf,
  countOrders,
  order,
  orderBody,
  placed,
  quoteOf,
  send,
  solSend,
} from './partner-client.ts'

let stack: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
})
afterAll(() => stack?.close())

const statusOf = async (trackingId: string) =>
  (await send(stack, 'GET', `/transfer/v1/status/${trackingId}`)).body['order'] as {
    status: string
    nextAction: string
  }

describe('a payment out of a balance', () => {
  it('is quoted with the fee for its gross amount', async () => {
    const balance = await ownBalance(stack)
    const quoted = await balanceQuote(stack, balance)
    // The fee is ceil(100,000,000 * 20 / 10^4) + 100,000.
    expect(quoted.body['quote']).toMatchObject({
      ...{ amountIn: '100000000', amountOut: '99700000', fee: '300000', max: '500000000' },
      feeBreakdown: { serviceFee: '200000', partnerFee: '0', networkFee: '100000' },
    })
    expect(quoted.body).toMatchObject({
      ...{ senderMustHold: { native: '0', source: '0' }, recipientPaidBefore: false },
    })
    const { order: made } = await orderPayment(stack, balance, { mode: 'exact_out' })
    const { payment } = made
    expect([payment.payout, made.amountOut]).toEqual(['100000000', '100000000'])
    expect(BigInt(payment.payout) + BigInt(payment.fee) + BigInt(payment.change)).toBe(500_000_000n)
    expect(Date.parse(payment.validUntil) % 600_000).toBe(0)
    expect(made).not.toHaveProperty('transaction')
    expect(await statusOf(made.trackingId)).toMatchObject({
      ...{ status: 'awaiting_signature', nextAction: 'sign', final: false, payment },
    })
  })

  it('may be signed repeatedly with the same signature', async () => {
    const balance = await ownBalance(stack)
    const { order: made } = await orderPayment(stack, balance)
    const signature = signatureOf(stack, balance, made.payment)
    for (let times = 0; times < 3; times += 1) {
      const answer = await sendSignature(stack, made.trackingId, signature)
      expect(answer.status).toBe(200)
      expect(answer.body['order']).toMatchObject({ status: 'delivering', nextAction: 'wait' })
    }
    const { body } = await send(stack, 'GET', '/transfer/v1/orders?limit=1')
    expect(body['orders']).toMatchObject([{ trackingId: made.trackingId, status: 'delivering' }])
    const wrong = { ...signature, changeNk: '0'.repeat(64) }
    expect(codeOf(await sendSignature(stack, made.trackingId, wrong))).toBe('SIGNATURE_INVALID')
  })

  it('is not listed while the key of its hour cannot be read', async () => {
    const { order: made } = await orderPayment(stack, await ownBalance(stack))
    const idsOf = async () => {
      const { status, body } = await send(stack, 'GET', '/transfer/v1/orders?limit=100')
      expect(status).toBe(200)
      return (body['orders'] as { trackingId: string }[]).map(({ trackingId }) => trackingId)
    }
    const before = await idsOf()
    expect(before).toContain(made.trackingId)
    const { order: sent } = await placed(stack, solSend(stack))
    const read = vi.spyOn(stack.secrets, 'read').mockRejectedValue(new Error('damaged'))
    const during = await idsOf()
    read.mockRestore()
    expect(during).toContain(sent.trackingId)
    expect(during).not.toContain(made.trackingId)
    expect(await idsOf()).toEqual(expect.arrayContaining(before))
  })

  it.each<[string, (payment: Payment) => Partial<Payment>]>([
    ['payee', () => ({ payee: makeWallet().address })],
    ['payout', ({ payout }) => ({ payout: `${BigInt(payout) + 1n}` })],
    ['fee', ({ fee }) => ({ fee: `${BigInt(fee) - 1n}` })],
    ['change', ({ change }) => ({ change: `${BigInt(change) + 1n}` })],
    ['leaf index', ({ leafIndex }) => ({ leafIndex: leafIndex + 1 })],
    [
      'end',
      ({ validUntil }) => ({
        validUntil: new Date(Date.parse(validUntil) + 600_000).toISOString(),
      }),
    ],
  ])('is not made with a signature of another %s', async (_name, change) => {
    const balance = await ownBalance(stack)
    const { order: made } = await orderPayment(stack, balance)
    const other = signatureOf(stack, balance, { ...made.payment, ...change(made.payment) })
    expect(codeOf(await sendSignature(stack, made.trackingId, other))).toBe('SIGNATURE_INVALID')
    expect((await statusOf(made.trackingId)).status).toBe('awaiting_signature')
  })

  it.each<[string, (note: Note) => Partial<Note>]>([
    ['key', ({ nk }) => ({ nk: nk + 1n })],
    ['asset', () => ({ mint: stack.usdc })],
    ['sender', () => ({ sender: makeWallet().address })],
    ['deadline', ({ deadline }) => ({ deadline: unixSeconds(deadline + 600n) })],
    ['expiry', ({ expiry }) => ({ expiry: unixSeconds(expiry + 600n) })],
    ['value', ({ value }) => ({ value: amount(value + 1n) })],
  ])('is not made with its owner’s signature for a note with another %s', async (name, change) => {
    const balance = await ownBalance(stack)
    const { order: made } = await orderPayment(stack, balance)
    const note = { ...balance.note, ...change(balance.note) }
    const left = BigInt(made.payment.change) + note.value - balance.note.value
    const other = signatureOf(stack, { ...balance, note }, { ...made.payment, change: `${left}` })
    // The owner's signature covers the nullifier and the change's leaf. The nullifier depends on the note's key, and
    // the leaf depends on all other members.
    expect([name, codeOf(await sendSignature(stack, made.trackingId, other))]).toEqual([
      name,
      'SIGNATURE_INVALID',
    ])
    expect((await statusOf(made.trackingId)).status).toBe('awaiting_signature')
  })

  it('is not made with an invalid signature', async () => {
    const balance = await ownBalance(stack)
    const { order: made } = await orderPayment(stack, balance)
    const own = signatureOf(stack, balance, made.payment)
    const stranger = signatureOf(stack, { ...balance, secret: balance.secret + 1n }, made.payment)
    const { signature } = own
    const order =
      2_736_030_358_979_909_402_780_800_718_157_159_386_076_813_972_158_567_259_200_215_660_948_447_373_041n
    const beyond = (BigInt(`0x${signature.S}`) + order).toString(16).padStart(64, '0')
    for (const wrong of [
      stranger,
      { ...own, changeNk: stranger.changeNk },
      { ...own, changeNk: 'f'.repeat(64) },
      { ...own, signature: { ...signature, S: beyond } },
      { ...own, signature: { ...signature, R8x: signature.R8y } },
      { ...own, signature: { S: '0'.repeat(64), R8x: '0'.repeat(64), R8y: '0'.repeat(64) } },
    ]) {
      expect(codeOf(await sendSignature(stack, made.trackingId, wrong))).toBe('SIGNATURE_INVALID')
    }
    expect((await sendSignature(stack, made.trackingId, own)).status).toBe(200)
  })

  it('is made once if many payments are ordered out of one note at the same time', async () => {
    const balance = await ownBalance(stack)
    const quotes = await Promise.all([1, 2, 3, 4].map(() => balanceQuote(stack, balance)))
    const answers = await Promise.all(
      quotes.map((quoted) => pay(stack, paymentBody(quoted, quoted.request))),
    )
    const codes = answers.map((answer) => codeOf(answer) ?? 'made').sort()
    expect(codes).toEqual(['NOTE_IN_USE', 'NOTE_IN_USE', 'NOTE_IN_USE', 'made'])
    // The payment that was made ends ten to twenty minutes from now, by the chain's clock.
    for (const refused of answers.filter((answer) => codeOf(answer) !== undefined)) {
      const seconds = Number(refused.headers.get('retry-after'))
      expect([seconds > 590, seconds <= 1_201]).toEqual([true, true])
    }
  })

  it('is not signed if another live payment leaves the same change', async () => {
    const one = await ownBalance(stack)
    const other = await siblingOf(stack, one)
    const [{ order: first }, { order: second }] = [
      await orderPayment(stack, one),
      await orderPayment(stack, other),
    ]
    const signature = signatureOf(stack, one, first.payment)
    const same = signatureOf(stack, other, second.payment, signature.changeNk)
    const answers = await Promise.all([
      sendSignature(stack, first.trackingId, signature),
      sendSignature(stack, second.trackingId, same),
    ])
    const refused = answers.filter((answer) => codeOf(answer) !== undefined)
    expect(refused.map(codeOf)).toEqual(['NOTE_IN_USE'])
    const seconds = Number(refused[0]!.headers.get('retry-after'))
    expect([seconds > 580, seconds <= 1_201]).toEqual([true, true])
    // The refused payment can still be signed with another change, and the other payment keeps its status.
    const [signed, open] = codeOf(answers[0]) === undefined ? [first, second] : [second, first]
    const [own, from] = open === second ? [same, other] : [signature, one]
    const tracked = async ({ trackingId }: typeof first) => (await statusOf(trackingId)).status
    expect([await tracked(signed), await tracked(open)]).toEqual([
      'delivering',
      'awaiting_signature',
    ])
    expect(codeOf(await sendSignature(stack, open.trackingId, own))).toBe('NOTE_IN_USE')
    const fresh = signatureOf(stack, from, open.payment, '5'.padStart(64, '0'))
    expect((await sendSignature(stack, open.trackingId, fresh)).status).toBe(200)
  })

  it('is not made out of a note that a payment of the service has spent', async () => {
    const { balance, ticket, orderId, epoch } = await toppedUpBalance(stack)
    const quoted = await balanceQuote(stack, balance, { balance: ticket })
    const body = paymentBody(quoted, quoted.request)
    const secrets = (await stack.secrets.read(epoch))!
    const { deadline, expiry } = balance.note
    const left = { nk: 8n, value: amount(1n), leafIndex: 1_000_000, deadline, expiry }
    const plan = secrets.seal(orderId, 'plan', encodePlan({ deliverAtMs: 0, note: left }))
    await stack.database.query('UPDATE orders SET sealed_plan = $2 WHERE id = $1', [orderId, plan])
    expect(codeOf(await pay(stack, body))).toBe('NOTE_IN_USE')
  })

  it('is the same payment if its request is sent again', async () => {
    const balance = await ownBalance(stack)
    const { body, answer } = await orderPayment(stack, balance)
    const again = await pay(stack, body)
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([answer.text, 'true'])
    const quoted = await balanceQuote(stack, await ownBalance(stack))
    const swapped = { ...paymentBody(quoted, quoted.request), balance: body['balance'] }
    expect(codeOf(await pay(stack, swapped))).toBe('QUOTE_MISMATCH')
  })

  it('is ordered only with POST /payment', async () => {
    const quoted = await balanceQuote(stack, await ownBalance(stack))
    const payment = paymentBody(quoted, quoted.request)
    const { balance, ...rest } = payment
    const transfer = solSend(stack)
    const transferBody = orderBody((await quoteOf(stack, transfer)).quote, transfer)
    const before = await countOrders(stack)
    for (const [path, body, refusal, param, other] of [
      ['order', payment, 'INVALID_REQUEST', 'balance', 'payment'],
      // The quote can't be verified without the balance.
      ['order', rest, 'QUOTE_MISMATCH', 'quote', 'payment'],
      ['payment', transferBody, 'INVALID_REQUEST', 'balance', 'order'],
      ['payment', { ...transferBody, balance }, 'INVALID_REQUEST', 'quote', 'order'],
    ] as const) {
      const answer = await send(stack, 'POST', `/transfer/v1/${path}`, { body })
      const { code, issues } = answer.body as {
        code: string
        issues: readonly { param: string; message: string }[]
      }
      expect([path, code, issues.map((issue) => issue.param)]).toEqual([path, refusal, [param]])
      expect(issues[0]!.message).toContain(`POST /transfer/v1/${other}`)
    }
    expect(await countOrders(stack)).toBe(before)
    // The refusals didn't use up either quote.
    expect((await pay(stack, payment)).status).toBe(200)
    expect((await order(stack, transferBody)).status).toBe(200)
  })

  it('shares its idempotency keys with the orders of the account', async () => {
    const quoted = await balanceQuote(stack, await ownBalance(stack))
    const body = paymentBody(quoted, quoted.request)
    const transfer = solSend(stack)
    const transferBody = orderBody((await quoteOf(stack, transfer)).quote, transfer)
    const headers = { 'x-idempotency-key': 'one key for both' }
    const path = '/transfer/v1/payment'
    const made = await send(stack, 'POST', path, { body, headers })
    expect([made.status, made.headers.get('idempotent-replayed')]).toEqual([200, 'false'])
    const again = await send(stack, 'POST', path, { body, headers })
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([made.text, 'true'])
    const conflict = await order(stack, transferBody, 'one key for both')
    expect(codeOf(conflict)).toBe('IDEMPOTENCY_CONFLICT')
  })

  it('is not quoted for another sender or asset, or with members of a transfer', async () => {
    const balance = await ownBalance(stack)
    const codes = async (change: object) => codeOf(await balanceQuote(stack, balance, change))
    expect(await codes({ minDelaySeconds: 1, maxDelaySeconds: 1 })).toBe('INVALID_REQUEST')
    expect(await codes({ senderAddress: makeWallet().address })).toBe('INVALID_REQUEST')
    const share = { feeBps: 10, feeRecipientAddress: stack.partner.address }
    expect(await codes(share)).toBe('INVALID_REQUEST')
    for (const topUp of [{ balanceSeconds: 86_400 }, { autoReturn: false }]) {
      const { body } = await balanceQuote(stack, balance, topUp)
      expect([body['code'], body['param']]).toEqual(['INVALID_REQUEST', ...Object.keys(topUp)])
    }
    expect(await codes({ destinationAssetId: stack.usdc })).toBe('UNSUPPORTED_ASSET')
    expect(await codes({ balance: `sotto2_${'A'.repeat(276)}` })).toBe('INVALID_REQUEST')
  })

  it('is refused with a documented error while the wallets that pay for deliveries are low', async () => {
    const report = async (isLiquid: boolean) => {
      const text = 'UPDATE health SET is_liquid = $1, liquid_at = $2'
      await stack.database.query(text, [isLiquid, new Date()])
      await stack.market.refresh()
    }
    const quoted = await balanceQuote(stack, await ownBalance(stack))
    await report(false)
    const refused = await pay(stack, paymentBody(quoted, quoted.request))
    await report(true)
    expect([refused.status, codeOf(refused)]).toEqual([503, 'LIQUIDITY_UNAVAILABLE'])
    expect(errorsOf(OPERATIONS.createPayment)).toContain('LIQUIDITY_UNAVAILABLE')
  })
})
