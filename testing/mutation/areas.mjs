const SERVER = 'packages/server/src'
const VERIFY = 'packages/sdk/src/verify'

/**
 * The files to mutate, by area: the high score of one area must not hide the low score of another.
 * JavaScript, because Stryker's configuration also reads it.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const AREAS = {
  'money maths': ['fees', 'tariff', 'limits', 'rent'].map((name) => `${SERVER}/domain/${name}.ts`),
  'state machines': [
    `${SERVER}/domain/order-state.ts`,
    `${SERVER}/domain/lease.ts`,
    `${SERVER}/domain/delivery-schedule.ts`,
    `${SERVER}/settlement/pay/next-step.ts`,
  ],
  'MAC of quotes': [
    `${SERVER}/domain/canonical-json.ts`,
    `${SERVER}/domain/quote-id.ts`,
    `${SERVER}/usecases/quote/sign-quote.ts`,
    `${SERVER}/usecases/quote/verify-quote.ts`,
  ],
  // All but chain-facts.ts, which reads the chain: its tests need a node, which would start for each change.
  'verification before signing': [
    ...['check-authorisation', 'check-budget', 'check-deposit', 'check-quote', 'check-terms'],
    ...['decode-order-message', 'expected-terms', 'expected-transfer', 'poseidon', 'refusal'],
    ...['verified-order', 'verify-order'],
  ].map((name) => `${VERIFY}/${name}.ts`),
}

/** Percent of the changes that a test must notice, in each area. */
export const BAR = 85
