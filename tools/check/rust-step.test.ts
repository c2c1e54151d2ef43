import { afterEach, expect, test, vi } from 'vitest'
import { rustStep } from './rust-step.ts'

afterEach(() => vi.unstubAllEnvs())

/** Runs the step as if the machine had no cargo. */
async function withoutCargo(ci: string | undefined) {
  vi.stubEnv('PATH', '/nowhere')
  vi.stubEnv('CI', ci)
  return await rustStep.run()
}

test('a machine without the Rust tools skips the Rust checks', async () => {
  const outcomes = await withoutCargo(undefined)
  expect(outcomes.map(({ problems, skipped }) => [problems, skipped])).toEqual([
    [[], 'cargo fmt is not installed'],
    [[], 'cargo fmt is not installed'],
    [[], 'cargo clippy is not installed'],
  ])
})

test('in continuous integration, a missing Rust tool is a failure', async () => {
  const outcomes = await withoutCargo('true')
  expect(outcomes.map(({ skipped }) => skipped)).toEqual([undefined, undefined, undefined])
  expect(outcomes.flatMap(({ problems }) => problems)).toEqual([
    expect.stringContaining('cargo fmt is not installed'),
    expect.stringContaining('cargo fmt is not installed'),
    expect.stringContaining('cargo clippy is not installed'),
  ])
})
