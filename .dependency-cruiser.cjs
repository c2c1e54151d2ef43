// The import rules of docs/architecture.md. When a rule is broken, the check shows the rule's comment. For each rule,
// a folder with the rule's name under tools/fixtures/imports breaks the rule. `npm run check` fails if the rule
// doesn't report that folder.

const { levelRules, observerRules, settlementRules } = require('./tools/imports/room-rules.cjs')

const server = '^packages/server/src'
const tests = '\\.test\\.ts$|/tests/|^testing/|^e2e/'
const simulations = '^sim/|^bench/'
const sdkForNode = '^packages/sdk/(node\\.ts|src/node/)'

/** A rule that the server's layer `from` must not import the layers in `to`. A layer has the name of its folder. */
const layer = (name, from, to, comment, more = {}) => ({
  name,
  comment,
  severity: 'error',
  from: { path: `${server}/${from}/`, pathNot: tests },
  to: { path: `${server}/(${to.join('|')})`, ...more },
})

/** Folders that no layer may import. They contain the code around the layers, and the code that starts the layers. */
const outside = ['adapters/', 'operator/', 'start/', 'main\\.ts', 'config']

module.exports = {
  forbidden: [
    ...levelRules(tests),
    ...settlementRules(tests),
    {
      name: 'no-cycles',
      comment:
        'Files in a cycle can only be understood, tested and moved together. This is true for type imports too.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'only-through-the-index',
      comment: "A package's interface is its index.ts; its other files may change at any time.",
      severity: 'error',
      // Two groups of tests are excluded. The SDK's tests start the real service with the code that the service's own
      // tests use. The tests of packages/cli use the chain and the service of the SDK's tests.
      from: {
        path: '^(packages/[^/]+|demo|tools|circuit)/',
        pathNot: '^packages/(sdk|cli)/tests/',
      },
      to: {
        path: '^packages/[^/]+/.+',
        // The SDK's entry points: everything, balances, files for Node, the server side with the API key, and the
        // wallet side without it.
        pathNot: [
          '^$1/',
          '^packages/[^/]+/index\\.ts$',
          '^packages/sdk/(balance|node|server|wallet)\\.ts$',
        ],
      },
    },
    {
      name: 'product-not-tooling',
      comment: 'Shipped code must not need tests, tools or benchmarks.',
      severity: 'error',
      from: { path: '^(packages|demo)/', pathNot: tests },
      to: { path: '^(tools|testing|sim|e2e|bench)/' },
    },
    {
      name: 'nothing-imports-the-prover',
      comment:
        'Prover and circuit are GPL-3.0 and run as separate processes. Code that imports them would be under that licence too.',
      severity: 'error',
      from: { pathNot: '^(packages/prover|circuit)/' },
      to: { path: '^(packages/prover|circuit)/' },
    },
    {
      name: 'gpl-stays-in-the-prover',
      comment:
        'snarkjs, circom and circomlib are GPL-3.0. Only prover and circuit, which have the same licence, may import them.',
      severity: 'error',
      from: { pathNot: '^(packages/prover|circuit)/' },
      to: { path: 'node_modules/(snarkjs|circom2|circomlib|circomlibjs|ffjavascript)/' },
    },
    {
      name: 'protocol-without-node',
      comment: 'Wallets run the protocol package in browsers, so it uses no Node built-ins.',
      severity: 'error',
      from: { path: '^packages/protocol/', pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'sdk-without-node',
      comment:
        'Partners bundle the SDK for browsers, so only one of its entry points uses Node built-ins.',
      severity: 'error',
      from: { path: '^packages/sdk/', pathNot: [tests, sdkForNode] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'sdk-node-stands-alone',
      comment: 'No other entry point of the SDK imports code that needs Node.',
      severity: 'error',
      from: { path: '^packages/sdk/', pathNot: [tests, sdkForNode] },
      to: { path: sdkForNode },
    },
    {
      name: 'sdk-takes-only-types-of-contract',
      comment:
        'The schemas import a validation library that is larger than the whole SDK. Types cost nothing.',
      severity: 'error',
      from: { path: '^packages/sdk/', pathNot: tests },
      to: { path: '^packages/contract/|node_modules/zod/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'wallet-is-keyless',
      comment:
        'Code that verifies and signs runs in browsers, which must never have an API key. So it gets the service as a parameter.',
      severity: 'error',
      from: {
        path: '^packages/sdk/(wallet\\.ts|src/(verify|sign|tickets|transfer)/)',
        pathNot: tests,
      },
      to: { path: '^packages/sdk/(server\\.ts|src/client/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'pages-are-keyless',
      comment:
        'A page runs in browsers, which must never have an API key. It only sends requests to the service that served it.',
      severity: 'error',
      from: { path: '^packages/web/pages/' },
      to: { path: '^packages/sdk/(server|index)\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'protocol-gets-its-hash',
      comment:
        'The Poseidon hash is a parameter, so that each user of the protocol can choose a fast or a small version of it.',
      severity: 'error',
      from: { path: '^packages/protocol/', pathNot: tests },
      to: { path: 'node_modules/(poseidon-lite|@lightprotocol|@railgun-community)/' },
    },
    {
      name: 'demo-from-outside',
      comment:
        'The demo shows what a partner can do: HTTP, RPC and the SDK. It starts service and chain as processes.',
      severity: 'error',
      from: { path: '^demo/', pathNot: tests },
      to: { path: '^packages/(server|localnet)/' },
    },
    ...observerRules(tests),
    {
      name: 'examples-are-partners',
      comment:
        'An example is written like a partner’s code. A partner can install the SDK and nothing else of this repository.',
      severity: 'error',
      from: { path: '^examples/(?!tests/)' },
      to: {
        path: '^(packages|demo|tools|testing)/',
        pathNot: '^packages/sdk/(balance|index|node|server|wallet)\\.ts$',
      },
    },
    {
      name: 'server-without-localnet-or-web',
      comment:
        'The service uses a chain only through RPC, and pages only through a folder, so both can be replaced.',
      severity: 'error',
      from: { path: '^packages/server/' },
      to: { path: '^packages/(localnet|web)/' },
    },
    layer(
      'http-only-calls-usecases',
      'http',
      ['settlement/', 'notify/', ...outside],
      'http -> usecases -> domain. http and settlement share only the database, so that each can run, fail and scale without the other.',
    ),
    layer(
      'http-takes-only-types-of-domain',
      'http',
      ['domain/'],
      'http decodes, calls a use case and renders. If it could call a rule about money, it could bypass the use case.',
      { dependencyTypesNot: ['type-only'] },
    ),
    layer(
      'usecases-only-call-domain',
      'usecases',
      ['http/', 'settlement/', 'notify/', ...outside],
      'A use case imports only domain and ports, so that it can run with any transport and any adapters.',
    ),
    layer(
      'settlement-only-calls-domain',
      'settlement',
      ['http/', 'usecases/', 'notify/', ...outside],
      'settlement -> domain. It shares only the database with http, and uses everything outside only through ports.',
    ),
    layer(
      'notify-only-sends',
      'notify',
      ['http/', 'settlement/', ...outside],
      'notify sends the changes in the outbox. It shares only the database with settlement and http.',
    ),
    layer(
      'running-knows-no-layer',
      'running',
      ['http/', 'usecases/', 'settlement/', 'notify/', ...outside],
      'Loops and work pools serve every layer, so they import no layer.',
    ),
    layer(
      'start-knows-no-command',
      'start',
      ['operator/', 'main\\.ts'],
      'A command starts the service. If the service imported its commands, no program could start the service without them.',
    ),
    {
      name: 'domain-is-pure',
      comment:
        'The domain imports only itself and the protocol’s units and terms, so that its rules about money can be tested in isolation.',
      severity: 'error',
      from: { path: `${server}/domain/`, pathNot: tests },
      to: { pathNot: [`${server}/domain/`, 'packages/protocol/index\\.ts$'] },
    },
    {
      name: 'ports-are-types',
      comment:
        'A port describes what the inner layers need from outside. Code in a port would be an adapter that cannot be replaced.',
      severity: 'error',
      from: {
        path: `${server}/(http|usecases|settlement|notify|running|domain|ports)/`,
        pathNot: tests,
      },
      to: { path: `${server}/ports/`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'ports-import-only-types',
      comment: 'A port names types of the domain and of lower packages, and contains no code.',
      severity: 'error',
      from: { path: `${server}/ports/`, pathNot: tests },
      to: { dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'ports-know-no-layer',
      comment:
        'A port that names a layer or an adapter binds every user of the port to that layer or adapter.',
      severity: 'error',
      from: { path: `${server}/ports/`, pathNot: tests },
      to: { path: `${server}/`, pathNot: `${server}/(ports|domain)/` },
    },
    {
      name: 'adapters-only-from-main',
      comment:
        'Only main, start and operator create adapters, so that no inner code can depend on one of them.',
      severity: 'error',
      from: {
        path: '^(packages|demo|sim|bench|tools|testing|e2e)/',
        pathNot: [`${server}/(main\\.ts$|start/|operator/|adapters/)`, tests, simulations],
      },
      to: { path: `${server}/adapters/` },
    },
    {
      name: 'adapters-know-no-layer',
      comment:
        'An adapter implements a port. If an adapter called a layer, the dependencies would form a cycle.',
      severity: 'error',
      from: { path: `${server}/adapters/`, pathNot: tests },
      to: { path: `${server}/(http|usecases|settlement|notify|start|operator|main\\.ts)` },
    },
    {
      name: 'core-without-solana-client',
      comment:
        'The core calls ports instead of the Solana client, so that the simulator can run exactly the same code.',
      severity: 'error',
      from: { path: `${server}/(domain|usecases|settlement|notify|running)/`, pathNot: tests },
      to: { path: 'node_modules/@solana(-program)?/' },
    },
    {
      name: 'resolvable',
      comment: 'The other rules cannot check an import that does not resolve.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // Type imports are checked too. They are gone after compilation, but cycles of type imports must also be reported.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // Excludes only the build folders of our own code. Most packages in node_modules have their code in dist, and the
    // rules can't see imports of excluded files.
    exclude: {
      path: '^(packages/[^/]+|examples/[^/]+|demo|circuit|program)/(dist|target|artefacts|\\.work)/|^tools/fixtures/',
    },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types'],
    },
    combinedDependencies: true,
  },
}
