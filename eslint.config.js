import checkFile from 'eslint-plugin-check-file'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'
import { restrictions } from './tools/lint/restrictions.js'

const ignored = [
  '**/node_modules/**',
  '**/dist/**',
  '**/target/**',
  '**/artefacts/**',
  'coverage/**',
  '**/.*/**',
  // Each of these files breaks a rule on purpose.
  'tools/fixtures/**',
]

export default defineConfig(
  { ignores: ignored },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts', '**/*.tsx', '**/*.js', '**/*.mjs', '**/*.cjs'],
    extends: [tseslint.configs.base],
    rules: {
      eqeqeq: 'error',
      'no-eval': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'no-empty': 'error',
      'no-self-compare': 'error',
      // A file over 300 lines contains more than one thing: find the second and give it a name.
      'max-lines': ['error', 300],
      // A function of 70 lines or more is hard to read at once: move its steps into named functions.
      'max-lines-per-function': ['error', 69],
      // A mark in the code is a task that is on no list: do the task, or open an issue.
      'no-warning-comments': [
        'error',
        { terms: ['todo', 'fixme', 'xxx', 'hack'], location: 'anywhere' },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' },
      ],
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx', '**/*.js', '**/*.mjs', '**/*.cjs'],
    plugins: { 'check-file': checkFile },
    rules: {
      'check-file/filename-naming-convention': [
        'error',
        { '**/*': 'KEBAB_CASE' },
        { ignoreMiddleExtensions: true },
      ],
      'check-file/folder-naming-convention': ['error', { '**/': 'KEBAB_CASE' }],
      // Such a name says nothing, so everything ends up in the file. Name the file after the one thing inside.
      'check-file/filename-blocklist': [
        'error',
        Object.fromEntries(
          ['utils', 'util', 'common', 'helpers', 'helper', 'lib', 'misc'].flatMap((name) => [
            [`**/${name}.*`, '*-thing.*'],
            [`**/*-${name}.*`, '*-thing.*'],
            [`**/${name}/**`, '*-thing/*'],
          ]),
        ),
      ],
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: {
      parserOptions: {
        // A page for browsers has other globals than the rest.
        project: [
          './tsconfig.json',
          './examples/browser/tsconfig.json',
          './packages/web/tsconfig.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      // A promise that isn't awaited loses its error, and perhaps a payment with it.
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      // A thrown value without a stack trace cannot be followed to its cause.
      '@typescript-eslint/only-throw-error': 'error',
      // A new status or verdict must break the build at every place that doesn't handle it.
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: false, requireDefaultForNonUnion: true },
      ],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'separate-type-imports' },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/ban-ts-comment': 'error',
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
    },
  },
  {
    files: ['**/*.test.ts', 'testing/**/*.ts', '**/tests/**/*.ts'],
    rules: {
      // A test that finds undefined where it expected a value fails anyway.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // `describe` only groups tests, but its callback counts as one function.
      'max-lines-per-function': 'off',
    },
  },
  ...restrictions,
)
