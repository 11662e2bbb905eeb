import { readSecrets } from '#server/secrets.ts'

/** What the product signs and seals with in tests. */
export const secrets = readSecrets('a-secret-for-tests-only')
