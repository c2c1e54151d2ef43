import path from 'node:path'
import { misleadingName } from './file-names.js'
import * as named from './named-files.js'

/** Matches the names that the code gives to amounts of money in base units. */
const MONEY = [
  'amount|amountIn|amountOut|gross|payout|change|lamports|owed|inventory|fees?',
  '(service|partner|network|protocol|priority)Fee|(settlePriority|depositPriority|priority)Lamports',
  '(value|input|deposit|fee)Max|(payout|output)Min',
].join('|')

/**
 * Selects members, parameters and variables with a name in `MONEY` and the type bigint, or a union or list of bigint.
 */
function plainMoney() {
  // Parameters may be called `value`, because any number can have that name.
  const member = `key.name=/^(value|${MONEY})$/`
  const named = `:matches(TSPropertySignature[${member}], PropertyDefinition[${member}], Identifier[name=/^(${MONEY})$/])`
  return ['', 'TSUnionType > ', 'TSArrayType > ', 'TSTypeOperator > TSArrayType > '].map(
    (inside) => `${named} > TSTypeAnnotation > ${inside}TSBigIntKeyword`,
  )
}

// The linter applies only the last setting of a rule that matches a file. So each restriction is a rule of its own.
const restricted = {
  'wall-clock': {
    selectors: [
      "CallExpression[callee.object.name='Date'][callee.property.name='now']",
      "NewExpression[callee.name='Date'][arguments.length=0]",
      "CallExpression[callee.object.name='performance'][callee.property.name='now']",
    ],
    message: 'Read the time from the Clock port, because a run must be replayable.',
    allowed: named.wallClock,
  },
  chance: {
    selectors: [
      "MemberExpression[object.name='Math'][property.name='random']",
      'CallExpression[callee.name=/^(randomBytes|randomUUID|randomInt)$/]',
      'CallExpression[callee.property.name=/^(randomBytes|randomUUID|randomInt|getRandomValues)$/]',
    ],
    message: 'Get random numbers from the Random port, because a run must be replayable.',
    allowed: named.chance,
  },
  timers: {
    selectors: [
      'CallExpression[callee.name=/^set(Timeout|Interval|Immediate)$/]',
      'CallExpression[callee.property.name=/^set(Timeout|Interval|Immediate)$/]',
      'ImportDeclaration[source.value=/^(node:)?timers/]',
    ],
    message:
      'Wait through the Clock port, because a timer cannot be replayed and keeps a process alive.',
    allowed: named.timers,
  },
  terminal: {
    selectors: ["MemberExpression[object.name='console']"],
    message: 'Log through the logger, which writes no addresses and no amounts.',
    allowed: named.terminal,
  },
  numbers: {
    selectors: [
      'CallExpression[callee.name=/^(Number|parseFloat|parseInt)$/]',
      "CallExpression[callee.object.name='Number'][callee.property.name=/^parse(Float|Int)$/]",
      // Selects calls such as `amounts.map(Number)`.
      'CallExpression > Identifier.arguments[name=/^(Number|parseFloat|parseInt)$/]',
      "UnaryExpression[operator='+'][argument.type!='Literal']",
    ],
    message:
      'Amounts are bigint: use BigInt. Files that read other numbers are named in tools/lint.',
    allowed: named.numbers,
  },
  owner: {
    selectors: [
      'ImportSpecifier[imported.name=/^decode(Pool|Tree|TreeHeader|Asset|Order|Nullifier)$/]',
      "ImportSpecifier[imported.name='programFactsOf']",
    ],
    message:
      'An account may belong to any program: check its owner with shownOrder or a similar function.',
    allowed: named.bytesOfAccounts,
  },
  money: {
    selectors: plainMoney(),
    message: 'Money has the type Amount: see packages/protocol/src/units.ts.',
    allowed: named.plainMoney,
  },
  environment: {
    selectors: ["MemberExpression[object.name='process'][property.name='env']"],
    message: 'Only config.ts reads the environment; pass the setting as a parameter.',
    allowed: named.environment,
  },
}

// Digests of WebCrypto finish in a different order in each run, so the simulator couldn't replay a run that uses them.
const replayable = {
  files: ['domain', 'usecases', 'settlement', 'notify', 'running'].map(
    (layer) => `packages/server/src/${layer}/**/*.ts`,
  ),
  selectors: [
    "MemberExpression[property.name='subtle']",
    'ImportSpecifier[imported.name=/^(subtle|webcrypto)$/]',
  ],
  message: 'Do not use crypto.subtle here, because its results come in varying order. Use a port.',
}

// A branded type states that a value was checked. So only the file with the check may cast to the type.
const brand = {
  selectors: ['', 'TSUnionType > '].map(
    (inside) =>
      `:matches(TSAsExpression, TSTypeAssertion) > ${inside}TSTypeReference[typeName.name=/^(Amount|UnixSeconds|Slot|BasisPoints)$/]`,
  ),
  message:
    'Use the function that checks the value, such as `amount`: see packages/protocol/src/units.ts.',
}

// The index.ts at the root of each package is the package's interface. More barrel files would hide dependencies and
// cause cycles.
const barrel = {
  selectors: [
    'Program:has(> ExportNamedDeclaration[source]):not(:has(> :not(ExportNamedDeclaration[source], ExportAllDeclaration)))',
    'Program:has(> ExportAllDeclaration):not(:has(> :not(ExportNamedDeclaration[source], ExportAllDeclaration)))',
  ],
  message: 'This file only re-exports: import from the files that define the exports.',
}

// A skipped test checks nothing.
const skipped = {
  selectors: [
    'MemberExpression[object.name=/^(it|test|describe)$/][property.name=/^(skip|todo|only)$/]',
  ],
  message: 'Run this test, or delete it.',
}

/** All restrictions, each with the files to which its rule doesn't apply. */
export const restrictions = [
  ...Object.entries(restricted).map(([name, { allowed }]) => ({
    files: ['**/*.ts', '**/*.tsx'],
    excludeFiles: [...allowed, ...named.tests],
    rules: { [`sotto/${name}`]: 'error' },
  })),
  { files: replayable.files, excludeFiles: named.tests, rules: { 'sotto/replayable': 'error' } },
  {
    files: ['**/*.ts', '**/*.tsx', '**/*.js', '**/*.mjs'],
    excludeFiles: ['packages/*/index.ts'],
    rules: { 'sotto/barrel': 'error' },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    excludeFiles: ['packages/protocol/src/units.ts'],
    rules: { 'sotto/brand': 'error' },
  },
  { files: ['**/*.test.ts'], rules: { 'sotto/skipped': 'error' } },
  {
    files: ['**/*.ts', '**/*.tsx', '**/*.js', '**/*.mjs', '**/*.cjs'],
    rules: { 'sotto/file-name': 'error' },
  },
]

/** The linter's plugin `sotto`, which has one rule for each restriction. */
export default {
  meta: { name: 'sotto' },
  rules: {
    ...Object.fromEntries(
      Object.entries({ ...restricted, replayable, barrel, brand, skipped }).map(
        ([name, { selectors, message }]) => [name, rule(selectors, message)],
      ),
    ),
    'file-name': {
      meta: { type: 'problem', schema: [] },
      create: (context) => ({
        Program: (node) => {
          const message = misleadingName(path.relative(context.cwd, context.filename))
          if (message !== undefined) context.report({ node, message })
        },
      }),
    },
  },
}

function rule(selectors, message) {
  return {
    meta: { type: 'problem', schema: [] },
    create: (context) =>
      Object.fromEntries(
        selectors.map((selector) => [selector, (node) => context.report({ node, message })]),
      ),
  }
}
