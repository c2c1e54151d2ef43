// Rules of .dependency-cruiser.cjs about imports between packages and top-level folders.

const levels = [
  ['contract', 'protocol', 'prover', 'file-lock'],
  ['poseidon', 'prover-client', 'localnet', 'recovery'],
  ['sdk'],
  ['server', 'cli', 'web'],
]

/** A package must not import packages of its own level or of a higher level. */
const levelRules = (tests) =>
  levels.map((packages, level) => ({
    name: `level-${level}-imports-lower-levels`,
    comment: `A package of level ${level} imports only lower levels. If small packages imported big packages, no package could be used or tested alone.`,
    severity: 'error',
    from: { path: `^packages/(${packages.join('|')})/`, pathNot: tests },
    to: {
      path: [`^packages/(${levels.slice(level).flat().join('|')})/`, '^demo/'],
      pathNot: '^packages/$1/',
    },
  }))

const rooms = ['follow', 'notes', 'pay', 'upkeep']

/* * A folder of settlement must not import a folder that comes later in `rooms`. Its tests may do so, because they run
 * orders from the quote to the last payment.
 */
const settlementRules = (tests) =>
  rooms.slice(0, -1).map((room, index) => ({
    name: `settlement-${room}-imports-earlier-rooms`,
    comment: `settlement/${room} imports only ${rooms.slice(0, index + 1).join(', ')}. So the folders can be read in this order: ${rooms.join(', ')}.`,
    severity: 'error',
    from: { path: `^packages/server/src/settlement/${room}/`, pathNot: tests },
    to: { path: `^packages/server/src/settlement/(${rooms.slice(index + 1).join('|')})/` },
  }))

/** The observer must not use code of the service that it observes. */
const observerRules = (tests) => [
  {
    name: 'observer-knows-no-server',
    comment:
      'The observer measures the service, so it must not share the rules of the service, which may be wrong. Only code that generates simulated transfers may use these rules, to draw delays and to compute the privacy that quotes state.',
    severity: 'error',
    from: { path: '^observe/' },
    to: { path: '^packages/server/', pathNot: '^packages/server/src/domain/' },
  },
  {
    name: 'only-histories-know-the-rules',
    comment:
      'In observe/, only code that generates simulated transfers uses the rules of the service.',
    severity: 'error',
    from: { path: '^observe/', pathNot: '^observe/script/' },
    to: { path: '^packages/server/src/domain/' },
  },
  {
    name: 'observer-reads-the-chain-alone',
    comment:
      'Code that infers links, scores the result or searches for leaks must read the chain only through JSON-RPC. It must not import the local stack. It must not import the load either, which contains the true links that this code must infer.',
    severity: 'error',
    from: { path: '^observe/(chain|infer|leaks)/', pathNot: tests },
    to: {
      path: '^(packages|demo|testing|bench|sim|observe)/',
      pathNot: [
        '^observe/(chain|infer|leaks)/',
        '^packages/protocol/index\\.ts$',
        '^sim/time/seeded-random\\.ts$',
      ],
    },
  },
]

module.exports = { levelRules, observerRules, settlementRules }
