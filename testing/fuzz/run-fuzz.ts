import fc from 'fast-check'
import { fetchDocument } from '../openapi/read-document.ts'
import { checkAnswer, type CheckContext } from './check-answer.ts'
import { Connection } from './connection.ts'
import { curlOf } from './curl.ts'
import { anyRequest } from './draw-request.ts'
import { foundRequests } from './found-requests.ts'
import type { FuzzAnswer, FuzzRequest } from './fuzz-request.ts'
import { Memory } from './memory.ts'
import type { FuzzTarget } from './target.ts'

/** Minimum share of all requests that must succeed. With fewer successes, a run would mostly test refusals. */
export const SUCCESS_SHARE_MIN = 0.2
/**
 * Minimum share of unbroken requests that must succeed. The service refuses some unbroken requests because of their
 * amounts or because of a limit.
 */
export const WHOLE_SHARE_MIN = 0.6
const COMPLAINTS_MAX = 20
/**
 * A request's index is multiplied by this factor and added to the seed. The factor is large and odd, so that runs with
 * neighbouring seeds send different requests.
 */
const STRIDE = 0x9e3779b1

export interface FuzzOptions {
  readonly requests: number
  readonly seed: number
  readonly onProgress?: (done: number, complaints: number) => void
}

export interface Complaint {
  /** Index of the request in the run. */
  readonly index: number
  readonly kind: string
  readonly problems: readonly string[]
  readonly status: number | undefined
  readonly curl: string
}

export interface Kind {
  sent: number
  succeeded: number
}

export interface FuzzReport {
  readonly seed: number
  readonly requests: number
  readonly statuses: Readonly<Record<string, number>>
  readonly kinds: Readonly<Record<string, Kind>>
  readonly codes: Readonly<Record<string, number>>
  readonly successShare: number
  readonly wholeShare: number
  readonly complaints: readonly Complaint[]
  readonly complained: number
}

class Tally {
  readonly statuses: Record<string, number> = {}
  readonly codes: Record<string, number> = {}
  readonly kinds: Record<string, Kind> = {}
  readonly complaints: Complaint[] = []
  complained = 0
  whole: Kind = { sent: 0, succeeded: 0 }

  count(request: FuzzRequest, answer: FuzzAnswer | undefined): void {
    const status = String(answer?.status ?? 'ended')
    this.statuses[status] = (this.statuses[status] ?? 0) + 1
    const code = /"code":"([A-Z_]+)"/.exec(answer?.text ?? '')?.[1]
    if (code !== undefined) this.codes[code] = (this.codes[code] ?? 0) + 1
    const kind = (this.kinds[request.kind] ??= { sent: 0, succeeded: 0 })
    for (const one of request.isMeantToSucceed ? [kind, this.whole] : [kind]) {
      one.sent += 1
      if (status === '200') one.succeeded += 1
    }
  }
}

/** Sends requests, and compares every answer with the OpenAPI document of the service. */
export async function runFuzz(target: FuzzTarget, options: FuzzOptions): Promise<FuzzReport> {
  const document = await fetchDocument(target.baseUrl)
  const context: CheckContext = { document, secrets: secretsOf(target) }
  const memory = new Memory()
  const tally = new Tally()
  const connection = new Connection(target.baseUrl)
  const found = foundRequests(target)
  try {
    for (let index = 0; index < options.requests; index += 1) {
      const seed = (options.seed + index * STRIDE) | 0
      const request =
        found[index] ?? fc.sample(anyRequest(document, target, memory), { seed, numRuns: 1 })[0]!
      const answer = await connection.exchange(request)
      const problems = checkAnswer(context, request, answer)
      tally.count(request, answer)
      if (answer !== undefined && problems.length === 0) memory.learn(request, answer)
      if (problems.length > 0) {
        tally.complained += 1
        if (tally.complaints.length < COMPLAINTS_MAX) {
          const curl = curlOf(target.baseUrl, request)
          const { status } = answer ?? { status: undefined }
          tally.complaints.push({ index, kind: request.kind, problems, status, curl })
        }
      }
      options.onProgress?.(index + 1, tally.complained)
    }
  } finally {
    connection.close()
  }
  return reportOf(options, tally)
}

/** Texts that no error response may contain: users' addresses, and keys. */
const secretsOf = ({ keys, badKeys, senders, recipients, partner }: FuzzTarget): string[] => [
  ...Object.values(keys),
  ...badKeys,
  ...senders,
  ...recipients,
  partner,
]

const shareOf = ({ sent, succeeded }: Kind): number => (sent === 0 ? 0 : succeeded / sent)

function reportOf({ seed, requests }: FuzzOptions, tally: Tally): FuzzReport {
  const { statuses, codes, kinds, complaints, complained, whole } = tally
  const successShare = shareOf({ sent: requests, succeeded: statuses['200'] ?? 0 })
  const wholeShare = shareOf(whole)
  return {
    ...{ seed, requests, statuses, codes, kinds, successShare, wholeShare },
    ...{ complaints, complained },
  }
}

/** The error if too few requests succeeded; otherwise undefined. */
export function tooFew({ successShare, wholeShare }: FuzzReport): string | undefined {
  const percent = (share: number) => `${(share * 100).toFixed(0)} %`
  if (successShare < SUCCESS_SHARE_MIN) {
    return `only ${percent(successShare)} of the requests succeeded; at least ${percent(SUCCESS_SHARE_MIN)} must`
  }
  if (wholeShare < WHOLE_SHARE_MIN) {
    return `only ${percent(wholeShare)} of the unbroken requests succeeded; at least ${percent(WHOLE_SHARE_MIN)} must`
  }
  return undefined
}
