import { z } from 'zod'

/** A setting's text in the documentation and in error messages. */
export interface SettingText {
  /** The setting's meaning, as a phrase without a full stop. */
  readonly meaning: string
  /** A valid value. */
  readonly example: string
  /** The documentation's text about the default, if there is no fixed default. */
  readonly defaultText?: string
  /**
   * `value`: the setting is never shown. `url`: it is shown without the parts that may be a credential. Both kinds may
   * also come from a file: the setting with the suffix `_FILE` is the file's path.
   */
  readonly secret?: 'value' | 'url'
}

const texts = z.registry<SettingText>()

/**
 * A schema of a setting's text, with the setting's documentation. The value is undefined if the setting wasn't given.
 */
export function setting<Schema extends z.ZodType>(schema: Schema, text: SettingText): Schema {
  // Settings of one kind share a schema, but each needs its own text.
  const own = schema.clone()
  texts.add(own, text)
  return own
}

/** The text of a setting's schema. @throws Error for a schema that isn't a setting. */
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
