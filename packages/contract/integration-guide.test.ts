import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { ERRORS } from './index.ts'

const page = new URL('../../docs/integration.md', import.meta.url)

it('the integration guide and the registry agree on every error’s next step', async () => {
  const text = await readFile(page, 'utf8')
  const rows = [...text.matchAll(/^\| `([A-Z_]+)` *\| (\d+) *\| `(\w+)` *\| (.*?) *\|$/gm)]
  const told = rows.map(([, code, status, retry, next]) => [code, `${status} ${retry} ${next}`])
  const registered = Object.entries(ERRORS).map(([code, { status, retry, nextStep }]) => [
    code,
    `${status} ${retry} ${nextStep}`,
  ])
  expect(told.length).toBe(registered.length)
  expect(Object.fromEntries(told)).toEqual(Object.fromEntries(registered))
})
