import { setting } from '../setting.ts'
import { feeds, someOf, text, webUrl, whole } from '../value-kinds.ts'

export const priceSettings = {
  PRICES: setting(someOf('none', 'fixed', 'pyth', 'jupiter').optional(), {
    meaning:
      'where rates come from; of several sources that agree the lower rate is taken, and where two disagree nothing is quoted',
    example: 'pyth,jupiter',
    defaultText: '`fixed` with `SOTTO_PRICES_FILE`, else `none`: no swaps',
  }),
  PRICE_DEVIATION_BPS: setting(whole(1, 5_000).prefault('100'), {
    meaning: 'how far two sources may differ, in hundredths of a percent',
    example: '100',
  }),
  PRICE_AGE_SECONDS: setting(whole(1, 600).prefault('10'), {
    meaning:
      'a price of pyth or jupiter that is older quotes nothing; [decision 35](decisions/0035-prices-at-the-worse-end-and-not-older-than-ten-seconds.md) says what a greater age costs beside which spread',
    example: '10',
  }),
  PRICES_FILE: setting(text.optional(), {
    meaning:
      'the rates of `fixed`: `{ "rates": [{ source, destination, numerator, denominator }] }`, base units',
    example: '/etc/sotto/prices.json',
    defaultText: 'none',
  }),
  PRICES_FILE_AGE_SECONDS: setting(whole(1, 31_536_000).optional(), {
    meaning:
      'a file of `fixed` rates that was written longer ago quotes nothing; required on mainnet, where a file that nobody renews sells at an old price',
    example: '86400',
    defaultText: 'none: a rate holds until the file changes',
  }),
  PYTH_URL: setting(webUrl.default('https://hermes.pyth.network'), {
    meaning: 'a Hermes of Pyth',
    example: 'https://hermes.pyth.network',
  }),
  PYTH_API_KEY: setting(text.optional(), {
    meaning: 'its API key, which the public one needs',
    example: 'a1b2c3',
    defaultText: 'none',
    secret: 'value',
  }),
  PYTH_FEEDS: setting(feeds.optional(), {
    meaning: 'the feed of each mint, in US dollars',
    example: `So11111111111111111111111111111111111111112=${'ef'.repeat(32)}`,
    defaultText: 'none',
  }),
  PYTH_CONFIDENCE_BPS: setting(whole(1, 5_000).prefault('100'), {
    meaning:
      'a price quotes nothing where half its confidence interval is wider, in hundredths of a percent; narrower ones are quoted at their worse end',
    example: '100',
  }),
  JUPITER_URL: setting(webUrl.default('https://api.jup.ag'), {
    meaning: "Jupiter's API",
    example: 'https://api.jup.ag',
  }),
  JUPITER_API_KEY: setting(text.optional(), {
    meaning: 'its API key',
    example: 'a1b2c3',
    defaultText: 'none',
    secret: 'value',
  }),
  JUPITER_IMPACT_BPS: setting(whole(1, 5_000).prefault('100'), {
    meaning: 'a route that moves its price by more quotes nothing',
    example: '100',
  }),
}

export const screeningSettings = {
  SCREENER: setting(someOf('none', 'deny-list', 'http').optional(), {
    meaning: 'who is asked whether an address is refused; of several, each may refuse',
    example: 'deny-list,http',
    defaultText: '`deny-list` with `SOTTO_DENY_LIST_FILE`, else `none`',
  }),
  DENY_LIST_FILE: setting(text.optional(), {
    meaning:
      'refused addresses, one a line, `#` starts a comment; read again when it changes, and a file that is wrong changes nothing',
    example: '/etc/sotto/denied.txt',
    defaultText: 'none',
  }),
  SCREENER_URL: setting(webUrl.optional(), {
    meaning:
      'a service that answers GET /api/v1/address/<address> with `{ "identifications": [...] }`, as the Chainalysis sanctions API does; refused is who has one',
    example: 'https://public.chainalysis.com',
    defaultText: 'none',
  }),
  SCREENER_API_KEY: setting(text.optional(), {
    meaning: 'what it wants in the header X-API-Key',
    example: 'a1b2c3',
    defaultText: 'none',
    secret: 'value',
  }),
  SCREENER_TIMEOUT_MS: setting(whole(100, 30_000).prefault('3000'), {
    meaning: 'after which it counts as down, and no new order is taken',
    example: '3000',
  }),
  SCREENER_SPREAD_MS: setting(whole(0, 30_000).prefault('1000'), {
    meaning:
      'each question waits for a time drawn below this, so that sender and recipient are asked apart and in any order',
    example: '1000',
  }),
  SCREENER_KEPT_SECONDS: setting(whole(0, 86_400).prefault('3600'), {
    meaning: 'how long an answer holds, so that an order asks nothing again that its quote asked',
    example: '3600',
  }),
}
