import { restrictions } from './tools/lint/restrictions.js'

const sources = ['**/*.ts', '**/*.tsx', '**/*.js', '**/*.mjs', '**/*.cjs']

export default {
  plugins: ['typescript'],
  jsPlugins: ['./tools/lint/restrictions.js'],
  // Only the rules below are in use. Each one prevents a fault.
  categories: { correctness: 'off' },
  // The linter also reports what the compiler would report, with the tsconfig.json that belongs to each file. Pages for
  // browsers have other global variables than the rest of the code.
  options: { typeAware: true, typeCheck: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: [
    '**/node_modules/**',
    '**/dist/**',
    '**/target/**',
    '**/artefacts/**',
    'coverage/**',
    '**/.*/**',
    // Each file in this folder breaks a rule on purpose.
    'tools/fixtures/**',
  ],
  overrides: [
    {
      files: sources,
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
        'no-unused-vars': [
          'error',
          { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none' },
        ],
      },
    },
    {
      files: ['**/*.ts', '**/*.tsx'],
      rules: {
        // If no code awaits a promise, its error is lost, and a payment may be lost with it.
        'typescript/no-floating-promises': 'error',
        'typescript/no-misused-promises': 'error',
        'typescript/await-thenable': 'error',
        // If a thrown value isn't an Error, it has no stack trace, and its cause can't be found.
        'typescript/only-throw-error': 'error',
        // When a new status or verdict is added, the check must fail at every place that doesn't handle it.
        'typescript/switch-exhaustiveness-check': [
          'error',
          { considerDefaultExhaustiveForUnions: false, requireDefaultForNonUnion: true },
        ],
        'typescript/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
        'typescript/no-explicit-any': 'error',
        'typescript/no-non-null-assertion': 'error',
        'typescript/ban-ts-comment': 'error',
        'typescript/no-unnecessary-type-assertion': 'error',
      },
    },
    {
      files: ['**/*.test.ts', 'testing/**/*.ts', '**/tests/**/*.ts'],
      rules: {
        // If a test finds undefined where it expects a value, the test fails anyway.
        'typescript/no-non-null-assertion': 'off',
        // `describe` only groups tests, but the rule would count its callback as one long function.
        'max-lines-per-function': 'off',
      },
    },
    ...restrictions,
  ],
}
