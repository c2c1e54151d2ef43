import { OperatorError } from './operator-error.ts'

const DEFAULT_PORT = 5_432
const NAME = 'SOTTO_DATABASE_URL'
const CREDENTIALS = `PostgreSQL refuses the user or the password of ${NAME}; correct them`

const notThere = (at: string) =>
  `no PostgreSQL server answers at ${NAME} (${at}); start the server or correct the URL`

const unreadable = (path: string, code: string) =>
  `${NAME} names the file ${path}, which can't be read (${code}); correct the path or the permissions of the file`

/** An error of the system or of PostgreSQL. */
interface Failure extends Error {
  readonly code?: string
  readonly syscall?: string
  readonly path?: string
}

/** The corrections, by the code of the system's or of PostgreSQL's error. */
const ADVICE: Readonly<Record<string, (at: string) => string>> = {
  ECONNREFUSED: notThere,
  ETIMEDOUT: (at) =>
    `no PostgreSQL server answers at ${NAME} (${at}) in time; check the network and its firewalls, or correct the URL`,
  ENOTFOUND: (at) => `the host of ${NAME} (${at}) has no address; correct the URL`,
  EAI_AGAIN: (at) =>
    `the host of ${NAME} (${at}) has no address; correct the URL or the name server`,
  '28P01': () => CREDENTIALS,
  '28000': () => CREDENTIALS,
  '3D000': () =>
    `the database of ${NAME} does not exist on its server; create it or correct the URL`,
  '25006': () =>
    `${NAME} leads to a server that can only be read, such as a standby; name the server that can write`,
  '42501': () =>
    `the user of ${NAME} may not create the tables; make this user the owner of the database, or grant it CREATE on the schema`,
  '53300': () =>
    'PostgreSQL has no connection left; raise its max_connections, or run fewer processes',
  '57P03': (at) => `the PostgreSQL server at ${NAME} (${at}) is not ready yet; try again soon`,
}

/** Returns the correction of a database failure; undefined if the failure is unexpected. */
function adviceOf(
  { code = '', syscall, path }: Failure,
  { searchParams }: URL,
): ((at: string) => string) | undefined {
  // A local socket's file is missing.
  if (code === 'ENOENT' && syscall === 'connect') return notThere
  // A parameter of the URL names the file of a certificate or of a key.
  const isNamed =
    syscall === 'open' && path !== undefined && [...searchParams.values()].includes(path)
  return isNamed ? () => unreadable(path, code) : ADVICE[code]
}

/**
 * Explains why the database could not be opened. Returns unexpected errors as they are. The password isn't in the
 * explanation.
 */
export function databaseFailure(error: unknown, databaseUrl: string | undefined): unknown {
  if (!(error instanceof Error) || databaseUrl === undefined) return error
  const url = new URL(databaseUrl)
  const advice = adviceOf(error, url)
  if (advice === undefined) return error
  const { hostname, port } = url
  const at = hostname === '' ? 'a local socket' : `${hostname}:${port === '' ? DEFAULT_PORT : port}`
  return new OperatorError(advice(at), { cause: error })
}
