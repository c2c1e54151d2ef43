import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Small files whose tests take long. If vitest started one of these files last, one core would be busy while the other
 * cores were idle.
 */
const LONG = [
  'packages/web/tests/pages.test.ts',
  'observe/script/state-privacy.test.ts',
  'observe/script/shared-payees.test.ts',
  'sim/tests/replay.test.ts',
  'testing/privacy/node/curious-node.test.ts',
  'program/tests/random/sequences.test.ts',
  'observe/self-test/self-test.test.ts',
  'sim/tests/mutants.test.ts',
  'testing/privacy/privacy.test.ts',
  'observe/observe-chain.test.ts',
  'packages/server/tests/settlement/payments.test.ts',
]

/** Orders test files by size, as vitest does, with the largest first. Puts the files in `LONG` before all others. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.endsWith(name))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
