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
  // Each file in this folder breaks a rule on purpose.
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
      // A file with more than 300 lines contains more than one thing. Find the second thing and move it into a file
      // with its own name.
      'max-lines': ['error', 300],
      // A function with 70 lines or more is hard to understand at once. Move its steps into functions with names.
      'max-lines-per-function': ['error', 69],
      // A task that is noted only in a comment is easily forgotten. Do the task, or open an issue.
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
      // The names in this list have no meaning, so unrelated code collects in these files. Name the file after the one
      // thing that it contains.
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
        // Pages for browsers have other global variables than the rest of the code.
        project: [
          './tsconfig.json',
          './examples/browser/tsconfig.json',
          './packages/web/tsconfig.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      // If no code awaits a promise, its error is lost, and a payment may be lost with it.
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      // If a thrown value isn't an Error, it has no stack trace, and its cause can't be found.
      '@typescript-eslint/only-throw-error': 'error',
      // When a new status or verdict is added, the check must fail at every place that doesn't handle it.
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
      // If a test finds undefined where it expects a value, the test fails anyway.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // `describe` only groups tests, but the rule would count its callback as one long function.
      'max-lines-per-function': 'off',
    },
  },
  ...restrictions,
)
