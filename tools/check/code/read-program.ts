import path from 'node:path'
import ts from 'typescript'

/**
 * Creates a compiler program from a configuration file, with all sources and their types. @throws Error if the file
 * can't be read.
 */
export function readProgram(configFile: string): ts.Program {
  const host: ts.ParseConfigFileHost = {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: (problem) => {
      throw new Error(
        `${configFile}: ${ts.flattenDiagnosticMessageText(problem.messageText, '\n')}`,
      )
    },
  }
  const parsed = ts.getParsedCommandLineOfConfigFile(configFile, { noEmit: true }, host)
  if (parsed === undefined) throw new Error(`${configFile} can't be read`)
  const { fileNames: rootNames, options, errors: configFileParsingDiagnostics } = parsed
  // Each node needs a link to its parent, because the linter follows these links.
  const compilerHost = ts.createCompilerHost(options, true)
  return ts.createProgram({ rootNames, options, host: compilerHost, configFileParsingDiagnostics })
}

/** The text that `tsc --noEmit` would print for the program; empty if there is no problem. */
export function compilerProblems(program: ts.Program): string {
  const cwd = process.cwd()
  return ts.formatDiagnostics(ts.sortAndDeduplicateDiagnostics(ts.getPreEmitDiagnostics(program)), {
    getCurrentDirectory: () => cwd,
    getCanonicalFileName: (name) => path.normalize(name),
    getNewLine: () => '\n',
  })
}
