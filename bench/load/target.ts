import type { Dispatcher } from 'undici'

/** One request to send. */
export interface Shot {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body: string | null
}

/** The server that gets the load, and the requests to send. */
export interface Target {
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
  /** Returns the next request; undefined if there are no more. */
  readonly next: () => Shot | undefined
}

/** Thrown if an answer has a status other than 200, because measurements of errors are meaningless. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer'
}

const SHOWN = 300

/**
 * Sends one request and resolves when the whole answer has arrived.
 *
 * @throws UnexpectedAnswer if the answer's status isn't 200.
 */
export function fire(
  dispatcher: Dispatcher,
  headers: Readonly<Record<string, string>>,
  { method, path, body }: Shot,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let status = 0
    let text = ''
    dispatcher.dispatch(
      { method, path, body, headers },
      {
        onConnect: () => undefined,
        onHeaders: (code) => {
          status = code
          return true
        },
        onData: (chunk) => {
          if (status !== 200) text += chunk.toString()
          return true
        },
        onComplete: () => {
          if (status === 200) resolve()
          else reject(new UnexpectedAnswer(`${method} ${path}: ${status} ${text.slice(0, SHOWN)}`))
        },
        onError: reject,
      },
    )
  })
}
