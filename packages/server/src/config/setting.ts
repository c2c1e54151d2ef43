import { z } from 'zod'

/** A setting's texts in the documentation and in error messages. */
export interface SettingText {
  /** The setting's meaning, as a phrase without a full stop. */
  readonly meaning: string
  /** A valid value. */
  readonly example: string
  /** The documentation's text about the default, for settings without a fixed default. */
  readonly defaultText?: string
  /**
   * `value`: the setting is never shown. `url`: the setting is shown without the parts that may be a credential. Both
   * kinds may also be read from a file. The setting with the suffix `_FILE` names that file.
   */
  readonly secret?: 'value' | 'url'
  /** True if a file may give the setting as a table, for example with a value for each mint. */
  readonly isTable?: true
}

const texts = z.registry<SettingText>()

/**
 * Adds documentation to a setting's schema. The schema parses the string that the operator gave; undefined if the
 * operator gave none.
 */
export function setting<Schema extends z.ZodType>(schema: Schema, text: SettingText): Schema {
  // Settings of one kind share a schema, but each setting needs its own text.
  const own = schema.clone()
  texts.add(own, text)
  return own
}

/** Returns the texts of a setting's schema. @throws Error for a schema that isn't a setting. */
export function textOf(schema: z.ZodType): SettingText {
  const text = texts.get(schema)
  if (text === undefined) throw new Error('a setting has no documentation')
  return text
}

/** Settings that belong together, in the order in which they are documented. */
export interface Section {
  readonly title: string
  readonly about: string
  readonly settings: Readonly<Record<string, z.ZodType>>
}
