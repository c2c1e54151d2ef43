const SERVER = 'packages/server/src'
const VERIFY = 'packages/sdk/src/verify'

/**
 * The files to mutate, by area. Each area has its own score, so that a high score can't hide a low one. The file is
 * JavaScript, because Stryker's configuration also reads it.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const AREAS = {
  'money maths': [
    ...['fees', 'tariff', 'limits', 'deposit-cost', 'settlement-cost'].map(
      (name) => `${SERVER}/domain/${name}.ts`,
    ),
    'packages/protocol/src/program/rent.ts',
  ],
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
  // chain-facts.ts is left out, because its tests need a node. A node would have to start for each mutant.
  'verification before signing': [
    ...['check-authorisation', 'check-budget', 'check-deposit', 'check-quote', 'check-terms'],
    ...['decode-order-message', 'expected-terms', 'expected-transfer', 'poseidon', 'refusal'],
    ...['verified-order', 'verify-order'],
  ].map((name) => `${VERIFY}/${name}.ts`),
}

/** The minimum percentage of an area's mutants that tests must notice. */
export const BAR = 85
