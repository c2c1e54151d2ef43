// The only files that are excluded from a restriction. Each entry is a decision: it names the file, and a
// comment above its list gives the reason. Keep entries as narrow as possible.

// Separate programs, for a terminal or a build. They aren't service code, so the simulator doesn't replay them.
const programs = [
  'demo/**',
  'examples/**',
  'tools/**',
  'bench/**',
  'circuit/**',
  'program/**',
  'deploy/build/**',
  'observe/**',
]

/** Tests may use time and numbers freely. */
export const tests = ['**/*.test.ts', 'testing/**', '**/tests/**', 'e2e/**']

// The simulator can't replay the wall clock, random numbers and timers, so the service uses them through
// ports. The embedded chain, the prover's processes and a partner's host are outside the replay.
export const wallClock = [
  'packages/server/src/adapters/clock/**',
  'packages/localnet/src/**',
  'packages/prover/src/**',
  'packages/sdk/src/host/**',
  // A command's own clock, for pauses and for what doctor compares.
  'packages/cli/src/clock.ts',
  // For clients outside the service, which paces its requests by its own clock.
  'packages/protocol/src/rpc/pace-clock.ts',
  // Reports seeds per second; the simulated runs use only their own clock.
  'sim/main.ts',
  // Reads a browser's clock.
  'packages/web/pages/**',
  ...programs,
]
export const chance = [
  'packages/server/src/adapters/random/**',
  'packages/server/src/adapters/clock/**',
  'packages/localnet/src/**',
  'packages/sdk/src/host/**',
  // Generates the test wallet's key.
  'packages/web/pages/send/test-wallet.ts',
  ...programs,
]
export const timers = [
  'packages/server/src/adapters/clock/**',
  // Collects the lines of one turn of the event loop; waits for nothing else.
  'packages/server/src/adapters/fast/gathered-lines.ts',
  'packages/localnet/src/**',
  'packages/prover-client/src/**',
  'packages/prover/src/**',
  'packages/sdk/src/host/**',
  'packages/cli/src/clock.ts',
  // For clients outside the service, which paces its requests by its own clock.
  'packages/protocol/src/rpc/pace-clock.ts',
  // Waits for a node that limits requests.
  'packages/recovery/src/history/patiently.ts',
  'packages/web/pages/**',
  ...programs,
]

// The service prints through its logger, which redacts; these files print for a person.
export const terminal = [
  'packages/*/src/main.ts',
  'packages/server/src/operator/**',
  'packages/server/src/start/**',
  'packages/cli/src/**',
  'sim/main.ts',
  'sim/cli/**',
  ...programs,
]

// Money is bigint. These files read only numbers that are never money.
export const numbers = [
  // Ports of the network, counts and times among the settings.
  'packages/server/src/config/**',
  'demo/start.ts',
  // Seconds by which the local chain's clock moves.
  'demo/src/passage.ts',
  // Single bytes of a field element.
  'packages/protocol/src/field.ts',
  // Seconds of the chain's clock, for a date.
  'packages/cli/src/output/show-time.ts',
  // Seconds of the chain's clock, for a date.
  'packages/web/pages/look/durations.ts',
  // Seconds to wait, from a header.
  'packages/sdk/src/client/attempt.ts',
  // The lowest bits of a field element.
  'packages/protocol/src/curve-point.ts',
  // Seconds in four bytes.
  'packages/protocol/src/byte-writer.ts',
  // Places of leaves, and hours of the chain's clock.
  'packages/recovery/src/leaves/ring-leaves.ts',
  // Lengths and slots in the log; a count of seconds.
  'packages/localnet/src/log/binary-reader.ts',
  'packages/localnet/src/rpc/params.ts',
  // Seconds that a person enters.
  'examples/browser/page/page.ts',
  'tools/**',
  'bench/**',
  'circuit/**',
]

// These read accounts from their own virtual machine, or are the code that checks owners.
export const bytesOfAccounts = ['packages/protocol/src/program/**', 'program/**']

// One place reads the environment, so that one place documents it.
export const environment = [
  'packages/server/src/config.ts',
  'packages/cli/src/settings/environment.ts',
  '*.config.ts',
  ...programs,
]
