import { z } from 'zod'
import { setting } from '../setting.ts'
import { contacts, flag, networks, someOf, text, time, whole } from '../value-kinds.ts'

export const serviceSettings = {
  PROFILE: setting(z.enum(['embedded', 'production']).default('embedded'), {
    meaning: 'the profile, which decides which rules apply to the other settings; see above',
    example: 'production',
  }),
  ROLE: setting(someOf('api', 'worker').prefault('api,worker'), {
    meaning:
      'the roles of this process: api answers HTTP, worker follows the chain and pays; also set by `serve --role`',
    example: 'api,worker',
  }),
  HOST: setting(text.default('127.0.0.1'), {
    meaning: 'the address that API and metrics listen on',
    example: '0.0.0.0',
  }),
  PORT: setting(whole(0, 65_535).prefault('8080'), {
    meaning: 'the port of the API; 0 chooses a free port',
    example: '8080',
  }),
  METRICS_PORT: setting(whole(0, 65_535).optional(), {
    meaning:
      "the port of Prometheus metrics and the operator's status; must differ from SOTTO_PORT in a process that answers HTTP",
    example: '9464',
    defaultText: 'none',
  }),
  TRUSTED_PROXIES: setting(networks.optional(), {
    meaning: "proxies trusted to report a caller's address (X-Forwarded-For)",
    example: '10.0.0.0/8',
    defaultText: 'none',
  }),
  RATE_PER_SECOND: setting(whole(1, 100_000).prefault('50'), {
    meaning: 'requests per second allowed for one API key on each replica',
    example: '50',
  }),
  RATE_BURST: setting(whole(1, 100_000).prefault('200'), {
    meaning: 'requests that one API key may send at once, before its rate applies, on each replica',
    example: '200',
  }),
  DRAIN_SECONDS: setting(whole(0, 600).optional(), {
    meaning:
      'time after SIGTERM in which the API still answers requests, while /readyz answers 503; must be longer than the load balancer needs to notice the 503',
    example: '10',
    defaultText: '0; 10 in the profile production',
  }),
  SECURITY_CONTACT: setting(contacts.optional(), {
    meaning:
      'where to report vulnerabilities of this installation; published at /.well-known/security.txt (RFC 9116)',
    example: 'mailto:security@example.com,https://example.com/security',
    defaultText: 'none: security.txt is not served',
  }),
  SECURITY_EXPIRES: setting(time.optional(), {
    meaning:
      'when security.txt expires, less than a year ahead; required with SOTTO_SECURITY_CONTACT. The file is not served afterwards, and `config check` reports an expiry in the past',
    example: '2027-06-30T00:00:00Z',
    defaultText: 'none',
  }),
  TEST_MODE: setting(flag.prefault('false'), {
    meaning:
      'special recipients force an outcome, for the tests of partners (docs/test-mode.md); allowed only on the local chain',
    example: 'true',
  }),
  LOG_LEVEL: setting(z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'), {
    meaning: 'log level; logs go to standard error, one JSON object on each line',
    example: 'info',
  }),
}
