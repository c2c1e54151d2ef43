import { z } from 'zod'

/** What a reader of the documentation, or of a mistake, is told of a setting. */
export interface SettingText {
  /** What it decides, as a phrase without a full stop. */
  readonly meaning: string
  /** A value that would be right. */
  readonly example: string
  /** Shown as the default where no fixed value is one. */
  readonly defaultText?: string
  /**
   * `value`: never shown. `url`: shown without what may be a credential in it. Either may also come from
   * a file, named by the setting's name with `_FILE` behind it.
   */
  readonly secret?: 'value' | 'url'
}

const texts = z.registry<SettingText>()

/** A schema over the text of a setting, with what is said of it; undefined where it wasn't given. */
export function setting<Schema extends z.ZodType>(schema: Schema, text: SettingText): Schema {
  // Schemas of one kind are shared, and each setting's text must be its own.
  const own = schema.clone()
  texts.add(own, text)
  return own
}

/** @throws Error for a schema that is no setting. */
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
