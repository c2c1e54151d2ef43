// These names say nothing about the content, so unrelated code collects in files and folders that have them.
const VAGUE = /(^|-)(utils?|common|helpers?|lib|misc)$/
const KEBAB = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

/**
 * The reason why a file or one of its folders needs another name; undefined if the names are good. The path is relative
 * to the repository. A dot at the beginning of a name is allowed, because other programs look for such names.
 *
 * @param {string} file
 * @returns {string | undefined}
 */
export function misleadingName(file) {
  const names = file.split(/[\\/]/).map((part) => part.replace(/^\./, '').split('.')[0])
  for (const name of names) {
    if (!KEBAB.test(name))
      return `Write the name "${name}" in lower case, with hyphens between its words.`
    if (VAGUE.test(name)) return `Name "${name}" after the one thing that it contains.`
  }
  return undefined
}
