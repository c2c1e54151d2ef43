import pino, { type DestinationStream } from 'pino'
import type { EventFacts, ServiceLog } from '../../ports/service-log.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import { requestLine } from '../fast/request-line.ts'
import { shownError } from './shown-error.ts'

/** Copies the members that may be logged, and drops all others. */
function listed(facts: EventFacts): EventFacts {
  const { node, cluster, roles, prices, screeners, requestId } = facts
  return {
    ...(node === undefined ? {} : { node }),
    ...(cluster === undefined ? {} : { cluster }),
    ...(roles === undefined ? {} : { roles }),
    ...(prices === undefined ? {} : { prices }),
    ...(screeners === undefined ? {} : { screeners }),
    ...(requestId === undefined ? {} : { requestId }),
  }
}

const REFUSED = 400

/**
 * True for a successful read, which isn't logged. A partner's polls and streams of an order end when the order ends.
 * Their log lines would contain the time and the id of the API key. So these lines would link the partner to the
 * order's end on chain as long as the log is kept.
 */
const isAnsweredRead = (method: string, status: number): boolean =>
  method === 'GET' && status < REFUSED

/** Logs one JSON object on each line. Only members that are known to be safe are logged. */
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
