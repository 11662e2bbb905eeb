import type pg from 'pg'
import type { Site } from '#contract/marketing/site/site.ts'
import type { DatabaseWatch } from '#server/database/database-watch.ts'
import type { Quota } from '#server/files/index.ts'
import type { CountGuess } from '#server/identity/index.ts'
import type { Outbox } from '#server/mail/index.ts'
import type { FileStorage } from '#server/outside/file-storage.ts'
import type { PictureAddress } from '../site/site-vehicles.ts'
import type { FormInbox } from './form-inbox.ts'
import type { FormReaders } from './form-readers.ts'
import type { ProofParts } from './form-view.ts'

/** What receives forms while the database is away. */
export type LaterParts = Readonly<{
  watch: DatabaseWatch
  inbox: FormInbox
  /** Counts a form without a proof of work of its own. `nonce`: of its proof. @throws Failure 429 */
  count: (of: { network: string; nonce: string | null; content: string }) => void
}>

/** What shows and receives forms. */
export type FormParts = ProofParts & {
  pool: pg.Pool
  storage: FileStorage
  quota: Quota
  picturesOf: (site: Site) => PictureAddress
  putMail: Outbox['put']
  readers: FormReaders
  /** Counts an address without a form. */
  countGuess: CountGuess
  later: LaterParts
}
