import type { TestApp } from '#test/app.ts'

export type OutboxRow = {
  id: string
  state: string
  attempts: number
  error: string | null
  minutes: number | null
}

/** The outbox rows of a user; `minutes` until the next attempt. */
export async function rowsOf(owner: TestApp['owner'], userId: string): Promise<OutboxRow[]> {
  const { rows } = await owner.query<OutboxRow>(
    `select id, state, attempts, error, round(extract(epoch from next_attempt_at - app_now()) / 60)::int as minutes
    from outbox_mails where user_id = $1 order by id`,
    [userId],
  )
  return rows
}
