import type { TestApp } from '#test/app.ts'
import type { TestOrganization } from '#test/factories/test-organization.ts'

/** Inserts lots `word 1`, `word 2` ... directly into the database. @returns their IDs, in order. */
export async function addManyLots(
  { owner }: TestApp,
  { customerId, organizationId }: TestOrganization,
  { count, word }: { count: number; word: string },
): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>(
    `insert into lots (customer_id, organization_id, code, name)
    select $1, $2, upper($3) || '-' || n, $3 || ' ' || n from generate_series(1, $4::int) n returning id`,
    [customerId, organizationId, word, count],
  )
  return rows.map(({ id }) => id)
}

/** The number of changes to these lots, and how many are on public pages. */
export async function lookAtLots(
  { owner }: TestApp,
  ids: readonly string[],
): Promise<{ there: number; visible: number; versions: number[] }> {
  const { rows } = await owner.query<{ there: number; visible: number; versions: number[] }>(
    `select count(*)::int as there, count(*) filter (where is_public)::int as visible,
      coalesce(array_agg(distinct version order by version), '{}') as versions from lots where id = any($1)`,
    [ids],
  )
  return rows[0] ?? { there: 0, visible: 0, versions: [] }
}
