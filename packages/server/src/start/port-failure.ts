import { OperatorError } from './operator-error.ts'

/** Explains why a server could not listen. Returns unexpected errors as they are. */
export function portFailure(
  error: unknown,
  name: 'SOTTO_PORT' | 'SOTTO_METRICS_PORT',
  port: number,
): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const explained = (message: string) => new OperatorError(message, { cause: error })
  switch (code) {
    case 'EADDRINUSE':
      return explained(
        `port ${port} is in use; stop the program that uses it, or set ${name} to another port`,
      )
    case 'EACCES':
      return explained(`this user may not listen on port ${port}; set ${name} to 1024 or more`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return explained('SOTTO_HOST is not an address of this machine; correct SOTTO_HOST')
    default:
      return error
  }
}
