import { createHash } from 'node:crypto'

/** What is stored of the secret of a link or session: its SHA-256. The secret has 256 random bits, so it needs no salt. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()
