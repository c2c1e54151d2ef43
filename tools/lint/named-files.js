// The only files that are excluded from a restriction. The comment above a list or an entry gives the reason for the
// exclusion. Keep entries as narrow as possible.

// Programs for a terminal or a build. They aren't part of the service, so the simulator doesn't replay them.
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

/** Tests may use the clock, random numbers, timers and numbers without restriction. */
export const tests = ['**/*.test.ts', 'testing/**', '**/tests/**', 'e2e/**']

// The simulator can't replay the wall clock, random numbers and timers, so the service uses them only through ports.
// The simulator doesn't replay the embedded chain, the prover's processes and a partner's host, so their code may use
// all three directly.
export const wallClock = [
  'packages/server/src/adapters/clock/**',
  'packages/localnet/src/**',
  'packages/prover/src/**',
  'packages/sdk/src/host/**',
  // The clock of the `sotto` command. It is used for pauses, and for the times that `doctor` compares.
  'packages/cli/src/clock.ts',
  // Used by clients outside of the service, which limit the rate of their requests by their own clock.
  'packages/protocol/src/rpc/pace-clock.ts',
  // Used by recovery, which runs outside of the service, to refuse a node whose clock is wrong.
  'packages/recovery/src/shown-time.ts',
  // Prints the number of seeds per second. The simulated runs use only their virtual clock.
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
  // Draws random ids for questions that the command asks, for attempts and for runs.
  'packages/cli/src/draw-id.ts',
  // Draws names that must be unique and hard to guess, and a waiting time that must not be predictable.
  'packages/web/pages/send/model/chance.ts',
  // Generates the test wallet's key.
  'packages/web/pages/send/test-wallet.ts',
  ...programs,
]
export const timers = [
  'packages/server/src/adapters/clock/**',
  // Collects the log lines of one turn of the event loop, and waits only for the end of that turn.
  'packages/server/src/adapters/fast/gathered-lines.ts',
  'packages/localnet/src/**',
  'packages/prover-client/src/**',
  'packages/prover/src/**',
  'packages/sdk/src/host/**',
  'packages/cli/src/clock.ts',
  // Used by clients outside of the service, which limit the rate of their requests by their own clock.
  'packages/protocol/src/rpc/pace-clock.ts',
  // Empties caches, whose contents never change a result.
  'packages/protocol/src/forget-later.ts',
  // Waits between requests to a node that limits their rate.
  'packages/recovery/src/history/patiently.ts',
  'packages/web/pages/**',
  ...programs,
]

// The service prints only through its logger, which removes secrets. These files print text for people.
export const terminal = [
  'packages/*/src/main.ts',
  'packages/server/src/operator/**',
  'packages/server/src/start/**',
  'packages/cli/src/**',
  'sim/main.ts',
  'sim/cli/**',
  ...programs,
]

// Amounts of money are bigint. These files only convert numbers that are never money.
export const numbers = [
  // Converts a probability that a quote states.
  'observe/local/send-transfer.ts',
  // Converts ports, counts and times in the settings.
  'packages/server/src/config/**',
  'demo/start.ts',
  // Converts the seconds by which the local chain's clock is advanced.
  'demo/src/passage.ts',
  // Converts single bytes of a field element.
  'packages/protocol/src/field.ts',
  // Converts seconds of the chain's clock to a date.
  'packages/cli/src/output/show-time.ts',
  'packages/recovery/src/shown-time.ts',
  // Converts seconds of the chain's clock to a date.
  'packages/web/pages/look/durations.ts',
  // Converts seconds of the chain's clock to a date.
  'packages/sdk/src/host/iso-time.ts',
  // Converts a number of wallets.
  'packages/sdk/src/privacy/privacy-in-words.ts',
  // Converts the seconds to wait, which a header states.
  'packages/sdk/src/client/attempt.ts',
  // Converts the lowest bits of a field element.
  'packages/protocol/src/legendre.ts',
  // Converts seconds that are stored in four bytes.
  'packages/protocol/src/byte-writer.ts',
  // Converts indexes of leaves, and hours of the chain's clock.
  'packages/recovery/src/leaves/ring-leaves.ts',
  // Converts lengths and slots in the log, and a number of seconds.
  'packages/localnet/src/log/binary-reader.ts',
  'packages/localnet/src/rpc/params.ts',
  // Converts seconds that a person enters.
  'examples/browser/page/page.ts',
  'tools/**',
  'bench/**',
  'circuit/**',
]

// Amounts of money have the type Amount. In these files, variables that are named like amounts may be negative or
// exceed u64, or they belong to other programs.
export const plainMoney = [
  // The fee functions solve equations. Only their caller knows which results can be paid.
  'packages/server/src/domain/fees.ts',
  // A partner states the terms that it expects of a transfer, from its own records.
  'packages/sdk/src/verify/expected-transfer.ts',
  // Code of the chain, the circuit, the program and the simulator, which compute with plain integers.
  'packages/localnet/**',
  'circuit/**',
  'program/**',
  'sim/**',
  // The reports of these folders compare sums of many transfers.
  'bench/**',
  'demo/**',
  'observe/**',
]

// These files read accounts from their own virtual machine, or contain the code that checks the owners of accounts.
export const bytesOfAccounts = ['packages/protocol/src/program/**', 'program/**']

// Only these files read the environment, so all variables are documented in one place.
export const environment = [
  'packages/server/src/config.ts',
  'packages/cli/src/settings/environment.ts',
  '*.config.ts',
  ...programs,
]
