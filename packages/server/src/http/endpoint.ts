import type { Operation } from '@sotto/contract'
import type { z } from 'zod'
import type { Caller } from '../usecases/access/authenticate.ts'
import type { UseCases } from './use-cases.ts'

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** A request that was authenticated and validated. */
export interface Call<O extends Operation> {
  readonly caller: Caller
  readonly body: Parsed<O['body']>
  readonly query: Parsed<O['query']>
  readonly params: Readonly<Record<string, string>>
  /** The parsed body, before the schema was applied. */
  readonly received: unknown
  /** Returns the value of a header that may appear once. @throws ServiceError INVALID_REQUEST if it appears twice. */
  readonly header: (name: string) => string | undefined
}

/** A response that is already serialised. Bytes are UTF-8. */
export interface ExactAnswer {
  readonly text: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

export interface Endpoint<O extends Operation = Operation> {
  readonly operation: O
  /** Decodes the request, calls a use case and renders its result. The handler does nothing else. */
  readonly handle: (
    call: Call<O>,
    useCases: UseCases,
  ) => Promise<z.input<O['response']> | ExactAnswer>
}

/** Declares an endpoint. Its types come from its operation in the contract. */
export function endpoint<const O extends Operation>(of: Endpoint<O>): Endpoint<O> {
  return of
}

export interface WrittenAnswer {
  readonly payload: string | Buffer
  readonly headers: Readonly<Record<string, string>> | undefined
}

const isExact = (made: unknown): made is ExactAnswer => 'text' in (made as object)

/** Returns the body and headers of an endpoint's result. @throws Error if the result isn't a response. */
export function writtenAnswer(made: unknown): WrittenAnswer {
  if (!isExact(made)) return { payload: JSON.stringify(made), headers: undefined }
  const { text, headers } = made
  return { payload: typeof text === 'string' ? text : Buffer.from(text), headers }
}
