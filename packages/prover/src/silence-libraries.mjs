/**
 * Silences the libraries' console output. Standard output is only for answers. A library's error output could write
 * parts of a request to a log.
 */
export function silenceLibraries() {
  for (const name of ['log', 'info', 'warn', 'error', 'debug']) console[name] = () => undefined
}
