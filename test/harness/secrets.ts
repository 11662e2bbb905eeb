import { readSecrets } from '#server/secrets.ts'

/** The installation's secret in tests. */
export const TEST_SECRET = 'a-secret-for-tests-only'
export const secrets = readSecrets(TEST_SECRET)
