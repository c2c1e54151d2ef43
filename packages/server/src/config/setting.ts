import { z } from 'zod'

/** A setting's text in the documentation and in error messages. */
export interface SettingText {
  /** The setting's meaning, as a phrase without a full stop. */
  readonly meaning: string
  /** A valid value. */
  readonly example: string
  /** Shown as the default if there is no fixed default. */
  readonly defaultText?: string
  /**
   * `value`: never shown. `url`: shown without the parts that may be a credential. Either may also come from a file,
   * whose path is in the setting with the suffix `_FILE`.
   */
  readonly secret?: 'value' | 'url'
}

const texts = z.registry<SettingText>()

/** A schema of a setting's text, with its documentation; undefined if it wasn't given. */
export function setting<Schema extends z.ZodType>(schema: Schema, text: SettingText): Schema {
  // Schemas of one kind are shared, and each setting's text must be its own.
  const own = schema.clone()
  texts.add(own, text)
  return own
}

/** @throws Error for a schema that isn't a setting. */
export function textOf(schema: z.ZodType): SettingText {
  const text = texts.get(schema)
  if (text === undefined) throw new Error('a setting without a text')
  return text
}

/** Settings that belong together, in the order in which they are documented. */
export interface Section {
  readonly title: string
  readonly about: string
  readonly settings: Readonly<Record<string, z.ZodType>>
}
