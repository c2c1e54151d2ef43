import type { FastifyInstance } from 'fastify'
import type { Clock } from '../ports/clock.ts'
import { ServiceError } from '../usecases/service-error.ts'
import { WITH_HEAD } from './allowed-methods.ts'

/** The data that RFC 9116 asks the operator of a service to publish. */
export interface SecurityText {
  /** Addresses that start with `mailto:`, `https:` or `tel:`. The preferred address is first. */
  readonly contacts: readonly string[]
  /** The time at which the text expires, in milliseconds since 1970. */
  readonly expiresMs: number
}

/** Renders the text as in RFC 9116, section 2.5, with the line breaks that the RFC requires. */
function render({ contacts, expiresMs }: SecurityText): string {
  const lines = [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${new Date(expiresMs).toISOString()}`,
    'Preferred-Languages: en',
  ]
  return lines.map((line) => `${line}\r\n`).join('')
}

/**
 * Serves `/.well-known/security.txt`, the contact for vulnerability reports of this installation. The file isn't served
 * if no contact is set. It isn't served after its expiry either, because messages to the contact may not be read any
 * more.
 */
export function registerSecurityText(
  app: FastifyInstance,
  clock: Clock,
  text: SecurityText | undefined,
): void {
  app.get('/.well-known/security.txt', WITH_HEAD, (_request, reply) => {
    if (text === undefined || clock.nowMs() >= text.expiresMs) throw new ServiceError('NOT_FOUND')
    return reply.type('text/plain; charset=utf-8').send(render(text))
  })
}
