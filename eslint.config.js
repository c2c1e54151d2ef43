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
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' },
      ],
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: {
      parserOptions: {
        // A page for browsers knows other globals than everything else.
        project: [
          './tsconfig.json',
          './examples/browser/tsconfig.json',
          './packages/web/tsconfig.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      // A promise that nobody waits for loses its error, and with it perhaps a payment.
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      // A thrown value without a stack trace cannot be followed to its cause.
      '@typescript-eslint/only-throw-error': 'error',
      // A new status or verdict must break the build wherever it is not handled.
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
    // A test that finds undefined where it expected a value fails anyway.
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  ...restrictions,
)
