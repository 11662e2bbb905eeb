import { sql, type Kysely } from 'kysely'
import { Appearance } from '#contract/identity/branding/appearance.ts'
import type { DB } from '#server/database/schema.ts'

type UserRow = { customerId: string; userId: string }

/** A user's appearance settings; null if they never chose any, or chose values this version doesn't know. */
export async function readAppearance(iam: Kysely<DB>, of: UserRow): Promise<Appearance | null> {
  const row = await iam
    .selectFrom('iam.appearances')
    .select('appearance')
    .where('customerId', '=', of.customerId)
    .where('userId', '=', of.userId)
    .executeTakeFirst()
  return Appearance.safeParse(row?.appearance).data ?? null
}

export async function saveAppearance(
  iam: Kysely<DB>,
  of: UserRow,
  appearance: Appearance,
): Promise<Appearance> {
  const text = JSON.stringify(appearance)
  await iam
    .insertInto('iam.appearances')
    .values({ ...of, appearance: text })
    .onConflict((on) =>
      on.columns(['customerId', 'userId']).doUpdateSet({ appearance: text, updatedAt: sql`app_now()` }),
    )
    .execute()
  return appearance
}
