import pino, { type DestinationStream } from 'pino'
import type { EventFacts, ServiceLog } from '../../ports/service-log.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import { requestLine } from '../fast/request-line.ts'
import { shownError } from './shown-error.ts'

/** Picks the only members that may be written. All others are dropped. */
function listed({ node, cluster, roles, requestId }: EventFacts): EventFacts {
  return {
    ...(node === undefined ? {} : { node }),
    ...(cluster === undefined ? {} : { cluster }),
    ...(roles === undefined ? {} : { roles }),
    ...(requestId === undefined ? {} : { requestId }),
  }
}

const REFUSED = 400

/**
 * True for a successful read. Successful reads aren't logged. A partner's polls and streams end with its order. Their
 * log lines contain time and key, so they would link the order's end on chain to the partner for as long as the log is
 * kept.
 */
const isAnsweredRead = (method: string, status: number): boolean =>
  method === 'GET' && status < REFUSED

/** Logs one JSON object on each line, with listed members only. */
export function pinoLog(level: string, destination: DestinationStream): ServiceLog & SettlementLog {
  const log = pino({ level, base: null }, destination)
  const info = log.levels.values['info']
  const isInfoWanted = log.isLevelEnabled('info')
  return {
    request: (entry) => {
      if (!isInfoWanted || isAnsweredRead(entry.method, entry.status)) return
      destination.write(requestLine(entry, info, pino.stdTimeFunctions.epochTime()))
    },
    failed: (step, error, requestId?: string) =>
      log.error({ step, requestId, error: shownError(error) }, 'failed'),
    event: (name, facts: EventFacts = {}) => log.info(listed(facts), name),
    alert: (code, pseudonym) => log.error({ alert: code, pseudonym }, 'alert'),
  }
}
