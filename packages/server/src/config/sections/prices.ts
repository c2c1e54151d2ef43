import { setting } from '../setting.ts'
import { feeds, someOf, text, webUrl, whole } from '../value-kinds.ts'

export const priceSettings = {
  PRICES: setting(someOf('none', 'fixed', 'pyth', 'jupiter').optional(), {
    meaning:
      'the sources of rates. Each must give a rate: if one gives none, or if two disagree, no swap is quoted. If all agree, the lowest rate is used',
    example: 'pyth,jupiter',
    defaultText: '`fixed` with `SOTTO_PRICES_FILE`, else `none`: no swaps',
  }),
  PRICE_DEVIATION_BPS: setting(whole(1, 5_000).prefault('100'), {
    meaning: 'how far two sources may differ, in hundredths of a percent',
    example: '100',
  }),
  PRICE_AGE_SECONDS: setting(whole(1, 600).prefault('10'), {
    meaning:
      'a price of pyth or jupiter that is older than this is not used; [decision 35](decisions/0035-prices-at-the-worse-end-and-not-older-than-ten-seconds.md) shows the cost of a greater age with each spread',
    example: '10',
  }),
  PRICES_FILE: setting(text.optional(), {
    meaning:
      'the file of the `fixed` rates: `{ "rates": [{ source, destination, numerator, denominator }] }`, in base units',
    example: '/etc/sotto/prices.json',
    defaultText: 'none',
  }),
  PRICES_FILE_AGE_SECONDS: setting(whole(1, 31_536_000).optional(), {
    meaning:
      'a file of `fixed` rates that is older than this is not used; required on mainnet, because the service would sell at an old price if the file were not updated',
    example: '86400',
    defaultText: 'none: a rate is valid until the file changes',
  }),
  PYTH_URL: setting(webUrl.default('https://hermes.pyth.network'), {
    meaning: 'the URL of a Hermes service of Pyth',
    example: 'https://hermes.pyth.network',
    secret: 'url',
  }),
  PYTH_API_KEY: setting(text.optional(), {
    meaning: 'the API key of Hermes; the public service needs one',
    example: 'a1b2c3',
    defaultText: 'none',
    secret: 'value',
  }),
  PYTH_FEEDS: setting(feeds.optional(), {
    meaning: 'for each mint, the id of the feed with its price in US dollars',
    example: `So11111111111111111111111111111111111111112=${'ef'.repeat(32)}`,
    defaultText: 'none',
    isTable: true,
  }),
  PYTH_CONFIDENCE_BPS: setting(whole(1, 5_000).prefault('100'), {
    meaning:
      'a price is not used if half of its confidence interval is wider than this, in hundredths of a percent of the price; otherwise the bound of the interval that is worse for the customer is used',
    example: '100',
  }),
  JUPITER_URL: setting(webUrl.default('https://api.jup.ag'), {
    meaning: "Jupiter's API",
    example: 'https://api.jup.ag',
    secret: 'url',
  }),
  JUPITER_API_KEY: setting(text.optional(), {
    meaning: 'the API key of Jupiter',
    example: 'a1b2c3',
    defaultText: 'none',
    secret: 'value',
  }),
  JUPITER_IMPACT_BPS: setting(whole(1, 5_000).prefault('100'), {
    meaning:
      'a quote of Jupiter is not used if Jupiter says that the quoted sale would move the price by more than this, in hundredths of a percent',
    example: '100',
  }),
}

export const screeningSettings = {
  SCREENER: setting(someOf('none', 'deny-list', 'http').optional(), {
    meaning: 'the screeners that may refuse an address; if there are several, each may refuse',
    example: 'deny-list,http',
    defaultText: '`deny-list` with `SOTTO_DENY_LIST_FILE`, else `none`',
  }),
  DENY_LIST_FILE: setting(text.optional(), {
    meaning:
      'a file of refused addresses, one on each line; a line that starts with `#` is a comment. The file is read again when it changes. A changed file that is invalid is ignored; at the start, an invalid file is an error',
    example: '/etc/sotto/denied.txt',
    defaultText: 'none',
  }),
  SCREENER_URL: setting(webUrl.optional(), {
    meaning:
      'the URL of a service that answers GET /api/v1/address/<address> with `{ "identifications": [...] }`, as the Chainalysis sanctions API does; an address with an identification is refused',
    example: 'https://public.chainalysis.com',
    defaultText: 'none',
    secret: 'url',
  }),
  SCREENER_API_KEY: setting(text.optional(), {
    meaning: 'the API key of the service at SOTTO_SCREENER_URL, sent in the header X-API-Key',
    example: 'a1b2c3',
    defaultText: 'none',
    secret: 'value',
  }),
  SCREENER_TIMEOUT_MS: setting(whole(100, 30_000).prefault('3000'), {
    meaning:
      'if the screener has not answered within this time, the quote or the order is refused, and may be retried',
    example: '3000',
  }),
  SCREENER_SPREAD_MS: setting(whole(0, 30_000).prefault('1000'), {
    meaning:
      'each request waits for a random time below this, so that the addresses of sender and recipient are sent at separate times and in random order',
    example: '1000',
  }),
  SCREENER_KEPT_SECONDS: setting(whole(0, 86_400).prefault('3600'), {
    meaning:
      'how long an answer is used, so that an order does not repeat the requests of its quote',
    example: '3600',
  }),
}
