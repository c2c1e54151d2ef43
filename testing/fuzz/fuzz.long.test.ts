import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTarget, type OpenedTarget } from './open-target.ts'
import { runFuzz, tooFew, type FuzzReport } from './run-fuzz.ts'

const REQUESTS = 120
const SEED = 7

let opened: OpenedTarget
beforeAll(async () => {
  opened = await openTarget()
})
afterAll(() => opened.close())

/** An answer of the service on its way through the proxy. The proxy may change it. */
interface Passing {
  readonly method: string
  readonly url: string
  readonly isKeyed: boolean
  status: number
  headers: Record<string, string>
  text: string
}

/** Runs the fuzzer against the service with one fault: a proxy forwards all requests and changes some answers. */
async function withFault(spoil: (answer: Passing) => void): Promise<FuzzReport> {
  const { target } = opened
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      void pass(method, url, headers as Record<string, string>, Buffer.concat(parts)).then(
        (answer) => send(response, answer, spoil),
        () => response.destroy(),
      )
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  try {
    return await runFuzz(
      { ...target, baseUrl: `http://127.0.0.1:${port}` },
      { requests: REQUESTS, seed: SEED },
    )
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function pass(
  method: string,
  url: string,
  sent: Record<string, string>,
  body: Buffer,
): Promise<Passing> {
  const kept = ['authorization', 'content-type', 'x-idempotency-key']
  const headers = Object.fromEntries(Object.entries(sent).filter(([name]) => kept.includes(name)))
  const response = await fetch(opened.target.baseUrl + url, {
    method,
    headers,
    ...(body.length === 0 ? {} : { body }),
  })
  const skipped = ['connection', 'keep-alive', 'content-length', 'transfer-encoding', 'date']
  return {
    ...{ method, url, status: response.status, isKeyed: 'authorization' in headers },
    headers: Object.fromEntries([...response.headers].filter(([name]) => !skipped.includes(name))),
    text: await response.text(),
  }
}

function send(response: ServerResponse, answer: Passing, spoil: (answer: Passing) => void): void {
  if (answer.url !== '/openapi.json') spoil(answer)
  const length = `${Buffer.byteLength(answer.text)}`
  response.writeHead(answer.status, { ...answer.headers, 'content-length': length })
  response.end(answer.text)
}

const problemsOf = ({ complaints }: FuzzReport): string =>
  complaints.flatMap(({ problems }) => problems).join('\n')

it('finds no problem in the unchanged service', async () => {
  const report = await runFuzz(opened.target, { requests: REQUESTS, seed: SEED })
  expect(report.complaints).toEqual([])
  expect(tooFew(report)).toBeUndefined()
  expect(report.requests).toBe(REQUESTS)
})

describe('the fuzzer finds', () => {
  it.each<[string, (answer: Passing) => void, RegExp]>([
    [
      'a status that is not documented',
      (one) => void (one.status === 422 && (one.status = 418)),
      /documents no 418/,
    ],
    [
      'an internal error of the service',
      (one) => void (one.status === 422 && (one.status = 500)),
      /500/,
    ],
    [
      'a member of another type',
      (one) => void (one.text = one.text.replace(/"amountIn":"(\d+)"/, '"amountIn":$1')),
      /amountIn must be string/,
    ],
    [
      'a member that is not documented',
      (one) => void (one.text = one.text.replace('"nextCursor"', '"extra":1,"nextCursor"')),
      /must NOT have additional properties/,
    ],
    [
      'an answer without a request id',
      (one) => void delete one.headers['x-request-id'],
      /no X-Request-Id/,
    ],
    [
      'a status other than 401 without a valid key',
      (one) => void (one.status === 401 && (one.status = 404)),
      /404 without a valid key/,
    ],
    [
      'an address in an error',
      (one) => {
        const { recipients } = opened.target
        if (one.status === 400) one.text = one.text.replace(/"message":"/, `$&${recipients[0]}: `)
      },
      /repeats an address or key/,
    ],
  ])('%s', async (_name, spoil, expected) => {
    const report = await withFault(spoil)
    expect(problemsOf(report)).toMatch(expected)
    expect(report.complaints[0]!.curl).toMatch(/^curl -i --path-as-is -X /)
    expect(JSON.stringify(report)).not.toContain(opened.target.keys.own)
  })

  it('that too few requests succeed', async () => {
    const report = await withFault((one) => {
      if (one.status === 200) one.status = 422
    })
    expect(tooFew(report)).toMatch(/only 0 %/)
  })
})
