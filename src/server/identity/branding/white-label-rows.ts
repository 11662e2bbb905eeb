import { sql } from 'kysely'
import type { Received } from '#contract/endpoint.ts'
import { WHITE_LABEL_LIST } from '#contract/identity/branding/white-label-list.ts'
import type { DomainWhiteLabel, whiteLabels } from '#contract/identity/branding/white-labels.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import type { Member } from '#server/http/actor.ts'
import { notFound } from '#server/http/failure.ts'
import { contains } from '#server/lists/contains.ts'
import type { ListSource } from '#server/lists/list-source.ts'
import { inOrder, isOneOf, readPage } from '#server/lists/read-list.ts'
import { cleanFooter } from './white-label.ts'

const column = (name: string) => ({ value: sql.ref(`w.${name}`) })

/** A customer's domains. */
export const whiteLabelSource: ListSource<keyof typeof WHITE_LABEL_LIST.fields> = {
  list: WHITE_LABEL_LIST,
  from: sql`white_labels w`,
  within: (actor) => sql`w.customer_id = ${actor.customerId}`,
  id: sql`w.id`,
  title: sql`w.domain`,
  fields: {
    domain: { ...column('domain'), isNeverNull: true },
    title: { ...column('title'), isNeverNull: true },
    purpose: column('purpose'),
    state: { value: sql`case when w.verified_at is null then 'waiting' else 'verified' end` },
    updatedAt: { ...column('updated_at'), isNeverNull: true },
    updatedBy: column('updated_by'),
  },
  search: (text) => contains([sql.ref('w.domain'), sql.ref('w.title')], text),
}

/** One page of the customer's domains. `publicHost`: the host name of this installation, if it has one. */
export async function listWhiteLabels(
  db: Database,
  actor: Member,
  { input, publicHost }: { input: Received<typeof whiteLabels.list>; publicHost: string | null },
) {
  const { ids, ...counts } = await readPage(db, actor, whiteLabelSource, input)
  const rows = await select(db).where(isOneOf(whiteLabelSource, ids)).execute()
  return { ...counts, results: await Promise.all(inOrder(ids, rows).map((row) => shown(row, publicHost))) }
}

/** @throws Failure 404 if the customer has no such domain. */
export async function readWhiteLabel(
  db: Database,
  id: string,
  publicHost: string | null,
): Promise<DomainWhiteLabel> {
  const row = await select(db).where('w.id', '=', id).executeTakeFirst()
  if (row === undefined) throw notFound('Domain')
  return shown(row, publicHost)
}

function select(db: Database) {
  return db
    .selectFrom('whiteLabels as w')
    .select(['w.id', 'w.domain', 'w.purpose', 'w.title', 'w.logo', 'w.favicon', 'w.footer', 'w.brand'])
    .select(['w.challenge', 'w.verifiedAt', 'w.version', 'w.updatedAt', 'w.updatedBy'])
}

type Row = Omit<DomainWhiteLabel, 'records'> & { challenge: string }

async function shown({ challenge, ...row }: Row, publicHost: string | null): Promise<DomainWhiteLabel> {
  const { name, value } = proofOf({ domain: row.domain, challenge })
  return {
    ...row,
    footer: await cleanFooter(row.footer),
    records: [
      { type: 'TXT', name, value },
      ...(publicHost === null ? [] : [{ type: 'CNAME' as const, name: row.domain, value: publicHost }]),
    ],
  }
}

/** The TXT record that proves who owns a domain. */
export function proofOf({ domain, challenge }: { domain: string; challenge: string }) {
  return { name: `_forecourt.${domain}`, value: `forecourt-domain=${challenge}` }
}
