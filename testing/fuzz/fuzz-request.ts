/** The owner of the request's key; `none` for a missing or invalid key. */
export type Sender = 'own' | 'other' | 'reader' | 'none'

/** What an answer must be, in addition to what the document requires. */
export type Promised =
  | { readonly kind: 'anything' }
  /** The bytes of an earlier answer. */
  | { readonly kind: 'replay'; readonly text: string }
  /** Any answer except success. */
  | { readonly kind: 'refusal' }

/** One request, byte for byte, with the answer that the run expects. */
export interface FuzzRequest {
  /** The kind of change, for the report. */
  readonly kind: string
  readonly method: string
  /** The request's target, in the form of the request line. */
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body?: Uint8Array
  /** False if the request lacks the host that HTTP/1.1 requires. */
  readonly hasHost?: boolean
  /** The connection ends before the whole body is sent. */
  readonly isCutShort?: boolean
  /** True if the parser doesn't accept the request as HTTP, so there may be no request to authenticate. */
  readonly isMalformed?: boolean
  readonly sender: Sender
  /** True if the request wasn't broken. Such requests should mostly succeed. */
  readonly isMeantToSucceed: boolean
  readonly promised: Promised
  /** Added to the run's memory if the request succeeds. */
  readonly sent?: unknown
}

export interface FuzzAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
}
