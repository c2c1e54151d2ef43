import { OrderRefusedError, SubmissionError, type WireSigner } from '@sotto/sdk/wallet'
import { describe, expect, it } from 'vitest'
import { askedWallet } from './asked-wallet.ts'
import { explainBalance } from './balance/balance-problems.ts'
import { explain, WalletMissingError } from './problems.ts'

const address = 'SysvarC1ock11111111111111111111111111111111' as WireSigner['address']
const DECLINED = Object.assign(new Error('User rejected the request.'), { code: 4_001 })
const UNPAID = /nothing was (paid|signed)|has not been signed/i

const failing = (error: unknown) => async () => Promise.reject(error)
const errorOf = (asked: Promise<unknown>) => asked.then(undefined, (error: unknown) => error)
const wire = new Uint8Array()

async function signingError(error: unknown): Promise<unknown> {
  const signer = askedWallet({ address, signWire: failing(error) })
  return 'signWire' in signer ? errorOf(signer.signWire(wire)) : undefined
}

async function sendingError(error: unknown): Promise<unknown> {
  const signer = askedWallet({ address, sendWire: failing(error) })
  return 'sendWire' in signer ? errorOf(signer.sendWire(wire)) : undefined
}

const OTHERS = [
  new TypeError('cancelled'),
  new Error('HTTP error (403): Access denied'),
  new Error('request cancelled because the session expired'),
]

describe.each([
  ['transfer', explain],
  ['top-up', explainBalance],
])('a %s whose wallet failed', (_name, explained) => {
  it('counts as unpaid if the person declined in a wallet that sends nothing', async () => {
    expect(explained(await signingError(DECLINED), 'signing').text).toMatch(
      /this transaction pays nothing/,
    )
  })

  it('does not count as unpaid if the wallet may have sent the payment', async () => {
    const { title, text, nextStep } = explained(await sendingError(DECLINED), 'signing')
    expect(`${title} ${text} ${nextStep}`).not.toMatch(UNPAID)
    expect(text).toContain('not known yet')
  })

  it.each(OTHERS)('does not count as declined if the wallet reports: $message', async (error) => {
    for (const failed of [await signingError(error), await sendingError(error)]) {
      const { title, text, nextStep } = explained(failed, 'signing')
      expect(`${title} ${text} ${nextStep}`).not.toMatch(/you declined|nothing was paid/i)
      expect(text).toContain('not known yet')
    }
  })

  it.each(OTHERS)('does not count as declined if something else reports: $message', (error) => {
    const { title, text, nextStep } = explained(error, 'signing')
    expect(`${title} ${text} ${nextStep}`).not.toMatch(/declined|nothing was paid/i)
  })
})

describe('a transfer', () => {
  it('does not count as unpaid if the node refuses its transaction because the order exists', () => {
    const error = new SubmissionError('the order exists', 'resume: the order is already paid')
    expect(explain(error, 'submitting').text).not.toMatch(UNPAID)
  })

  it('does not count as unsigned if the page was reloaded while the wallet was asked', () => {
    for (const explained of [explain, explainBalance]) {
      expect(explained(new WalletMissingError('x'), 'signing').text).not.toMatch(UNPAID)
      expect(explained(new WalletMissingError('x'), 'quoted').text).toContain('not been signed')
    }
  })

  it('does not count as unsigned if a later order is refused', () => {
    const refused = new OrderRefusedError([{ code: 'amount_in', message: 'differs' }])
    for (const step of ['signing', 'refreshing'] as const) {
      expect(explain(refused, step).text).not.toMatch(UNPAID)
    }
    expect(explain(refused, 'ordered').text).toContain('nothing was paid')
  })
})
