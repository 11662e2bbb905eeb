import { readSecrets } from '#server/secrets.ts'

/** What the product signs and seals with in tests. */
export const TEST_SECRET = 'a-secret-for-tests-only'
export const secrets = readSecrets(TEST_SECRET)
