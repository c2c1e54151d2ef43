/** Whose key a request carries; `none` for anything that must be refused. */
export type Sender = 'own' | 'other' | 'reader' | 'none'

/** What an answer must be, besides documented. */
export type Promised =
  | { readonly kind: 'anything' }
  /** The bytes of an earlier answer. */
  | { readonly kind: 'replay'; readonly text: string }
  /** Anything but success. */
  | { readonly kind: 'refusal' }

/** One request, byte for byte, and what is known about it. */
export interface FuzzRequest {
  /** What was done, for the report. */
  readonly kind: string
  readonly method: string
  /** As in the request line. */
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body?: Uint8Array
  /** False if the request names no host, which HTTP/1.1 demands. */
  readonly hasHost?: boolean
  /** The connection ends before the body does. */
  readonly isCutShort?: boolean
  /** Not valid HTTP for the parser, so there may be no request to authenticate. */
  readonly isMalformed?: boolean
  readonly sender: Sender
  /** Nothing was broken: it should mostly succeed. */
  readonly isMeantToSucceed: boolean
  readonly promised: Promised
  /** Added to the run's memory if it succeeds. */
  readonly sent?: unknown
}

export interface FuzzAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
}
