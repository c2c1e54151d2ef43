import ts from 'typescript'

const SHAPE =
  ts.TypeFormatFlags.NoTruncation |
  ts.TypeFormatFlags.InTypeAlias |
  ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType

/**
 * Writes the contract's types in full. The contract's own declarations derive the types from schemas. To read those
 * declarations, a partner's compiler would need the validation library.
 *
 * @throws Error if a name isn't a type of the contract.
 */
export function contractTypes(
  checker: ts.TypeChecker,
  contract: ts.SourceFile,
  names: ReadonlySet<string>,
): string {
  const symbol = checker.getSymbolAtLocation(contract)
  if (symbol === undefined) throw new Error('the contract exports nothing')
  const exported = new Map(
    checker.getExportsOfModule(symbol).map((member) => [member.name, member] as const),
  )
  const lines = [...names].sort().map((name) => {
    const member = exported.get(name)
    if (member === undefined) throw new Error(`the contract has no type ${name}`)
    const isAlias = (member.flags & ts.SymbolFlags.Alias) !== 0
    const target = isAlias ? checker.getAliasedSymbol(member) : member
    const text = checker.typeToString(checker.getDeclaredTypeOfSymbol(target), undefined, SHAPE)
    return `export type ${name} = ${text}\n`
  })
  return lines.join('')
}
