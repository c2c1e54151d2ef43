import path from 'node:path'
import ts from 'typescript'

/** The sources of a configuration of the compiler, with their types. @throws Error if it can't be read. */
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
  // The linter needs each node's parent.
  const compilerHost = ts.createCompilerHost(options, true)
  return ts.createProgram({ rootNames, options, host: compilerHost, configFileParsingDiagnostics })
}

/** The output of `tsc --noEmit` for the program; empty if there is no problem. */
export function compilerProblems(program: ts.Program): string {
  const cwd = process.cwd()
  return ts.formatDiagnostics(ts.sortAndDeduplicateDiagnostics(ts.getPreEmitDiagnostics(program)), {
    getCurrentDirectory: () => cwd,
    getCanonicalFileName: (name) => path.normalize(name),
    getNewLine: () => '\n',
  })
}
