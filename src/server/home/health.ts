import { sql, type Kysely } from 'kysely'
import type { health } from '#contract/home/health.ts'
import type { DB } from '#server/database/schema.ts'
import type { Handlers } from '#server/http/serve.ts'

/** Whether the product can work: asks the database every time. */
export function healthHandlers(iam: Kysely<DB>, mode: 'embedded' | 'external'): Handlers<typeof health> {
  return {
    async live() {
      await sql`select 1`.execute(iam)
      return { status: 'ok', database: mode }
    },
  }
}
