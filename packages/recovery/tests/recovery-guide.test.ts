import { readFile } from 'node:fs/promises'
import ts from 'typescript'
import { expect, it } from 'vitest'

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')

/** The members of the union type with this name, as its source file declares them. */
function declaredCodes(source: string, type: string): string[] {
  const file = ts.createSourceFile('codes.ts', source, ts.ScriptTarget.Latest, true)
  const union = file.statements
    .filter(ts.isTypeAliasDeclaration)
    .find(({ name }) => name.text === type)
  return (union?.getText().match(/'[A-Z_]+'/g) ?? []).map((text) => text.slice(1, -1))
}

it('the recovery guide has a row for every error code', async () => {
  const codes = [
    ...declaredCodes(await read('../src/recovery-error.ts'), 'RecoveryErrorCode'),
    ...declaredCodes(await read('../src/landing-error.ts'), 'LandingErrorCode'),
  ]
  expect(codes.length).toBeGreaterThan(3)
  const rows = [...(await read('../../../docs/recovery.md')).matchAll(/^\| `([A-Z_]+)` *\|/gm)]
  expect(rows.map(([, code]) => code).sort()).toEqual([...codes].sort())
})
