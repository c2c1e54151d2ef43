import type { FastifyInstance } from 'fastify'
import type { Clock } from '../ports/clock.ts'
import { ServiceError } from '../usecases/service-error.ts'

/** What RFC 9116 asks whoever runs a service to say. */
export interface SecurityText {
  /** Addresses, the preferred one first: `mailto:` or `https:`. */
  readonly contacts: readonly string[]
  /** When the text must no longer be believed. */
  readonly expiresMs: number
}

/** The text of RFC 9116, section 2.5; its lines end as the RFC wants them. */
function render({ contacts, expiresMs }: SecurityText): string {
  const lines = [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${new Date(expiresMs).toISOString()}`,
    'Preferred-Languages: en',
  ]
  return lines.map((line) => `${line}\r\n`).join('')
}

/**
 * `/.well-known/security.txt`: where to report a vulnerability of this installation. Without a contact, and once
 * the text has expired, there is none: a report to an address that nobody reads any more helps nobody.
 */
export function registerSecurityText(
  app: FastifyInstance,
  clock: Clock,
  text: SecurityText | undefined,
): void {
  app.get('/.well-known/security.txt', (_request, reply) => {
    if (text === undefined || clock.nowMs() >= text.expiresMs) throw new ServiceError('NOT_FOUND')
    return reply.type('text/plain; charset=utf-8').send(render(text))
  })
}
