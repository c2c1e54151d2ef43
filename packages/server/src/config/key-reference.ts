import { z } from 'zod'

/** The location of a signing key: a file, or a signing service that never reveals the key. */
export interface KeyReference {
  readonly kind: 'file' | 'vault' | 'aws-kms'
  /** For `file`, a path. For Vault, the name of a transit key. For KMS, an id or alias. */
  readonly name: string
}

const FORM = /^(file|vault|aws-kms):(.+)$/

function parse(given: string): KeyReference | undefined {
  const [, kind, name] = FORM.exec(given.trim()) ?? []
  return name === undefined ? undefined : { kind: kind as KeyReference['kind'], name }
}

const isReference = (one: KeyReference | undefined): one is KeyReference => one !== undefined

const error = 'must be file:<path>, vault:<transit key> or aws-kms:<key id or alias>'

export const keyReference = z
  .string()
  .transform(parse)
  .refine(isReference, { error })
  .transform((one) => one)

export const keyReferences = z
  .string()
  .transform((given) => given.split(',').map(parse))
  .refine((all) => all.every(isReference), { error: `each ${error}; separate them with commas` })
  .transform((all) => all.filter(isReference))
