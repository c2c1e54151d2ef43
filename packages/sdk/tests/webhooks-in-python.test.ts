import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'

const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')
const [, program = ''] = /^```python\n([^]*?)^```$/m.exec(page) ?? []

const hasPython = spawnSync('python3', ['--version']).status === 0

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const ID = 'evt_AAECAwQFBgcICQoLDA0ODw_5'
const BODY = '{"type":"order.delivered","data":{"reference":"Löhne 7"}}'

/** The answers of the page's program to these messages. */
function judged(messages: readonly object[]): unknown {
  const run = `${program}
import json, sys
print(json.dumps([is_genuine(m["headers"], m["body"].encode(), m["secret"]) for m in json.load(sys.stdin)]))`
  const { stdout, stderr } = spawnSync('python3', ['-c', run], {
    input: JSON.stringify(messages),
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

// A machine without Python can't run the page's program; CI has it.
it.skipIf(!hasPython && process.env['CI'] === undefined)(
  'the page’s Python program accepts a message of Standard Webhooks, and nothing else',
  () => {
    const now = Date.now()
    const message = (changes: { at?: number; signedBy?: string[]; id?: string; body?: string }) => {
      const { at = now, signedBy = [SECRET], id = ID, body = BODY } = changes
      const signatures = signedBy.map((secret) => new Webhook(secret).sign(ID, new Date(at), BODY))
      const headers = {
        ...{ 'webhook-id': id, 'webhook-timestamp': `${Math.floor(at / 1_000)}` },
        'webhook-signature': signatures.join(' '),
      }
      return { headers, body, secret: SECRET }
    }
    const odd = message({})
    odd.headers['webhook-timestamp'] = '-1'
    const genuine = [message({}), message({ signedBy: [OTHER, SECRET] })]
    const wrong = [
      message({ signedBy: [OTHER] }),
      message({ body: BODY.replace('7', '8') }),
      message({ id: `${ID}1` }),
      message({ at: now - 3_600_000 }),
      message({ at: now + 3_600_000 }),
      odd,
    ]
    expect(judged(genuine)).toEqual(genuine.map(() => true))
    expect(judged(wrong)).toEqual(wrong.map(() => false))
  },
)
