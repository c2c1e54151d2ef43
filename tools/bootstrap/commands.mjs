const tsx = ['--import', 'tsx']
const vitest = ['node_modules/vitest/vitest.mjs', 'run']

/** The commands, each with the arguments for Node. Null means that the command only installs the dependencies. */
export const commands = {
  build: {
    nodeArgs: tsx.concat('deploy/build/main.ts'),
    does: 'write the deployable service to dist/service',
  },
  demo: { nodeArgs: tsx.concat('demo/main.ts'), does: 'run real transfers against a local chain' },
  start: {
    nodeArgs: tsx.concat('demo/start.ts'),
    does: 'keep the local chain and service running',
  },
  e2e: {
    nodeArgs: tsx.concat('e2e/main.ts'),
    does: 'run every kind of transfer against a cluster',
  },
  validator: {
    nodeArgs: tsx.concat('tools/validator/main.ts'),
    does: 'keep a real validator running, with the program deployed',
  },
  'e2e:replicas': {
    nodeArgs: tsx.concat('testing/replicas/main.ts'),
    does: 'replace and kill replicas of the service under load',
  },
  bench: {
    nodeArgs: tsx.concat('bench/main.ts'),
    does: 'measure the product, and compare it with baselines that the same run measures',
  },
  fuzz: {
    nodeArgs: tsx.concat('testing/fuzz/main.ts'),
    does: 'compare the answers to valid and broken requests with the service’s OpenAPI document',
  },
  soak: {
    nodeArgs: tsx.concat('testing/soak/main.ts'),
    does: 'run orders and attacks on the whole service while nodes fail and processes are killed',
  },
  sim: {
    nodeArgs: tsx.concat('sim/main.ts'),
    does: 'simulate settlement on a virtual clock with seeded faults',
  },
  observe: {
    nodeArgs: tsx.concat('observe/main.ts'),
    does: 'measure what the public chain reveals about who pays whom',
  },
  mutation: {
    nodeArgs: tsx.concat('testing/mutation/main.ts'),
    does: 'make small changes to code for money, quotes, states and verification, and check that a test notices each',
  },
  test: { nodeArgs: vitest, does: 'run the tests' },
  'test:long': {
    nodeArgs: vitest.concat('--config', 'vitest.long.config.ts'),
    does: 'run the slow tests',
  },
  check: {
    nodeArgs: tsx.concat('tools/check/main.ts'),
    does: 'check format, lint, types, imports and further rules of the repository',
  },
  lint: {
    nodeArgs: ['node_modules/oxlint/bin/oxlint', '--config=oxlint.config.js', '.'],
    does: 'run only the linter and the type checker',
  },
  format: {
    nodeArgs: ['node_modules/oxfmt/bin/oxfmt', '.'],
    does: 'format every file',
  },
  'program:verify': {
    nodeArgs: tsx.concat('program/verify.ts'),
    does: 'rebuild the on-chain program and compare its bytes',
  },
  'quickstart-test': {
    nodeArgs: tsx.concat('tools/quickstart/main.ts'),
    does: 'follow docs/quick-start.md, docs/raw-http.md and docs/balances.md exactly, and compare the output',
  },
  'deployment-test': {
    nodeArgs: tsx.concat('tools/deployment/main.ts'),
    does: 'run every command of docs/deployment/cluster.md on a real validator',
  },
  'kit-range': {
    nodeArgs: tsx.concat('testing/kit-range/main.ts'),
    does: 'pay through the SDK with the oldest and the newest @solana/kit that it accepts',
  },
  'sdk:build': {
    nodeArgs: tsx.concat('tools/sdk-package/main.ts'),
    does: 'write to packages/sdk/dist the package that partners install',
  },
  pack: {
    nodeArgs: tsx.concat('tools/release/main.ts'),
    does: 'write the tarballs of the published packages to dist/packages',
  },
  install: { nodeArgs: null, does: 'only install the dependencies' },
}

/** The text to print if the command's name is missing or unknown. */
export function describeCommands(name) {
  const lines = Object.keys(commands).map((key) => `  ${key.padEnd(14)} ${commands[key].does}`)
  const complaint = name === undefined ? 'No command given.' : `Unknown command "${name}".`
  return `${complaint} Use: node tools/bootstrap.mjs <command> [arguments]\n${lines.join('\n')}`
}
