// The only files that are excluded from a restriction. Each entry is a decision. The comment above a list gives the
// reason for its entries. Keep entries as narrow as possible.

// Separate programs, for a terminal or a build. They aren't part of the service, so the simulator doesn't replay them.
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

// The simulator can't replay the wall clock, random numbers and timers, so the service uses them through ports. The
// embedded chain, the prover's processes and a partner's host are outside of the replay.
export const wallClock = [
  'packages/server/src/adapters/clock/**',
  'packages/localnet/src/**',
  'packages/prover/src/**',
  'packages/sdk/src/host/**',
  // The clock of a command, for pauses and for the times that doctor compares.
  'packages/cli/src/clock.ts',
  // For clients outside of the service. They pace their requests by their own clock.
  'packages/protocol/src/rpc/pace-clock.ts',
  // Reports seeds per second. The simulated runs use only their own clock.
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
  // Draws the ids of questions to a person.
  'packages/cli/src/mcp/ledger/draw-id.ts',
  // Names that must be unique and hard to guess, and a waiting time that no one may predict.
  'packages/web/pages/send/model/chance.ts',
  // Generates the test wallet's key.
  'packages/web/pages/send/test-wallet.ts',
  ...programs,
]
export const timers = [
  'packages/server/src/adapters/clock/**',
  // Collects the lines of one turn of the event loop. It waits for nothing else.
  'packages/server/src/adapters/fast/gathered-lines.ts',
  'packages/localnet/src/**',
  'packages/prover-client/src/**',
  'packages/prover/src/**',
  'packages/sdk/src/host/**',
  'packages/cli/src/clock.ts',
  // For clients outside of the service. They pace their requests by their own clock.
  'packages/protocol/src/rpc/pace-clock.ts',
  // Waits for a node that limits requests.
  'packages/recovery/src/history/patiently.ts',
  'packages/web/pages/**',
  ...programs,
]

// The service prints through its logger, which removes secrets. These files print for people.
export const terminal = [
  'packages/*/src/main.ts',
  'packages/server/src/operator/**',
  'packages/server/src/start/**',
  'packages/cli/src/**',
  'sim/main.ts',
  'sim/cli/**',
  ...programs,
]

// Money is bigint. These files only read numbers that are never money.
export const numbers = [
  // A chance that a quote states.
  'observe/local/send-transfer.ts',
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
  'packages/protocol/src/legendre.ts',
  // Seconds in four bytes.
  'packages/protocol/src/byte-writer.ts',
  // Places of leaves, and hours of the chain's clock.
  'packages/recovery/src/leaves/ring-leaves.ts',
  // Lengths and slots in the log, and a count of seconds.
  'packages/localnet/src/log/binary-reader.ts',
  'packages/localnet/src/rpc/params.ts',
  // Seconds that a person enters.
  'examples/browser/page/page.ts',
  'tools/**',
  'bench/**',
  'circuit/**',
]

// Money has the type Amount. In these files the named numbers may be negative, exceed u64, or belong to other programs.
export const plainMoney = [
  // The functions of the fees solve equations, and only their caller knows which results can be paid.
  'packages/server/src/domain/fees.ts',
  // A partner states the transfer that it expects, from its own records.
  'packages/sdk/src/verify/expected-transfer.ts',
  // A separate chain and a separate circuit, which treat amounts as machine integers.
  'packages/localnet/**',
  'circuit/**',
  'program/**',
  'sim/**',
  // Their reports compare sums of many transfers.
  'bench/**',
  'demo/**',
  'observe/**',
]

// These files read accounts from their own virtual machine, or are the code that checks owners.
export const bytesOfAccounts = ['packages/protocol/src/program/**', 'program/**']

// Only one place reads the environment, so that one place documents it.
export const environment = [
  'packages/server/src/config.ts',
  'packages/cli/src/settings/environment.ts',
  '*.config.ts',
  ...programs,
]
