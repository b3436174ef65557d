export default {
  globalSetup: '<rootDir>/test/global-build.mjs',
  testEnvironment: 'node',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'es6' } },
    ],
  },
  testPathIgnorePatterns: ['/node_modules/', '/fixtures/', '<rootDir>/demo/sample/'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/demo/sample/'],
  // Most suites wait for real processes; jest's own default would leave one of two cores idle.
  maxWorkers: '100%',
  testTimeout: 60_000,
};
