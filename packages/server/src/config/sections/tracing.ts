import { setting } from '../setting.ts'
import { text, webUrl, whole } from '../value-kinds.ts'

export const tracingSettings = {
  TRACING_URL: setting(webUrl.optional(), {
    meaning:
      'the URL of a collector that accepts spans by OTLP over HTTP at `/v1/traces`; if it is not set, tracing is off',
    example: 'http://127.0.0.1:4318',
    defaultText: 'none',
    secret: 'url',
  }),
  TRACING_AUTHORIZATION: setting(text.optional(), {
    meaning: 'the Authorization header for the collector',
    example: 'Bearer 0123456789abcdef',
    defaultText: 'none',
    secret: 'value',
  }),
  TRACING_PERCENT: setting(whole(1, 100).prefault('100'), {
    meaning: 'how many of each hundred requests and settlements are traced; reads are never traced',
    example: '10',
  }),
}
