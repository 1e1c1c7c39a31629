import { URL } from 'node:url';

import js from '@eslint/js';
import ts from 'typescript-eslint';

/** Folders under src that a folder may not import: arrows point inward, to the domain. */
const mayNotImport = (...folders) => ({
  patterns: [
    {
      regex: `^(\\.\\./)+(${folders.join('|')})/`,
      message: 'The layout says what a folder may know; see docs/architecture.md.',
    },
  ],
});

/** All of src/app but what it asks of the store, which the store is written against. */
const useCases = 'app(?!/store(d|-errors)?\\.js)';

/** What the decision core may import: its own files, by how they begin, and a few libraries. */
const purely = (ownFiles) => ({
  paths: [
    {
      name: 'node:crypto',
      allowImportNames: ['createHash'],
      message: 'The core draws no random numbers.',
    },
  ],
  patterns: [
    {
      regex: `^(?!${ownFiles}|node:crypto$|@sinclair/typebox$|canonicalize$|temporal-polyfill$)`,
      message: 'The decision core is pure: no I/O, no framework, and nothing of the outer folders.',
    },
  ],
});

export default ts.config(
  { ignores: ['src/client/dist/**', 'src/client/generated/**'] },
  js.configs.recommended,
  ts.configs.strictTypeChecked,
  ts.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: './test/tsconfig.json',
        tsconfigRootDir: new URL('..', import.meta.url).pathname,
      },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-definitions': 'off',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only src/config.ts reads the environment.' },
      ],
    },
  },
  {
    files: ['src/domain/**'],
    rules: {
      'no-restricted-imports': ['error', purely('\\./')],
      'no-restricted-globals': [
        'error',
        'Date',
        'process',
        'console',
        'fetch',
        'setTimeout',
        'performance',
        'crypto',
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'The core draws no random numbers.' },
        { object: 'Temporal', property: 'Now', message: 'The core reads no clock: now is an input.' },
      ],
    },
  },
  {
    files: ['src/domain/*/**'],
    rules: { 'no-restricted-imports': ['error', purely('\\./|\\.\\./(?!\\.\\.)')] },
  },
  {
    files: ['src/store/**'],
    rules: { 'no-restricted-imports': ['error', mayNotImport(useCases, 'http', 'cli')] },
  },
  {
    files: ['src/app/**'],
    rules: { 'no-restricted-imports': ['error', mayNotImport('store', 'http', 'cli')] },
  },
  {
    files: ['src/observability/**'],
    rules: { 'no-restricted-imports': ['error', mayNotImport('app', 'store', 'http', 'cli')] },
  },
  {
    files: ['src/client/**'],
    ignores: ['src/client/scripts/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        mayNotImport('app', 'cli', 'domain', 'evals', 'http', 'receipts', 'store'),
      ],
    },
  },
  {
    files: ['src/client/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '^(node:|\\.\\./)', message: 'The core of the client runs on edge runtimes too.' },
          ],
        },
      ],
      'no-restricted-globals': ['error', 'process', 'Buffer', 'require'],
    },
  },
  {
    files: ['src/evals/oracle.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '.', message: 'The oracle is a measure for the gate: it knows nothing of it.' },
          ],
        },
      ],
    },
  },
  {
    files: ['src/http/**'],
    rules: { 'no-restricted-imports': ['error', mayNotImport('store', 'cli')] },
  },
  { files: ['src/config.ts', 'test/**'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: ['test/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { name: 'vitest', importNames: ['test'], message: 'A test is called "it" here.' },
      ],
    },
  },
  { files: ['**/*.js'], extends: [ts.configs.disableTypeChecked] },
);
