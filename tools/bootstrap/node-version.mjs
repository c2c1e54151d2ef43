/** The minimum version of Node. A test checks that it equals `engines.node` in package.json. */
export const nodeVersionMin = '20.18.0'

/**
 * The error message if `version`, such as "20.18.1", is too old; otherwise null. Pre-release suffixes are ignored, so
 * a nightly build of a supported version is accepted.
 */
export function tooOldMessage(version) {
  if (compareVersions(version, nodeVersionMin) >= 0) return null
  return (
    `Sotto needs Node ${nodeVersionMin} or newer; this is Node ${version}.\n` +
    'Install a current version from https://nodejs.org and run the command again.'
  )
}

function compareVersions(left, right) {
  const a = left.split('-')[0].split('.').map(Number)
  const b = right.split('-')[0].split('.').map(Number)
  for (let index = 0; index < 3; index += 1) {
    if (a[index] !== b[index]) return a[index] < b[index] ? -1 : 1
  }
  return 0
}
