/** Builds the pages into a folder, from which the service serves them. */
export { buildPages, BUILT_PAGES } from './src/build-pages.ts'
export {
  bundledPackages,
  LICENCES_FILE,
  licencesText,
  packageLicences,
  termsIn,
  usualTerms,
  type ThirdParty,
} from './src/third-party-licences.ts'
