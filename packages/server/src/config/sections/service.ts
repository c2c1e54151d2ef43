import { z } from 'zod'
import { setting } from '../setting.ts'
import { contacts, flag, networks, someOf, text, time, whole } from '../value-kinds.ts'

export const serviceSettings = {
  PROFILE: setting(z.enum(['embedded', 'production']).default('embedded'), {
    meaning: 'which rules apply to the other settings, see above',
    example: 'production',
  }),
  ROLE: setting(someOf('api', 'worker').prefault('api,worker'), {
    meaning:
      'what this process does: api answers HTTP, worker follows the chain and pays; also `serve --role`',
    example: 'api,worker',
  }),
  HOST: setting(text.default('127.0.0.1'), {
    meaning: 'the address that API and metrics listen on',
    example: '0.0.0.0',
  }),
  PORT: setting(whole(0, 65_535).prefault('8080'), {
    meaning: 'the port of the API; 0 takes any that is free',
    example: '8080',
  }),
  METRICS_PORT: setting(whole(0, 65_535).optional(), {
    meaning: "the port of Prometheus metrics and the operator's status",
    example: '9464',
    defaultText: 'none',
  }),
  TRUSTED_PROXIES: setting(networks.optional(), {
    meaning: "proxies trusted to report a caller's address (X-Forwarded-For)",
    example: '10.0.0.0/8',
    defaultText: 'none',
  }),
  RATE_PER_SECOND: setting(whole(1, 100_000).prefault('50'), {
    meaning: 'requests of one API key a second, on each replica',
    example: '50',
  }),
  RATE_BURST: setting(whole(1, 100_000).prefault('200'), {
    meaning: 'requests of one API key at once, on each replica',
    example: '200',
  }),
  DRAIN_SECONDS: setting(whole(0, 600).optional(), {
    meaning:
      'how long the API keeps answering after SIGTERM, with /readyz at 503: longer than its load balancer takes to notice',
    example: '10',
    defaultText: '0, and 10 with the profile production',
  }),
  SECURITY_CONTACT: setting(contacts.optional(), {
    meaning:
      'where to report vulnerabilities of this installation, published at /.well-known/security.txt (RFC 9116)',
    example: 'mailto:security@example.com,https://example.com/security',
    defaultText: 'none: there is no such text',
  }),
  SECURITY_EXPIRES: setting(time.optional(), {
    meaning: 'when that text expires, less than a year ahead; from then on it is not served',
    example: '2027-06-30T00:00:00Z',
    defaultText: 'none',
  }),
  TEST_MODE: setting(flag.prefault('false'), {
    meaning:
      'only on the local chain: recipients that force an outcome, for the tests of partners (docs/test-mode.md)',
    example: 'true',
  }),
  LOG_LEVEL: setting(z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'), {
    meaning: 'logs go to standard error, one JSON object a line',
    example: 'info',
  }),
}
