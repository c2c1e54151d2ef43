/** An object of the OpenAPI document. */
export type Json = Record<string, unknown>
