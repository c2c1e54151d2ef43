/** The owner of the request's key; `none` for a missing or invalid key. */
export type Sender = 'own' | 'other' | 'reader' | 'none'

/** A requirement for the answer, in addition to the requirements of the OpenAPI document. */
export type Promised =
  | { readonly kind: 'anything' }
  /** The answer must have the bytes of an earlier answer. */
  | { readonly kind: 'replay'; readonly text: string }
  /** The answer may be anything except success. */
  | { readonly kind: 'refusal' }

/** One request, byte for byte, and the run's requirement for the answer. */
export interface FuzzRequest {
  /** The kind of request in the report, such as `quote altered`. */
  readonly kind: string
  readonly method: string
  /** The request's target as in the request line. */
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body?: Uint8Array
  /** False if the request lacks the host that HTTP/1.1 requires. */
  readonly hasHost?: boolean
  /** True if the connection ends before the whole body is sent. */
  readonly isCutShort?: boolean
  /** True if the HTTP parser may refuse the request before the service authenticates it. */
  readonly isMalformed?: boolean
  readonly sender: Sender
  /** True if nothing in the request was broken. Most of these requests should succeed. */
  readonly isMeantToSucceed: boolean
  readonly promised: Promised
  /** The data that the run remembers if the request succeeds. */
  readonly sent?: unknown
}

export interface FuzzAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
}
