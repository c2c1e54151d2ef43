import { register } from 'node:module'
import { MUTANTS } from './mutants.ts'

/** Plants a bug in all modules loaded from now on. @throws Error if the bug isn't known. */
export function plantMutant(name: string): void {
  const mutant = MUTANTS.find((one) => one.name === name)
  if (mutant === undefined) {
    const names = MUTANTS.map((one) => one.name).join(', ')
    throw new Error(`there is no mutant "${name}"; they are ${names}`)
  }
  register(new URL('mutant-hooks.mjs', import.meta.url), { data: mutant.edits })
}
